#!/usr/bin/env python3
"""Holds src/program/operators/*.txt (its README.md says what the lines mean) against the torch at hand.

usage: check_operator_table.py [FOLDER]          exit code 77: no torch, skipped
       check_operator_table.py --draft NAME…     schema lines of these operators of ATen, for a block of the table

- Schemas are torch's, defaults aside; every operator of ATen is in the table or left out on purpose (LEFT_OUT).
- Every function, method and class that torch offers is spelt by some operator, but a few; classes exist.
- Constructors of layers have the parameters and defaults that torch declares.
- The recorder's fast shape rules for pointwise operators are those of pointwise operators.
Torch 2.11 to 2.13 differ in a few operators: those are listed, and a few are allowed unless this is the version of the table.
"""
import fnmatch
import importlib.util
import inspect
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = 77
MOST_UNKNOWN, MOST_CHANGED, MOST_MISSING = 60, 30, 5
KEYS = set("""spelt counted label unspelt layer call called group rows type recipe channels row_values exact computes drawn""".split())

# Operators of ATen that the table leaves out: not for dense strided tensors of one program, or not safe, or not computing. Patterns over
# "name" and "name.overload".
LEFT_OUT = """
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
""".split()
# Left out with a reason that the names do not give:
#   _conj, _neg_view and their kin: they set a bit of the tensor that a view of a storage cannot show. The recorder records
#     conj_physical and neg instead.
#   item, equal, allclose, …: answers to Python, which are Questions of a program, not calls.
#   functional and foreach out= forms made by torch's code generator (tag "generated"): no Python function reaches them.

# No operators: containers (followed by the evaluator itself), abstract bases, parameters, helpers of torch's own code, names of
# dimensions.
NO_OPERATORS = set("""
Module Sequential ModuleList ModuleDict ParameterList ParameterDict Container Parameter Buffer UninitializedParameter
UninitializedBuffer TransformerEncoder TransformerDecoder LinearCrossEntropyOptions
Optional assert_int_or_pair boolean_dispatch handle_torch_function has_torch_function has_torch_function_unary
has_torch_function_variadic
as_subclass module_load new reinforce const_data_ptr is_distributed q_per_channel_axis q_per_channel_scales
q_per_channel_zero_points q_scale q_zero_point qscheme register_post_accumulate_grad_hook storage_type dim_order
align_as align_to has_names refine_names rename rename_
ccol_indices col_indices crow_indices row_indices indices values slice_inverse hash_tensor
""".split())

# Constructors that are described by what the layer keeps, not by what torch declares.
OTHER_CONSTRUCTORS = {"ReLU6", "PairwiseDistance", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d", "UpsamplingNearest2d", "UpsamplingBilinear2d",
                      "LSTM", "GRU", "RNN"}


class Block:
    def __init__(self, header):
        self.name, kind, *cost = header.split()
        self.kind, self.cost = kind.partition(",")[0], cost
        self.lines, self.schemas = [], []  # (key, text); (kind, schema)

    def texts(self, key):
        return [text for k, text in self.lines if k == key]


def split_schema(schema):
    """Name, overload, arguments, results."""
    name, overload, arguments, results = re.fullmatch(r"(aten::\w+)(?:\.(\w+))?\((.*)\) -> (.*)", schema).groups()
    return name, overload or "", arguments.split(", ") if arguments else [], results.strip("()").split(", ") if results[0] == "(" else [results]


def joined_schema(name, overload, arguments, results):
    return f"{name}{overload and '.' + overload}({', '.join(arguments)}) -> " + (results[0] if len(results) == 1 else f"({', '.join(results)})")


def written(type_, letter):
    return re.sub(r"Tensor(\(a\))?", f"Tensor({letter}!)", type_)


def in_place(schema, other=None):
    name, overload, arguments, results = split_schema(schema)
    arguments[0] = written(arguments[0], "a")
    results = [] if results[0].endswith("[]") else [written(results[0], "a")]
    return joined_schema(name + "_", overload if other is None else other, arguments, results)


def with_out(schema, overload, names):
    name, _, arguments, results = split_schema(schema)
    if any(argument.startswith("Layout? layout") for argument in arguments):
        arguments = [a for a in arguments if not re.search(r" (dtype|layout|device|pin_memory)=", a)]
        arguments = arguments[:-1] if arguments[-1:] == ["*"] else arguments
    types, called = zip(*(result.partition(" ")[::2] for result in results))
    if not names:
        names = [word or f"out{i}" for i, word in enumerate(called)]
        if len(results) == 1:
            names = ["grad_input" if overload.endswith("grad_input") else "out"]
    types = [written(type_, letter) for type_, letter in zip(types, "abcdefgh")]
    arguments += ([] if "*" in arguments else ["*"]) + [f"{type_} {word}" for type_, word in zip(types, names, strict=True)]
    given = types if len(types) == 1 else [f"{type_} {word}".strip() for type_, word in zip(types, called)]
    return joined_schema(name, overload, arguments, [] if all(type_.endswith("[]") for type_ in types) else given)


def spelled_out(line):
    """All schemas of a line: every word of its braces, and the forms behind its bar. src/program/schema_forms.cpp does the same."""
    rows = [line]
    for braces in dict.fromkeys(re.findall(r"\{[^}]*\}", line)):
        rows = [row.replace(braces, word) for row in rows for word in braces[1:-1].split(",")]
    for schema, _, forms in (row.partition(" | ") for row in rows):
        yield schema
        for form in forms.split():
            if form == "foreach":
                each = schema.replace("aten::", "aten::_foreach_").replace("Tensor", "Tensor[]")
                yield from (each, in_place(each))
            elif form == "_" or form.startswith("_."):
                yield in_place(schema, form[2:] if form != "_" else None)
            else:
                overload, _, names = form.partition("=")
                yield with_out(schema, overload, names.split(",") if names else None)


def read_table(folder):
    shared, blocks = {}, []
    for path in sorted(folder.glob("*.txt"), key=lambda path: (path.name != "shared.txt", path.name)):
        for row in path.read_text(encoding="utf-8").splitlines():
            if not row or row.startswith("#"):
                continue
            if row.startswith("let "):
                _, name, text = row.split(" ", 2)
                shared[name] = text
            elif not row.startswith("  "):
                blocks.append(Block(row))
            elif "aten::" in row:
                words, _, schemas = row.partition("aten::")
                kinds = [w for w in words.split() if w.isidentifier() and w != "random"]
                blocks[-1].schemas += [(kinds[0] if kinds else blocks[-1].kind, schema) for schema in spelled_out("aten::" + schemas)]
            else:
                key, _, text = row.strip().partition(" ")
                blocks[-1].lines.append((key, re.sub(r"\$([a-z_]+)", lambda m: shared[m[1]], text)))
    return blocks


def without_defaults(schema):
    schema = re.sub(r'="[^"]*"', "", schema)
    schema = re.sub(r"=\[[^\]]*\]", "", schema)
    return re.sub(r"=[^,)]+", "", schema)


def overload(torch, full):
    base, _, rest = full.removeprefix("aten::").partition(".")
    return getattr(getattr(torch.ops.aten, base, None), rest or "default", None)


def is_left_out(full):
    """Whether a pattern names it: as it is, without its overload, without in-place or foreach."""
    base, _, rest = full.removeprefix("aten::").partition(".")
    stems = [base, base.removeprefix("_foreach_")]
    stems += [s[:-1] for s in stems if s.endswith("_") and not s.endswith("__")]
    names = stems + [f"{s}.{rest}" for s in stems if rest]
    return any(fnmatch.fnmatchcase(n, p) for n in names for p in LEFT_OUT)


def offered_operators(torch):
    """Schemas of ATen that Python can reach and that take types which programs have."""
    for full in sorted(set(torch._C._dispatch_get_all_op_names())):
        op = overload(torch, full) if full.startswith("aten::") else None
        if op is None:
            continue
        tags = {str(tag).rsplit(".", 1)[-1] for tag in op.tags}
        made_by_torch = "generated" in tags and ("_foreach_" in full or "out" not in full.partition(".")[2])
        if not made_by_torch and not any(t in str(op._schema) for t in ("Dimname", "Storage", "Stream", "QScheme")):
            yield full, op, "nondeterministic_seeded" in tags


def check_schemas(torch, blocks, exact):
    rows = [schema for block in blocks for _, schema in block.schemas]
    names = [schema.partition("(")[0] for schema in rows]
    unknown, changed = [], []
    for name, schema in zip(names, rows):
        op = overload(torch, name)
        if op is None:
            unknown.append(schema)
        elif without_defaults(str(op._schema)) != without_defaults(schema):
            changed.append(f"{schema}\n    torch: {op._schema}")
    known = set(names)
    undecided = [str(op._schema) for full, op, _ in offered_operators(torch) if full not in known and not is_left_out(full)]
    twice = sorted({name for name in names if names.count(name) > 1}) if len(known) != len(names) else []
    print(f"torch {torch.__version__}: {len(rows)} schemas, {len(unknown)} unknown, {len(changed)} changed, "
          f"{len(undecided)} of torch neither in the table nor left out")
    print(*unknown, *changed, *undecided, *twice, sep="\n")
    if exact:
        return not (unknown or changed or undecided or twice)
    return len(unknown) <= MOST_UNKNOWN and len(changed) <= MOST_CHANGED and not twice


def check_spellings(torch, blocks):
    functions, methods, layers = set(), set(), set()
    for block in blocks:
        functions.add(block.name)
        layers |= {text.partition("(")[0] for text in block.texts("layer")}
        for word in " ".join(block.texts("spelt") + block.texts("counted")).split():
            if word.startswith("."):
                methods.add(word[1:])
            elif "." not in word:
                functions.add(word)
    methods |= functions
    public = lambda owner, wanted: {n for n in dir(owner) if not n.startswith("_") and wanted(getattr(owner, n))}
    plain = lambda thing: callable(thing) and not inspect.isclass(thing)
    in_place = lambda names: {n for n in names if not (n.endswith("_") and n[:-1] in methods)}
    nn = torch.nn
    offered = {
        "torch.nn": ({n for n in public(nn, inspect.isclass) if not n.startswith("Lazy")}, layers),
        "torch.nn.functional": (in_place(public(nn.functional, plain)), functions),
        "torch.linalg": (public(torch.linalg, plain), functions | {"cond"}),
        "torch.fft": (public(torch.fft, plain), functions),
        "torch.special": (public(torch.special, plain), functions),
        "torch.Tensor": (in_place(public(torch.Tensor, callable)), methods),
    }
    missing = 0
    for owner, (names, known) in offered.items():
        lacking = sorted(names - known - NO_OPERATORS)
        print(f"{owner}: {len(names)} names, {len(lacking)} not in the table", *lacking)
        missing += len(lacking)
    # And the other way round: a class that torch.nn does not have is a slip of the pen.
    unreal = sorted(n for n in layers if not hasattr(nn, n) and "Dynamically" not in n)
    print("classes that torch.nn does not have:", *unreal)
    return missing <= MOST_MISSING and len(unreal) <= MOST_MISSING


def check_constructors(torch, blocks):
    described, wrong = 0, []
    for text in (text for block in blocks for text in block.texts("layer") if "(" in text):
        name, _, rest = text.partition("(")
        layer = getattr(torch.nn, name, None)
        if layer is None or name in OTHER_CONSTRUCTORS:
            continue
        ours = list(inspect.signature(eval(f"lambda {rest.rpartition(')')[0]}: 0")).parameters.values())
        theirs = [p for p in inspect.signature(layer).parameters.values() if p.name not in ("device", "dtype")]
        described += 1
        for mine, torchs in zip(ours, theirs):
            same = mine.name == torchs.name and (mine.default == torchs.default or mine.kind == mine.KEYWORD_ONLY)
            if not same:
                wrong.append(f"{name}: {mine} in the table, {torchs} in torch")
        if len(ours) > len(theirs):
            wrong.append(f"{name}: more parameters than torch has")
    print(f"constructors: {described} compared, {len(wrong)} differ", *wrong, sep="\n")
    return not wrong


def check_shape_rules(blocks):
    spec = importlib.util.spec_from_file_location("shape_rules", ROOT / "src/python/recorder/shape_rules.py")
    rules = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rules)
    kinds = {schema.partition("(")[0]: kind for block in blocks for kind, schema in block.schemas}
    quick = [op for op, rule in rules.RULES.items() if rule in (rules._pointwise, rules._pointwise_in_place)]
    wrong = [op._schema.name for op in quick if kinds.get(str(op).replace("aten.", "aten::").removesuffix(".default")) != "pointwise"]
    print(f"shape rules: {len(quick)} of pointwise operators, {len(wrong)} of others", *wrong)
    return not wrong


def draft(torch, names):
    for full, op, draws in offered_operators(torch):
        base = full.removeprefix("aten::").partition(".")[0]
        if any(stem in names for stem in (base, base.removesuffix("_"), base.removeprefix("_foreach_"))):
            print("  " + ("random " if draws else "") + str(op._schema))


def main():
    other = os.environ.get("TRITONRL_PYTHON")
    if other and other != sys.executable:
        os.execve(other, [other, *sys.argv], {k: v for k, v in os.environ.items() if k != "TRITONRL_PYTHON"})
    try:
        import torch
    except ImportError:
        print("no torch in", sys.executable)
        sys.exit(SKIPPED)
    if sys.argv[1:2] == ["--draft"]:
        return draft(torch, set(sys.argv[2:]))
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "src/program/operators"
    blocks = read_table(folder)
    drafted_with = re.search(r"torch (\d+\.\d+)", (folder / "shared.txt").read_text(encoding="utf-8")).group(1)
    unknown_keys = sorted({key for block in blocks for key, _ in block.lines} - KEYS)
    print(f"{len(blocks)} operators; unknown keys:", *unknown_keys)
    right = [not unknown_keys, check_schemas(torch, blocks, torch.__version__.startswith(drafted_with + ".")),
             check_spellings(torch, blocks), check_constructors(torch, blocks), check_shape_rules(blocks)]
    sys.exit(0 if all(right) else 1)


main()
