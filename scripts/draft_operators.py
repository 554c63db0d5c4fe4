#!/usr/bin/env python3
"""Prints src/program/operators.txt for the torch at hand: every allowed operator with its kind, operations and schema.

usage: python scripts/draft_operators.py > src/program/operators.txt
       python scripts/draft_operators.py | diff src/program/operators.txt -        what another torch would change

RULES is the hand-kept part. A new torch's operators that no rule names are listed on stderr and stay out of the table:
it is an allow-list, so each needs a decision here (a kind, or a line in EXCLUDED).
"""
import fnmatch
import sys

import torch

# Not for dense strided tensors of one program, or not safe, or not computing. Patterns over "name" and "name.overload".
EXCLUDED = """
    *sparse* *_coo* *_csr* *_csc* *_bsr* *_bsc* *coalesce* hspmm smm sspaddmm _nnz _dimI _dimV dense_dim
    *indices_copy ccol_indices col_indices crow_indices row_indices indices _indices values _values values_copy _values_copy
    _spdiags _spsolve _cslt_* to_dense* _to_dense to_padded_tensor
    *mkldnn* *mps* *miopen* *nnpack* *xla* *vulkan* *fbgemm* *nested* *jagged* *quantized* _triton_*
    quantize_per_* dequantize* q_per_channel_* q_scale q_zero_point qscheme int_repr *qparams* _saturate_weight_to_fp16
    _mixed_dtypes_linear _dyn_quant_* _wrapped_* _convert_weight_to_int4pack_for_cpu _weight_int4pack_mm_for_cpu
    _weight_int4pack_mm_with_scales_and_zeros _rowwise_prune _empty_* _cudnn_init_dropout_state _cudnn_rnn_flatten_weight
    normal_functional
    set set_ set_data _set_* resize* _resize* from_file record_stream storage_offset _copy_from* _lazy_clone _to_cpu
    _unsafe_index* _unsafe_masked_* _index_put_impl* segment_reduce _segment_reduce_backward
    _conj _neg_view _conj_copy _neg_view_copy conj adjoint mH matrix_H _fw_primal* _make_dual* _unpack_dual _efficientzerotensor
    _test_* _foobar _print _assert_* _functional_* sym_* _sym_* _debug_* _version _make_dep_token _backward _use_* _has_*
    _add_batch_dim _remove_batch_dim _new_zeros_with_same_feature_meta _validate_* _cufft_* _autocast_* _reshape_from_tensor
    _amp_* _fused_adam* _fused_adagrad* _fused_sgd* _philox_* _propagate_*
    _local_scalar_dense item equal allclose is_nonzero _is_all_true _is_any_true is_* _is_* can_cast result_type promote_types
    size stride numel dim get_device output_nr data requires_grad_ retain_grad retains_grad get_gradients cudnn_is_acceptable
    _fused_sdp_choice _linalg_eigvals_* _shape_as_tensor _batch_norm_impl_index_backward
    slice_inverse unflatten_dense_tensors flatten_dense_tensors lstm_mps_backward
    _thnn_differentiable_* _scaled_dot_product_fused_attention_overrideable* *_overrideable _pad_enum
    _grid_sampler_2d_cpu_fallback* _flash_attention_forward_no_dropout_inplace _fill_mem_eff_dropout_mask_
"""
# Left out with a reason that the names do not give:
#   _conj, _neg_view and their kin: they set a bit of the tensor that a view of a storage cannot show. The recorder records
#     conj_physical and neg instead.
#   item, equal, allclose, …: answers to Python, which are Questions of a program, not calls.
#   functional and foreach out= forms made by torch's code generator (tag "generated"): no Python function reaches them.

# kind, operations per element (what an element is: operator_table.h), patterns. The first rule that matches wins. A rule for
# "foo" covers foo_, _foreach_foo and every overload; a pattern with a dot covers that overload and its out= form.
RULES = [
    ("view", 0, """view view_as view.dtype _unsafe_view _reshape_alias reshape reshape_as expand expand_as broadcast_to
        broadcast_tensors permute transpose t numpy_T mT movedim moveaxis swapaxes swapdims select slice narrow squeeze unsqueeze
        as_strided detach alias lift lift_fresh split split_with_sizes unsafe_split unsafe_split_with_sizes unsafe_chunk chunk
        tensor_split hsplit vsplit dsplit unbind diagonal linalg_diagonal unfold view_as_real view_as_complex real imag flatten
        unflatten ravel atleast_1d atleast_2d atleast_3d meshgrid positive"""),
    ("allocate", 0, """empty empty_like empty_strided empty_permuted new_empty new_empty_strided"""),
    ("fill", 0, """zeros zeros_like ones ones_like full full_like new_zeros new_ones new_full zero fill fill_diagonal_ eye arange
        range linspace logspace scalar_tensor tril_indices triu_indices _dim_arange bartlett_window blackman_window hamming_window
        hann_window kaiser_window fft_fftfreq fft_rfftfreq"""),
    ("copy", 0, """clone copy _to_copy to contiguous type_as chalf _cast_* lift_fresh_copy pin_memory _pin_memory resolve_conj
        resolve_neg alias_copy as_strided_copy detach_copy diagonal_copy expand_copy narrow_copy permute_copy _reshape_alias_copy
        _reshape_copy select_copy slice_copy split_copy split_with_sizes_copy squeeze_copy t_copy transpose_copy unbind_copy
        unfold_copy unsqueeze_copy view_copy view_as_complex_copy view_as_real_copy"""),
    ("random", 10, """rand rand_like randn randn_like randint randint_like randperm random uniform normal bernoulli exponential
        log_normal cauchy geometric poisson binomial multinomial _standard_gamma _sample_dirichlet _sobol_engine_*"""),
    ("shape_query", 2, """nonzero nonzero_numpy nonzero_static argwhere masked_select where( unique_* _unique _unique2 bincount
        repeat_interleave.Tensor repeat_interleave.self_Tensor _pack_padded_sequence"""),

    ("matmul", 2, """mm addmm bmm baddbmm addbmm mv addmv dot vdot inner addr matmul linalg_matmul linear einsum tensordot bilinear
        _trilinear chain_matmul linalg_multi_dot linalg_vecdot _addmm_activation _int_mm _scaled_mm _scaled_mm_v2 _grouped_mm
        _scaled_grouped_mm _scaled_grouped_mm_v2 _weight_int8pack_mm _weight_int4pack_mm linear_backward matmul_backward cov corrcoef _compute_linear_combination"""),
    ("convolution", 2, """convolution _convolution _convolution_mode convolution_backward _convolution_double_backward conv1d conv2d
        conv3d conv_transpose1d conv_transpose2d conv_transpose3d conv_tbc conv_tbc_backward _conv_depthwise2d conv_depthwise3d
        thnn_conv2d slow_conv3d slow_conv3d_forward slow_conv_dilated2d slow_conv_dilated3d slow_conv_transpose2d
        slow_conv_transpose3d _slow_conv2d_forward _slow_conv2d_backward cudnn_convolution cudnn_convolution_relu
        cudnn_convolution_add_relu cudnn_convolution_transpose"""),
    ("recurrent", 10, """lstm gru rnn_tanh rnn_relu lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell _cudnn_rnn _cudnn_rnn_backward"""),
    ("attention", 5, """scaled_dot_product_attention _scaled_dot_product_attention_math _scaled_dot_product_*_attention
        _scaled_dot_product_*_attention_backward _scaled_dot_product_flash_attention_for_cpu
        _scaled_dot_product_flash_attention_for_cpu_backward _flash_attention_forward _flash_attention_backward
        _efficient_attention_forward _efficient_attention_backward _cudnn_attention_forward _cudnn_attention_backward
        _native_multi_head_attention _transformer_encoder_layer_fwd"""),

    ("normalise", 6, """batch_norm native_batch_norm _native_batch_norm_legit _native_batch_norm_legit_no_training
        _batch_norm_with_update _batch_norm_no_update _batch_norm_impl_index cudnn_batch_norm batch_norm_elemt
        batch_norm_gather_stats batch_norm_gather_stats_with_counts batch_norm_stats batch_norm_update_stats instance_norm layer_norm
        native_layer_norm group_norm native_group_norm rms_norm _fused_rms_norm renorm _weight_norm _weight_norm_interface
        fused_moving_avg_obs_fake_quant _fused_moving_avg_obs_fq_helper"""),
    ("normalise", 10, """batch_norm_backward batch_norm_backward_elemt batch_norm_backward_reduce native_batch_norm_backward
        cudnn_batch_norm_backward native_layer_norm_backward native_group_norm_backward _fused_rms_norm_backward
        _weight_norm_interface_backward _weight_norm_differentiable_backward"""),
    ("softmax", 10, """softmax _softmax log_softmax _log_softmax special_softmax special_log_softmax _safe_softmax _masked_softmax"""),
    ("softmax", 4, """_softmax_backward_data _log_softmax_backward_data _masked_softmax_backward"""),
    ("scan", 1, """cumsum cumprod cummax cummin _cummax_helper _cummin_helper cumulative_trapezoid cummaxmin_backward vander linalg_vander"""),
    ("scan", 12, """logcumsumexp _logcumsumexp cumprod_backward"""),
    ("sort", 2, """sort argsort msort topk kthvalue median nanmedian mode quantile nanquantile isin"""),
    ("pool", 1, """avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d max_pool*_with_indices adaptive_avg_pool*
        adaptive_max_pool* _adaptive_avg_pool2d _adaptive_avg_pool3d fractional_max_pool2d fractional_max_pool3d max_unpool2d
        max_unpool3d avg_pool2d_backward avg_pool3d_backward max_pool2d_backward max_pool*_with_indices_backward
        _adaptive_avg_pool*_backward fractional_max_pool*_backward"""),
    ("gather", 0, """gather gather_backward scatter index index_put index_select index_select_backward index_copy index_fill embedding
        embedding_backward embedding_dense_backward take take_along_dim put masked_scatter masked_scatter_backward
        masked_select_backward one_hot value_selecting_reduction_backward"""),
    ("gather", 1, """scatter_add scatter_reduce index_add index_reduce embedding_bag _embedding_bag _embedding_bag_forward_only
        _embedding_bag_backward _embedding_bag_dense_backward _embedding_bag_per_sample_weights_backward embedding_renorm"""),
    ("gather", 20, """bucketize searchsorted"""),
    ("permute", 0, """cat concat concatenate _chunk_cat stack _stack hstack vstack dstack row_stack column_stack block_diag flip fliplr flipud
        roll rot90 repeat tile repeat_interleave.self_int pad constant_pad_nd _pad_circular reflection_pad* replication_pad*
        pad_sequence _pad_packed_sequence _pack_padded_sequence_backward pixel_shuffle pixel_unshuffle channel_shuffle
        native_channel_shuffle im2col diag diag_embed diagflat cartesian_prod select_scatter slice_scatter diagonal_scatter
        as_strided_scatter combinations slice_backward select_backward diagonal_backward trace_backward fft_fftshift fft_ifftshift
        _convert_weight_to_int4pack"""),
    ("resample", 8, """upsample_* _upsample_* affine_grid_generator affine_grid_generator_backward grid_sampler* cudnn_grid_sampler*
        cudnn_affine_grid_generator*"""),
    ("fourier", 5, """fft_* _fft_c2c _fft_c2r _fft_r2c stft istft"""),
    ("loss", 4, """mse_loss mse_loss_backward l1_loss smooth_l1_loss smooth_l1_loss_backward huber_loss huber_loss_backward nll_loss
        nll_loss_forward nll_loss_backward nll_loss2d nll_loss2d_forward nll_loss2d_backward nll_loss_nd hinge_embedding_loss
        margin_ranking_loss multi_margin_loss multi_margin_loss_backward multilabel_margin_loss multilabel_margin_loss_forward
        multilabel_margin_loss_backward triplet_margin_loss cosine_embedding_loss"""),
    ("loss", 20, """binary_cross_entropy binary_cross_entropy_backward binary_cross_entropy_with_logits cross_entropy_loss kl_div
        poisson_nll_loss soft_margin_loss soft_margin_loss_backward ctc_loss _ctc_loss _cudnn_ctc_loss _ctc_loss_backward"""),

    ("linalg", 0.34, """cholesky linalg_cholesky linalg_cholesky_ex linalg_ldl_factor linalg_ldl_factor_ex"""),
    ("linalg", 0.67, """_linalg_det linalg_det det logdet slogdet linalg_slogdet _linalg_slogdet linalg_lu linalg_lu_factor
        linalg_lu_factor_ex _lu_with_info lu_unpack linalg_solve linalg_solve_ex _linalg_solve_ex linalg_tensorsolve"""),
    ("linalg", 2, """inverse linalg_inv linalg_inv_ex linalg_tensorinv cholesky_inverse cholesky_solve _cholesky_solve_helper
        linalg_lu_solve lu_solve linalg_ldl_solve triangular_solve linalg_solve_triangular linalg_qr qr geqrf orgqr ormqr
        linalg_householder_product"""),
    ("linalg", 9, """linalg_eigh _linalg_eigh linalg_eigvalsh linalg_lstsq"""),
    ("linalg", 20, """linalg_svd _linalg_svd svd linalg_svdvals linalg_eig linalg_eigvals _linalg_eigvals linalg_pinv pinverse
        linalg_cond linalg_matrix_rank nuclear_norm matrix_exp linalg_matrix_exp matrix_exp_backward matrix_power
        linalg_matrix_power"""),
    ("linalg", 0, "_linalg_check_errors"),

    # Overloads that only look like reductions.
    ("pointwise", 1, "max.other max.out min.other min.out"),
    ("reduce", 1, """sum nansum mean nanmean prod all any amax amin aminmax _aminmax max min argmax argmin count_nonzero trace trapezoid
        trapz sum_to_size col2im unfold_backward histc histogram histogramdd _histogramdd_* hash_tensor"""),
    ("reduce", 2, """norm native_norm frobenius_norm linalg_norm linalg_vector_norm linalg_matrix_norm linalg__powsum powsum dist
        norm_except_dim"""),
    ("reduce", 4, "var var_mean std std_mean _euclidean_dist cdist _cdist_* pdist _pdist_* pairwise_distance cosine_similarity"),
    ("reduce", 10, "logsumexp special_logsumexp"),

    # Not tagged pointwise by torch though they are; and what costs more than one operation an element.
    ("pointwise", 1, """__and__ __iand__ __or__ __ior__ __xor__ __ixor__ __lshift__ __ilshift__ __rshift__ __irshift__ absolute abs
        add addcmul sub rsub subtract mul multiply neg negative maximum minimum fmax fmin clamp clamp_max clamp_min clip eq ne lt le
        gt ge greater greater_equal less less_equal not_equal isclose isfinite isinf isnan isneginf isposinf isreal lerp masked_fill
        where tril triu relu relu6 hardtanh hardtanh_backward threshold threshold_backward leaky_relu leaky_relu_backward prelu
        _prelu_kernel _prelu_kernel_backward hardshrink hardshrink_backward softshrink softshrink_backward _add_relu square complex
        logical_* heaviside native_dropout_backward _masked_scale diff gradient cross linalg_cross kron outer ger
        fake_quantize_* _fake_quantize_* copysign bitwise_* floor ceil round trunc fix frac sign sgn signbit nan_to_num rad2deg
        deg2rad conj_physical _conj_physical special_round"""),
    ("pointwise", 4, """div divide true_divide floor_divide fmod remainder reciprocal rsqrt sqrt addcdiv hypot ldexp hardsigmoid
        hardsigmoid_backward hardswish hardswish_backward sigmoid_backward tanh_backward dropout alpha_dropout feature_dropout
        feature_alpha_dropout native_dropout _fused_dropout rrelu rrelu_with_noise rrelu_with_noise_backward gcd lcm nextafter frexp"""),
    ("pointwise", 8, """exp exp2 expm1 log log2 log10 log1p special_exp2 special_expm1 special_log1p sin cos sinh cosh sinc special_sinc
        sigmoid special_expit pow float_power logit logit_backward special_logit logaddexp logaddexp2 xlogy special_xlogy
        special_xlog1py special_entr softplus softplus_backward elu elu_backward selu celu silu silu_backward glu glu_backward glu_jvp
        glu_backward_jvp log_sigmoid log_sigmoid_forward log_sigmoid_backward infinitely_differentiable_gelu_backward"""),
    ("pointwise", 16, """tanh tan asin acos atan atan2 asinh acosh atanh arcsin arccos arctan arctan2 arcsinh arccosh arctanh erf erfc
        special_erf special_erfc gelu gelu_backward mish mish_backward angle polar special_ndtr _transform_bias_rescale_qkv _thnn_fused_*"""),
    ("pointwise", 60, """erfinv lgamma digamma polygamma mvlgamma igamma igammac i0 special_* _standard_gamma_grad _dirichlet_grad"""),
]

FOREACH = "_foreach_"


def names_of(name):
    """The spellings under which a rule may name an operator: as it is, without its overload, without in-place or foreach."""
    base, _, overload = name.partition(".")
    stems = [base]
    if base.startswith(FOREACH):
        stems.append(base[len(FOREACH):])
    if base.endswith("_") and not base.endswith("__"):
        stems += [s[:-1] for s in list(stems)]
    for stem in stems:
        yield f"{stem}." + overload if overload else f"{stem}("
        if overload.endswith("_out"):
            yield f"{stem}.{overload[:-4]}"
    yield from stems


def matches(patterns, name):
    return any(fnmatch.fnmatchcase(n, p) for n in names_of(name) for p in patterns)


def kind_of(name, rules):
    for kind, ops, patterns in rules:
        if matches(patterns, name):
            return kind, ops
    return None


def overload(name):
    base, _, rest = name.removeprefix("aten::").partition(".")
    return getattr(getattr(torch.ops.aten, base), rest or "default")


def takes_only_known_types(schema):
    return not any(t in schema for t in ("Dimname", "Storage", "Stream", "QScheme"))


def main():
    excluded = EXCLUDED.split()
    rules = [(kind, ops, patterns.split()) for kind, ops, patterns in RULES]
    rows, unknown = [], []
    for full in sorted(set(torch._C._dispatch_get_all_op_names())):
        if not full.startswith("aten::"):
            continue
        name = full.removeprefix("aten::")
        op = overload(full)
        schema, tags = str(op._schema), {str(t).rsplit(".", 1)[-1] for t in op.tags}
        made_by_torch = "generated" in tags and (FOREACH in name or "out" not in name.partition(".")[2])
        if made_by_torch or not takes_only_known_types(schema):
            continue
        if matches(excluded, name):
            continue
        found = kind_of(name, rules)
        if not found:
            unknown.append(schema)
            continue
        kind, ops = found
        random = "nondeterministic_seeded" in tags and kind != "random"
        rows.append((kind + (",random" if random else ""), ops, schema))
    print("# The operators that a program may name: kind[,random], operations per element, schema as torch prints it.")
    print(f"# Drafted by scripts/draft_operators.py with torch {torch.__version__.split('+')[0]}; the rules are in that script.")
    for kind, ops, schema in rows:
        print(f"{kind} {ops:g} {schema}")
    print(f"{len(rows)} operators; {len(unknown)} without a rule:", *unknown, sep="\n  ", file=sys.stderr)


main()
