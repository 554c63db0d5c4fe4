#include "teacher/families/names.h"

#include <algorithm>
#include <array>
#include <map>

namespace tritonrl::teacher {

namespace {

struct Vocabulary {
  std::string_view hint, words;
};

// Sorted by hint.
constexpr Vocabulary kVocabulary[] = {
    {"Block", "Block BasicBlock Layer Unit Module Cell Stage Branch Body Core SubNet Component"},
    {"Net", "Net Network Block Layer Head Encoder Decoder Attention Loss Norm MLP Conv Embedding Mixer Backbone"},
    {"act", "act activation nonlinearity act_fn relu nonlin act_layer phi"},
    {"alpha", "alpha a coef weight ratio lam strength"},
    {"attn", "attn attention weights scores att a probs attn_weights alpha"},
    {"b", "b B bs n N batch bsz batch_size num nb"},
    {"batch", "batch_size B N bs batch n_batch BATCH bsz num_samples batch_sz"},
    {"beta", "beta b bias shift offset beta_param"},
    {"bias", "bias b shift offset beta extra_bias add_bias bias_term"},
    {"bn", "bn norm batch_norm bn1 norm1 batchnorm"},
    {"bound", "bound limit threshold max_val min_val cutoff clip_value margin cap"},
    {"c", "c C ch channels n_ch chan num_channels"},
    {"channels",
     "channels in_channels dim num_channels nf ch n_feats planes in_planes width C num_features inplanes n_filters"},
    {"classes", "num_classes n_classes K num_labels classes out_dim num_outputs"},
    {"components", "components num_mixtures n_components M mixtures num_heads_out"},
    {"conv", "conv conv1 conv2d proj layer filter body main_conv cnn convolution"},
    {"d", "d D dim feat f dim_model e width"},
    {"depth", "depth D frames num_slices n_depth layers_d"},
    {"diag", "A d diag diagonal scale"},
    {"dim",
     "dim d_model hidden_size embed_dim hidden_dim features in_features input_dim D size emb_dim width channels "
     "n_embd"},
    {"eps", "eps epsilon EPS tiny small_value eps_value smooth"},
    {"factor", "factor scale multiplier coef ratio scaling gain scaling_factor"},
    {"fc", "fc linear proj dense lin fc1 layer out_proj mlp"},
    {"fields", "num_fields fields n_fields J slots num_slots"},
    {"gamma", "gamma g scale weight gain layer_scale"},
    {"gate", "gate g gating mask attention_gate z switch sig"},
    {"groups", "groups num_groups n_groups G heads num_experts experts branches"},
    {"h", "h H height hh rows ny"},
    {"heads", "num_heads heads n_heads nhead h n_head"},
    {"height", "height H h img_h rows image_size H_in size"},
    {"hidden", "hidden_dim hidden hidden_features d_ff inner_dim mlp_dim ffn_dim dim_hidden expansion_dim n_hidden"},
    {"in_features", "in_features input_size in_dim n_in input_dim fan_in d_in"},
    {"input_shape", "input_shape shape in_shape feature_shape dims size input_size rest"},
    {"k", "k key keys kk memory"},
    {"kernel", "kernel_size ksize k filter_size kernel ks"},
    {"l", "l L length t steps n_steps"},
    {"length", "length L seq_length n_samples time samples signal_length T num_frames"},
    {"lhs", "A a x mat1 left lhs M1 first"},
    {"linear", "linear fc proj dense lin projection to_out layer"},
    {"loss", "loss total err cost objective l value criterion_value"},
    {"mask", "mask valid keep m msk attention_mask pad_mask weights_mask"},
    {"mat", "A mat x matrix W a"},
    {"mean", "mean mu avg m center average u"},
    {"mu", "mu mean m loc center mean_"},
    {"n", "n num N count total_count n_items"},
    {"norm", "norm norm1 ln layer_norm layernorm normalize_layer"},
    {"num_points", "num_points N n_points num_nodes nodes M points n"},
    {"out", "out y output res result h z ret o out_t final hidden feats"},
    {"out_channels", "out_channels out_planes num_filters O c_out n_out dim_out nf_out channels_out"},
    {"out_features", "out_features output_size out_dim n_out d_out hidden_size units"},
    {"output_padding", "output_padding out_pad extra_padding"},
    {"p", "p prob probs pred probabilities prediction"},
    {"pred", "pred prediction logits output inputs y_pred p predictions scores x"},
    {"proj", "proj out_proj fc_out projection to_out linear_out head w_o"},
    {"q", "q query queries qq q_in"},
    {"rank", "rank r low_rank bottleneck R reduced latent_rank"},
    {"reduction", "reduction ratio r reduction_ratio squeeze_factor red"},
    {"residual", "residual identity shortcut skip res saved inp_copy x0 orig identity_branch"},
    {"rhs", "B b y mat2 right rhs M2 other"},
    {"s", "s S src_len length2 m steps_s"},
    {"scale", "scale scaling scaling_factor temperature factor gain alpha multiplier weight_scale mult"},
    {"seq_len", "seq_len T sequence_length max_len num_tokens L tokens seq seq_length context_length"},
    {"shift", "shift offset delta bias_value b0 addend constant displacement"},
    {"size", "size dim n width num"},
    {"slope", "slope negative_slope leak leaky_slope neg_slope alpha"},
    {"src_len", "src_len S memory_len kv_len S_len context_len source_length"},
    {"std", "std sigma sd stdev std_dev spread deviation"},
    {"t", "t T steps time seq l length"},
    {"target", "target targets y labels gt y_true truth label ref reference"},
    {"temperature", "temperature tau temp T_softmax t scale"},
    {"tmp",
     "tmp t h y z a u v r s q w e val inter mid part aux term value temp hid f g cur feat step piece acc_val stage "
     "inner blend"},
    {"total", "total out acc result s summed y agg combined fused"},
    {"v", "v value values vv vals"},
    {"var", "var variance sigma2 v var_ s2"},
    {"vec", "B v vec x vector b"},
    {"vocab", "vocab_size V num_embeddings n_tokens vocabulary_size num_words"},
    {"w", "w W width ww cols nx"},
    {"weight", "weight w W kernel weights mat theta matrix"},
    {"width", "width W w img_w cols W_in size_w"},
    {"x", "x input inputs inp feat features hidden_states data tensor X img signal hidden in_feat"},
    {"y", "y other b context cond z aux second x2 right ref"},
};

constexpr std::array<std::string_view, 96> kWords = {
    "alpha",  "beta",  "gamma",  "delta",   "factor", "value",  "term",  "level", "rate",   "limit", "bound",
    "lower",  "upper", "pool",   "norm",    "layer",  "block",  "stage", "unit",  "core",   "main",  "first",
    "second", "inner", "outer",  "feature", "hidden", "latent", "state", "token", "patch",  "pixel", "frame",
    "signal", "noise", "field",  "energy",  "force",  "mass",   "phase", "angle", "speed",  "depth", "edge",
    "node",   "graph", "path",   "left",    "right",  "top",    "base",  "local", "global", "query", "memory",
    "slot",   "route", "expert", "head",    "tail",   "user",   "item",  "score", "logit",  "prob",  "prior",
    "post",   "mixed", "fused",  "raw",     "coarse", "fine",   "wave",  "mel",   "tone",   "pitch", "band",
    "color",  "luma",  "chroma", "mask",    "soft",   "hard",   "sharp", "blur",  "warp",   "grid",  "cell",
    "grad",   "flow",  "motion", "sample",  "window", "kernel", "gain",  "ramp"};

constexpr std::array<std::string_view, 64> kPieces = {
    "ab",  "el",  "or",  "in",  "un",  "qu",  "ta",  "ri",  "mo",  "ve",  "st",  "ch",  "ka",  "lo",  "ne",  "pa",
    "ro",  "si",  "tu",  "wo",  "xe",  "ya",  "zu",  "br",  "cl",  "dr",  "fl",  "gr",  "pl",  "sh",  "th",  "tr",
    "con", "dis", "pre", "sub", "net", "fed", "map", "vec", "mat", "pos", "neg", "idx", "agg", "ctx", "emb", "seg",
    "cur", "nxt", "acc", "tmp", "buf", "ker", "pro", "int", "ext", "mid", "low", "top", "hid", "vis", "aud", "lin"};

// Words of Python, names that our texts use for something, attributes of nn.Module, keywords and names that solutions
// need.
constexpr std::string_view kReserved =
    " F Model None Tensor True abs add_module all and any apply as assert bfloat16 bool break buffers children "
    "class compile continue cpu cuda def del dict double elif else enumerate eval except extra_repr finally "
    "float for forward from get_init_inputs get_inputs global half if import in int is isinstance lambda len "
    "list math max min modules nn nonlocal not np or parameters pass pow print raise range return round self "
    "set share_memory state_dict str sum super tl to torch train training triton try tuple type while with "
    "xpu yield zip ";

// What torch's layers call what they hold.
constexpr std::string_view kLayerAttributes =
    " _flat_weights activation add_zero_attn affine align_corners alpha approximate batch_first beta bias bias_hh "
    "bias_ih bias_k bias_v bidirectional blank ceil_mode count_include_pad cutoffs d_model decoder delta dilation "
    "dim distance_function div_value divisor_override downscale_factor dropout dropout1 dropout2 dropout3 "
    "elementwise_affine embed_dim embedding_dim encoder end_dim eps full groups head head_bias head_dim head_size "
    "hidden_size ignore_index in1_features in2_features in_channels in_features in_proj_bias in_proj_weight "
    "include_last_offset inplace input_size k_proj_weight kdim keepdim kernel_size label_smoothing lambd layers "
    "linear1 linear2 log_input lower margin max_norm max_val min_val mode momentum multihead_attn n_classes "
    "negative_slope nhead nonlinearity norm norm1 norm2 norm3 norm_first norm_type normalized_shape "
    "num_batches_tracked num_channels num_embeddings num_features num_groups num_heads num_layers num_parameters "
    "out_channels out_features out_proj output_padding output_ratio output_size p padding padding_idx padding_mode "
    "pos_weight process_group proj_size q_proj_weight recompute_scale_factor reduction return_indices running_mean "
    "running_var scale_factor scale_grad_by_freq self_attn size sparse start_dim stride swap threshold "
    "track_running_stats transposed unflattened_size upper upscale_factor v_proj_weight value vdim weight weight_hh "
    "weight_ih zero_infinity ";

bool reserved(std::string_view name) {
  return kReserved.find(' ' + std::string(name) + ' ') != std::string_view::npos;
}

std::string_view nth_word(std::string_view words, int place) {
  while (place-- > 0) words.remove_prefix(words.find(' ') + 1);
  return words.substr(0, words.find(' '));
}

std::string capitalised(std::string_view name) {
  std::string result;
  bool up = true;
  for (const char letter : name) {
    if (letter == '_') {
      up = true;
      continue;
    }
    result += up && letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter;
    up = false;
  }
  return result;
}

std::string usual_name(Draw& draw, std::string_view hint) {
  const auto* const entry = std::lower_bound(std::begin(kVocabulary), std::end(kVocabulary), hint,
                                             [](const Vocabulary& a, std::string_view b) { return a.hint < b; });
  if (entry == std::end(kVocabulary) || entry->hint != hint) return std::string(hint);
  const int count = static_cast<int>(std::count(entry->words.begin(), entry->words.end(), ' ')) + 1;
  // The first words are the commonest.
  return std::string(nth_word(entry->words, std::min(draw.below(count), draw.below(count))));
}

std::string odd_name(Draw& draw, std::string_view usual) {
  std::string name;
  switch (draw.weighted({24, 14, 8, 12, 12, 20, 10})) {
    case 0:
      name = draw.one_of(kWords);
      name += '_';
      return name += draw.one_of(kWords);
    case 1:
      return std::string(draw.one_of(kWords));
    case 2:
      name = draw.one_of(kWords);
      return name += static_cast<char>('0' + draw.below(10));
    case 3:
      name = draw.one_of(kWords);
      name += '_';
      return name += usual;
    case 4:
      name = usual;
      name += draw.of({"_t", "_in", "_a", "_b", "_new", "0", "1", "2", "_", "_out", "_val"});
      return name;
    case 5:
      for (int count = draw.between(1, 3); count > 0; --count) name += draw.one_of(kPieces);
      return name;
    default:
      for (int count = draw.between(1, 5); count > 0; --count) name += static_cast<char>('a' + draw.below(26));
      return name;
  }
}

std::string in_role(Draw& draw, const Style& style, std::string name, NameRole role) {
  if (role == NameRole::kClass) return capitalised(name);
  if (role == NameRole::kConstant && draw.chance(30))
    for (char& letter : name) letter = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter;
  if (style.camel && role != NameRole::kConstant && name.find('_') != std::string::npos && name.front() != '_') {
    const bool low = name.front() >= 'a' && name.front() <= 'z';
    name = capitalised(name);
    if (low) name.front() = static_cast<char>(name.front() + 32);
  }
  if (role == NameRole::kAttribute && draw.chance(2)) name.insert(0, "_");
  return name;
}

}  // namespace

bool NameSet::has(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::string draw_name(Draw& draw, const Style& style, std::string_view hint, NameRole role, NameSet& taken,
                      const NameSet* also) {
  std::string name = usual_name(draw, hint);
  if (draw.chance(style.odd_names)) name = odd_name(draw, name);
  name = in_role(draw, style, std::move(name), role);
  const auto free = [&](const std::string& candidate) {
    return !reserved(candidate) && !taken.has(candidate) && (also == nullptr || !also->has(candidate));
  };
  if (!free(name)) {
    std::string other = in_role(draw, style, usual_name(draw, hint), role);
    if (!free(other)) {
      const std::string stem = std::move(other);
      int number = draw.of({1, 2, 2, 2});
      do {
        other = stem;
        if (draw.chance(40) && other.back() != '_') other += '_';
        other += std::to_string(number++);
      } while (!free(other));
    }
    name = std::move(other);
  }
  taken.add(name);
  return name;
}

bool is_reserved_name(std::string_view name) {
  return reserved(name);
}

bool is_builtin_name(std::string_view name) {
  constexpr std::string_view kBuiltins =
      " abs all any bin bool bytearray bytes callable chr classmethod complex dict dir divmod enumerate filter "
      "float format frozenset hash hex id input int isinstance issubclass iter len list map max memoryview min next "
      "object oct open ord pow print property range repr reversed round set slice sorted staticmethod str sum super "
      "tuple type vars zip ";
  return kBuiltins.find(' ' + std::string(name) + ' ') != std::string_view::npos;
}

bool is_layer_attribute(std::string_view name) {
  return kLayerAttributes.find(' ' + std::string(name) + ' ') != std::string_view::npos;
}

std::string replacing_name(Draw& draw, std::string_view name, NameRole role, NameSet& taken) {
  std::string out;
  do {
    out = odd_name(draw, name);
    if (role == NameRole::kClass) out = capitalised(out);
    if (role == NameRole::kConstant)
      for (char& letter : out) letter = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter;
  } while (out.size() < 2 || reserved(out) || taken.has(out) || out.ends_with("__"));
  taken.add(out);
  return out;
}

}  // namespace tritonrl::teacher
