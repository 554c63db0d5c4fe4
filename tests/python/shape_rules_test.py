"""Every quick shape rule against torch's own meta kernels: where a rule answers, sizes, strides and type must be torch's.

usage: shape_rules_test.py SOURCE_FOLDER
"""
import itertools
import random
import sys

sys.path.insert(0, sys.argv[1] + "/src/python")

import torch  # noqa: E402
from recorder import composites, shape_rules  # noqa: E402

META = torch.device("meta")
SHAPES = [(), (1,), (5,), (3, 4), (1, 4), (3, 1), (2, 3, 4), (4,), (2, 1, 4), (0, 3), (2, 3, 4, 5), (3, 1, 1), (1, 1, 1, 1)]
DTYPES = [torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.bool, torch.complex64]
random.seed(7)


def tensor():
    shape = random.choice(SHAPES)
    t = torch.empty(shape, dtype=random.choices(DTYPES, [8, 2, 2, 1, 2, 1, 1])[0], device=META)
    form = random.random()
    if len(shape) >= 2 and form < 0.15:
        return t.transpose(0, -1)
    if len(shape) == 4 and form < 0.3:
        return t.to(memory_format=torch.channels_last)
    if shape and shape[0] > 1 and form < 0.35:
        return t[1:]
    if shape and shape[-1] == 1 and form < 0.45:
        return t.expand(*shape[:-1], 4)
    return t


def value(argument):
    kind = str(argument.type)
    if kind == "Tensor":
        return tensor()
    if argument.name == "rounding_mode":
        return random.choice([None, "trunc", "floor"])
    if kind.startswith("Optional[") or argument.has_default_value():
        return None if kind.startswith("Optional[") and random.random() < 0.5 else _plain(kind.replace("Optional[", "").rstrip("]"))
    return _plain(kind)


def _plain(kind):
    if kind == "Tensor":
        return tensor()
    if kind.startswith("List[Tensor"):
        return [tensor() for _ in range(random.randint(1, 3))]
    if kind.startswith("List["):
        return list(random.choice(SHAPES))
    if kind == "bool":
        return random.random() < 0.5
    if kind in ("int", "SymInt"):
        return random.randint(-2, 3)
    if kind == "str":
        return random.choice(["none", "tanh"])
    return random.choice([2, 0.5, 1.0])


def outcome(function, args, kwargs):
    try:
        result = function(*args, **kwargs)
    except Exception as error:  # torch refuses the operands; a rule then must not answer
        return error
    results = result if isinstance(result, (list, tuple)) else [result]
    return [(tuple(r.size()), tuple(r.stride()) if r.numel() > 1 else None, r.dtype) for r in results]


def check(op, rule, args, kwargs):
    ruled = rule(*args, **kwargs)
    if ruled is None:
        return 0
    got = outcome(lambda: ruled, (), {})
    expected = outcome(op, args, kwargs)
    assert got == expected, f"{op}{[a.shape if isinstance(a, torch.Tensor) else a for a in args]} {kwargs}: {got}, torch says {expected}"
    return 1


def factory_cases():
    for sizes, dtype in itertools.product(SHAPES, [None, torch.float16, torch.int64]):
        yield [list(sizes)], {"device": META, **({"dtype": dtype} if dtype else {})}


def same_shape_cases(op):
    """Operands that fit together, which random ones rarely do."""
    tensors = [a for a in op._schema.arguments if str(a.type) == "Tensor" and not a.has_default_value()]
    for shape in SHAPES:
        for other in [shape, shape[-1:], (), shape[:-1] + (1,) if shape else ()]:
            feed = iter([torch.empty(shape, device=META)] + [torch.empty(other, device=META)] * len(tensors))
            yield [next(feed) if str(a.type) == "Tensor" else value(a) for a in op._schema.arguments if not a.kwarg_only]


def refused(function, *args):
    try:
        function(*args)
    except RuntimeError:
        return True
    return False


def few():
    return random.randint(1, 3)


def norm_case():
    channels = few()
    return [(2, channels, 2), *[random.choice([None, (channels,), (few(),)]) for _ in range(2)], *[(random.choice([channels, few()]),)] * 2]


def convolution_case():
    dims = random.choice([1, 2, 3])
    sizes = lambda: tuple(few() for _ in range(dims))  # noqa: E731
    return [(1, 2, *sizes()), (3, 2, *sizes()), None], [list(sizes()), [random.randint(0, 1) for _ in range(dims)], list(sizes()), False, [0] * dims, 1]


def attention_case():
    keys = few()  # with fewer values than keys torch's own kernel reads beside them and says nothing
    return [(1, 2, few(), few()), (1, 2, keys, few()), (1, 2, keys, few())]


def check_refusals():
    """What torch's kernels refuse must be refused without values, too: else the search for small sizes takes what cannot run."""
    aten = torch.ops.aten
    real = lambda shape: None if shape is None else torch.rand(shape)  # noqa: E731
    meta = lambda shape: None if shape is None else torch.empty(shape, device=META)  # noqa: E731
    count = 0
    for _ in range(300):
        for op, ours, (shapes, rest) in [
                (aten.batch_norm.default, composites.SHAPES[aten.batch_norm.default], (norm_case(), [False, 0.1, 1e-5, False])),
                (aten.instance_norm.default, composites.SHAPES[aten.instance_norm.default], (norm_case(), [False, 0.1, 1e-5, False])),
                (aten.scaled_dot_product_attention.default, composites.SHAPES[aten.scaled_dot_product_attention.default], (attention_case(), [])),
                (aten.convolution.default, shape_rules.CHECKS[aten.convolution.default], convolution_case())]:
            truth = refused(op, *map(real, shapes), *rest)
            assert refused(ours, *map(meta, shapes), *rest) == truth, (op, shapes, rest, truth)
            count += truth
    print(f"{count} operands that do not fit are refused")


def main():
    check_refusals()
    answered = silent = 0
    for op, rule in shape_rules.RULES.items():
        before = answered
        if rule in (shape_rules._factory, shape_rules._random, shape_rules._full):
            for args, kwargs in factory_cases():
                args = args + [1.0] if rule is shape_rules._full else args
                answered += check(op, rule, args, kwargs)
        elif rule in (shape_rules._mm, shape_rules._addmm, shape_rules._bmm):
            for _ in range(300):
                m, k, n, b = (random.randint(1, 3) for _ in range(4))
                pair = [torch.empty(b, m, k, device=META), torch.empty(b, random.choice([k, k, 2]), n, device=META)]
                pair = pair if rule is shape_rules._bmm else [p[0] for p in pair]
                bias = [torch.empty(random.choice([(n,), (m, n), (1,), (m, 1), (5,)]), device=META)] if rule is shape_rules._addmm else []
                answered += check(op, rule, bias + pair, {})
        else:
            required = {a.name: value(a) for a in op._schema.arguments if a.kwarg_only and not a.has_default_value()}
            for args in same_shape_cases(op):
                answered += check(op, rule, args, required)
            for _ in range(300):
                args = [value(a) for a in op._schema.arguments if not a.kwarg_only]
                answered += check(op, rule, args, required)
        if answered == before:
            silent += 1
            print("never answers:", op)
    print(f"{len(shape_rules.RULES)} rules, {answered} answers checked, {silent} rules never answered")
    assert silent == 0, "a rule that never answers is not tested"


main()
