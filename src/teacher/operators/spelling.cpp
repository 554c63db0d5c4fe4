#include "teacher/operators/spelling.h"

#include <array>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/check.h"
#include "abstract/operator_names.h"

namespace tritonrl::teacher::operators {
namespace {

// Where a spelling means another operator than labels/operator_names.txt says (it knows families, this table meanings),
// or is called in another way than the operator's own declaration: "F.x" of torch.nn.functional, "linalg.x", ".x" a
// method, "x" everywhere.
struct Exception {
  std::string_view spelling, name, declaration = {};
};

#define TRL_SIZED "dtype=None, device=None, layout=None, requires_grad=False, pin_memory=False, out=None"

constexpr auto kExceptions = std::to_array<Exception>({
    // families of which the table describes one member
    {"rsub", ""},
    {"float_power", ""},
    {"erfcx", ""},
    {"ndtri", ""},
    {"log_ndtr", ""},
    {"gammaln", "lgamma"},
    {"mvlgamma", ""},
    {"multigammaln", ""},
    {"isreal", ""},
    {"nansum", ""},
    {"sum_to_size", ""},
    {"nanmean", ""},
    {"nanmedian", ""},
    {"msort", ""},
    {"matrix_norm", ""},
    {"frobenius_norm", ""},
    {"nuclear_norm", ""},
    {"trapz", ""},
    {"imag", ""},
    {"real", ""},
    {"view_as_real", ""},
    {"view_as_complex", ""},
    {"dsmm", ""},
    {"hsmm", ""},
    {"spmm", ""},
    {"hspmm", ""},
    {"smm", ""},
    {"scaled_mm", ""},
    {"sspaddmm", ""},
    {"saddmm", ""},
    {"convolution", ""},
    {"native_batch_norm", ""},
    {"native_layer_norm", ""},
    {"native_group_norm", ""},
    {"native_dropout", ""},
    {"native_channel_shuffle", ""},
    {"adjoint", ""},
    {"conj", ""},
    {"hsplit", ""},
    {"vsplit", ""},
    {"dsplit", ""},
    {"tensor_split", ""},
    {"broadcast_tensors", ""},
    {"atleast_1d", ""},
    {"atleast_2d", ""},
    {"atleast_3d", ""},
    {"dstack", ""},
    {"column_stack", ""},
    {"fliplr", ""},
    {"flipud", ""},
    {"tile", ""},
    {"diagflat", ""},
    {"gradient", ""},
    {"retain_grad", ""},
    {"scatter_reduce", ""},
    {"slice_scatter", ""},
    {"select_scatter", ""},
    {"diagonal_scatter", ""},
    {"as_strided_scatter", ""},
    {"index_reduce", ""},
    {"binomial", ""},
    {"poisson", ""},
    {"range", ""},
    {"logspace", ""},
    {"upsample", ""},
    {"upsample_nearest", ""},
    {"upsample_bilinear", ""},
    {"grid_sampler", ""},
    {"max_pool1d_with_indices", ""},
    {"max_pool2d_with_indices", ""},
    {"max_pool3d_with_indices", ""},
    {"adaptive_max_pool1d_with_indices", ""},
    {"adaptive_max_pool2d_with_indices", ""},
    {"adaptive_max_pool3d_with_indices", ""},
    {"feature_dropout", ""},
    {"triplet_margin_with_distance_loss", ""},
    {"gammainc", ""},
    {"new", ""},
    {"FloatTensor", ""},
    {"LongTensor", ""},
    {"Tensor", ""},
    {"IntTensor", ""},
    {"BoolTensor", ""},
    {"DoubleTensor", ""},
    {"sparse_coo_tensor", ""},
    {"sparse_csr_tensor", ""},
    {"from_numpy", ""},
    {"from_dlpack", ""},
    {"frombuffer", ""},
    {"complex", ""},
    {"polar", ""},
    // members that are operators of their own
    {"logaddexp2", "logaddexp2"},
    {"xlog1py", "xlog1py"},
    {"isposinf", "isposinf"},
    {"isneginf", "isneginf"},
    {"var_mean", "var_mean"},
    {"std_mean", "std_mean"},
    {"inner", "inner"},
    {"vdot", "dot"},
    {"vecdot", ""},
    {"view_as", "view_as"},
    {"reshape_as", "reshape_as"},
    {"ravel", "flatten", "input"},
    {"t", "t"},
    {"swapaxes", "transpose", "input, dim0, dim1"},
    {"swapdims", "transpose"},
    {"moveaxis", "movedim"},
    {"movedim", "movedim"},
    {"expand_as", "expand_as"},
    {"broadcast_to", "broadcast_to"},
    {"take", ""},
    {"take_along_dim", "take_along_dim"},
    {"searchsorted", "searchsorted"},
    {"bucketize", "bucketize"},
    {"zeros_like", "zeros_like"},
    {"ones_like", "ones_like"},
    {"empty_like", "empty_like"},
    {"full_like", "full_like"},
    {"rand_like", "rand_like"},
    {"randn_like", "randn_like"},
    {"randint_like", "randint_like"},
    {"rand", "rand"},
    {"randn", "randn"},
    {"randint", "randint"},
    {"randperm", "randperm"},
    {"new_zeros", "new_zeros"},
    {"new_ones", "new_ones"},
    {"new_empty", "new_empty"},
    {"new_full", "new_full"},
    {"empty_strided", ""},
    {"new_empty_strided", ""},
    {"new_tensor", "tensor", "input, data, " TRL_SIZED},
    {"as_tensor", "tensor", "data, " TRL_SIZED},
    {"asarray", ""},
    {"scalar_tensor", ""},
    {"requires_grad", "identity", "input, requires_grad=True"},
    // other orders and names of parameters
    {"F.rms_norm", "rms_norm"},
    {"softmax", "softmax", "input, dim, dtype=None"},
    {"log_softmax", "log_softmax", "input, dim, dtype=None"},
    {"F.softmax", "softmax"},
    {"F.log_softmax", "log_softmax"},
    {"linalg.norm", "norm", "input, p=None, dim=None, keepdim=False, *, out=None, dtype=None"},
    {"vector_norm", "norm", "input, p=2, dim=None, keepdim=False, *, dtype=None, out=None"},
    {".where", "where", "input, condition, other"},
    {".split", "split", "tensor, split_size_or_sections, dim=0"},
    {"split_with_sizes", "split", "tensor, split_size_or_sections, dim=0"},
    {"unsafe_split", "split"},
    {"unsafe_split_with_sizes", "split", "tensor, split_size_or_sections, dim=0"},
    {"narrow_copy", "narrow"},
    {"mT", "mT"},
    {".gelu", ""},
    // what a tensor is made into
    {".type_as", "to", "input, dtype"},
    {".type", "to", "input, dtype, non_blocking=False"},
    {".cpu", "to", "input, memory_format=None"},
    {".cuda", "to", "input, device=None, non_blocking=False, memory_format=None"},
    {".float", "to", "input, memory_format=None"},
    {".double", "to", "input, memory_format=None"},
    {".half", "to", "input, memory_format=None"},
    {".bfloat16", "to", "input, memory_format=None"},
    {".int", "to", "input, memory_format=None"},
    {".long", "to", "input, memory_format=None"},
    {".short", "to", "input, memory_format=None"},
    {".byte", "to", "input, memory_format=None"},
    {".char", "to", "input, memory_format=None"},
    {".bool", "to", "input, memory_format=None"},
    {".pin_memory", "identity", "input"},
    {".share_memory", "identity", "input"},
    // what was there is written over
    {".zero", "overwrite", "input"},
    {".fill", "overwrite"},
    {".normal", "overwrite", "input, *contents, mean=0, std=1, generator=None"},
    {".uniform", "overwrite", "input, *contents, to=1, generator=None"},
    {".exponential", "overwrite", "input, *contents, lambd=1, generator=None"},
    {".random", "overwrite", "input, *contents, generator=None"},
    {".copy", "overwrite", "input, *contents, non_blocking=False"},
    {"fill", ""},
    {"zero", ""},
    {"normal", ""},
    {"uniform", ""},
});

#undef TRL_SIZED

struct Known {
  std::string_view name;
  std::vector<Parameter> parameters;
};

const std::unordered_map<std::string_view, Known>& exceptions() {
  static const auto kKnown = [] {
    std::unordered_map<std::string_view, Known> known;
    for (const Exception& one : kExceptions) {
      TRL_CHECK(one.name.empty() || find_operator(one.name) != nullptr,
                "spelling of no operator: " + std::string(one.spelling));
      const bool fresh = known.emplace(one.spelling, Known{one.name, read_parameters(one.declaration)}).second;
      TRL_CHECK(fresh, "spelling given twice: " + std::string(one.spelling));
    }
    return known;
  }();
  return kKnown;
}

Spelling make(std::string_view name, std::span<const Parameter> declared) {
  const Operator* op = name.empty() ? nullptr : find_operator(name);
  if (op == nullptr) return {};
  return {.name = op->name, .parameters = declared.empty() ? parameters_of(*op) : declared};
}

// The spelling without the underscore of an operator in place.
Spelling plain(std::string_view area, std::string_view word) {
  const auto& known = exceptions();
  const std::string full = std::string(area) + std::string(word);
  for (const std::string_view key : {std::string_view(full), word}) {
    const auto found = known.find(key);
    if (found != known.end()) return make(found->second.name, found->second.parameters);
  }
  if (find_operator(word) != nullptr && area != ".") return make(word, {});
  const abstract::OperatorName* label = area == "." ? abstract::find_tensor_method(word) : abstract::find_function(word);
  if (label == nullptr) return {};
  return make(label->name, {});
}

}  // namespace

Spelling read_spelling(std::string_view path) {
  std::string_view area, word = path;
  if (path.starts_with('.')) {
    area = ".";
    word.remove_prefix(1);
  } else {
    if (!path.starts_with("torch.")) return {};
    word.remove_prefix(6);
    for (const auto& [folder, shorter] : {std::pair<std::string_view, std::string_view>{"nn.functional.", "F."},
                                          {"linalg.", "linalg."},
                                          {"special.", "special."},
                                          {"nn.init.", "init."}}) {
      if (!word.starts_with(folder)) continue;
      word.remove_prefix(folder.size());
      area = shorter;
    }
    if (area == "init.") return {};
  }
  if (word.empty() || word.find('.') != std::string_view::npos || word.starts_with("__")) return {};
  const bool in_place = word.size() > 1 && word.ends_with('_');
  if (in_place) word.remove_suffix(1);
  Spelling spelling = plain(area, word);
  spelling.in_place = in_place;
  return spelling;
}

std::string_view parameter_named(std::string_view keyword) {
  constexpr auto kNames =
      std::to_array<std::pair<std::string_view, std::string_view>>({{"axis", "dim"},
                                                                    {"keepdims", "keepdim"},
                                                                    {"ord", "p"},
                                                                    {"axis0", "dim0"},
                                                                    {"axis1", "dim1"},
                                                                    {"split_size", "split_size_or_sections"},
                                                                    {"split_sizes", "split_size_or_sections"},
                                                                    {"unflattened_size", "sizes"}});
  for (const auto& [given, name] : kNames) {
    if (given == keyword) return name;
  }
  return keyword;
}

}  // namespace tritonrl::teacher::operators
