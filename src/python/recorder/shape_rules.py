"""Shapes of the calls that make up nearly every module, in a microsecond: torch's own rules for them are Python and take up to
two milliseconds. A rule answers only where the answer is beyond doubt and gives None otherwise; then torch is asked
(tests/python/shape_rules_test.py holds every rule against it)."""
import torch

aten = torch.ops.aten
_META = torch.device("meta")
_empty_strided = torch.empty_strided

_UNARY = ("relu", "gelu", "silu", "tanh", "sigmoid", "exp", "log", "sqrt", "rsqrt", "abs", "neg", "erf", "sin", "cos", "mish",
          "hardswish", "hardsigmoid", "elu", "leaky_relu", "softplus", "reciprocal", "floor", "ceil", "round", "log1p",
          "expm1", "log2", "exp2", "sign", "trunc", "frac", "softshrink", "hardshrink", "threshold", "erfc", "sinh", "cosh", "atan")
_BINARY = ("add", "sub", "mul", "div", "minimum", "maximum", "clamp", "clamp_min", "clamp_max", "pow", "atan2", "fmod")


def _contiguous_strides(sizes):
    strides, step = [], 1
    for size in reversed(sizes):
        strides.append(step)
        step *= size or 1
    return strides[::-1]


def _dense(x):
    """Contiguous to the letter: torch calls other strides contiguous too where a size is 1, and keeps them."""
    return list(x.stride()) == list(_contiguous_strides(x.size()))


def contiguous(sizes, dtype):
    sizes = tuple(sizes)
    return _empty_strided(sizes, _contiguous_strides(sizes), dtype=dtype, device=_META)


def _like(x, dtype=None):
    return contiguous(x.size(), dtype or x.dtype) if _dense(x) else None


def _factory(*args, **kwargs):
    sizes = args[-1] if args and isinstance(args[-1], (list, tuple)) else args[0]
    if kwargs.get("memory_format") not in (None, torch.contiguous_format):
        return None
    return contiguous(sizes, kwargs.get("dtype") or torch.get_default_dtype())


def _random(*args, **kwargs):
    dtype = kwargs.get("dtype")
    return _factory(*args, **kwargs) if dtype is None or dtype.is_floating_point else None


def _full(sizes, value, **kwargs):
    return contiguous(sizes, kwargs["dtype"]) if kwargs.get("dtype") else None


def _clone(x, **kwargs):
    if kwargs.get("memory_format") is torch.contiguous_format:
        return contiguous(x.size(), x.dtype)
    return _like(x, kwargs.get("dtype")) if kwargs.get("memory_format") in (None, torch.preserve_format) else None


def _fits(sizes, whole):
    """Whether `sizes` broadcasts to `whole` without changing it."""
    return len(sizes) <= len(whole) and all(a == b or a == 1 for a, b in zip(reversed(sizes), reversed(whole)))


def _pointwise(*args, **kwargs):
    """Floating tensors of one type, one of which is contiguous and has the shape of the result; other arguments are numbers."""
    whole, dtype = None, None
    for a in args:
        if isinstance(a, torch.Tensor):
            if not a.dtype.is_floating_point or (dtype is not None and a.dtype != dtype):
                return None
            dtype = a.dtype
            if whole is None or a.dim() > whole.dim() or (a.dim() == whole.dim() and a.numel() > whole.numel()):
                whole = a
        elif isinstance(a, complex):
            return None
    if whole is None or not _dense(whole) or whole.numel() == 0:
        return None
    if len(args) > 1 and all(a is None for a in args[1:]):
        return None  # clamp without bounds
    sizes = whole.size()
    for a in args:
        if isinstance(a, torch.Tensor) and not (a.size() == sizes and _dense(a)) and not _lower(a, sizes):
            return None
    return contiguous(sizes, dtype)


def _lower(a, sizes):
    # A broadcast operand must not have a say in the order of dimensions: contiguous, and smaller than the whole.
    return _fits(a.size(), sizes) and _dense(a)


def _pointwise_in_place(x, *args, **kwargs):
    return x if _pointwise(x, *args) is not None and all(
        not isinstance(a, torch.Tensor) or _fits(a.size(), x.size()) for a in args) else None


def _hardtanh(x, low=-1, high=1):
    return _pointwise(x) if low <= high else None


def _hardtanh_in_place(x, low=-1, high=1):
    return x if _hardtanh(x, low, high) is not None else None


def _self(x, *args, **kwargs):
    return x


def _self_if_floating(x, *args, **kwargs):
    return x if x.dtype.is_floating_point else None


def _mm(a, b):
    if a.dim() != 2 or b.dim() != 2 or a.size(1) != b.size(0) or a.dtype != b.dtype or not a.dtype.is_floating_point:
        return None
    return contiguous((a.size(0), b.size(1)), a.dtype)


def _addmm(c, a, b, **kwargs):
    out = _mm(a, b)
    return out if out is not None and c.dtype == a.dtype and _fits(c.size(), out.size()) else None


def _bmm(a, b):
    if a.dim() != 3 or b.dim() != 3 or a.size(0) != b.size(0) or a.size(2) != b.size(1) or a.dtype != b.dtype:
        return None
    return contiguous((a.size(0), a.size(1), b.size(2)), a.dtype) if a.dtype.is_floating_point else None


def _cat(tensors, dim=0):
    first = tensors[0]
    rank = first.dim()
    if rank == 0 or not -rank <= dim < rank:
        return None
    dim %= rank
    total = 0
    for t in tensors:
        if t.dim() != rank or t.dtype != first.dtype or not _dense(t):
            return None
        if any(t.size(i) != first.size(i) for i in range(rank) if i != dim):
            return None
        total += t.size(dim)
    return contiguous((*first.size()[:dim], total, *first.size()[dim + 1:]), first.dtype)


def _layer_norm(x, shape, weight, bias, eps):
    if x.dtype != torch.float32 or not _dense(x) or x.numel() == 0 or tuple(x.size()[-len(shape):]) != tuple(shape):
        return None
    if any(t is not None and (tuple(t.size()) != tuple(shape) or t.dtype != x.dtype) for t in (weight, bias)):
        return None
    statistics = (*x.size()[:-len(shape)], *[1] * len(shape))
    return contiguous(x.size(), x.dtype), contiguous(statistics, x.dtype), contiguous(statistics, x.dtype)


def _softmax(x, dim, half_to_float):
    return None if half_to_float or not x.dtype.is_floating_point or not -x.dim() <= dim < max(x.dim(), 1) else _like(x)


def _overloads(names, suffix=""):
    """Those on tensors; torch also has some on plain numbers, and those that write to `out`."""
    for name in names:
        packet = getattr(aten, name + suffix, None)
        for overload in packet.overloads() if packet else ():
            op = getattr(packet, overload)
            if "out" not in overload and any(str(a.type) == "Tensor" for a in op._schema.arguments):
                yield op


def _check_convolution(x, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    if transposed and x.shape[1] != weight.shape[0]:
        raise RuntimeError(f"Given transposed=1, weight of size {list(weight.shape)}, expected input{list(x.shape)} to have "
                           f"{weight.shape[0]} channels, but got {x.shape[1]} channels instead")
    if not transposed:  # torch's own rule says so since 2.13
        padded = [size + 2 * pad for size, pad in zip(x.shape[-len(padding):], padding)]
        window = [step * (size - 1) + 1 for size, step in zip(weight.shape[2:], dilation)]
        if any(has < needs for has, needs in zip(padded, window)):
            raise RuntimeError(f"Calculated padded input size per channel: {padded}. Kernel size: {window}. Kernel size can't be "
                               "greater than actual input size")


# What torch's own rules leave out, although its kernels refuse it: the search for small sizes would take what cannot run.
CHECKS = {aten.convolution.default: _check_convolution}

RULES = {
    **{op: _pointwise for op in _overloads(_UNARY + _BINARY)},
    **{op: _pointwise_in_place for op in _overloads(_UNARY + _BINARY, "_")},
    aten.hardtanh.default: _hardtanh, aten.hardtanh_.default: _hardtanh_in_place,
    aten.empty.memory_format: _factory, aten.zeros.default: _factory, aten.ones.default: _factory, aten.rand.default: _random,
    aten.randn.default: _random, aten.full.default: _full,
    aten.uniform_.default: _self_if_floating, aten.normal_.default: _self_if_floating, aten.zero_.default: _self, aten.fill_.Scalar: _self,
    aten.exponential_.default: _self_if_floating, aten.bernoulli_.float: _self, aten.random_.default: _self,
    aten.clone.default: _clone, aten._to_copy.default: _clone, aten.empty_like.default: _clone,
    aten.zeros_like.default: _clone, aten.ones_like.default: _clone,
    aten.mm.default: _mm, aten.addmm.default: _addmm, aten.bmm.default: _bmm, aten.cat.default: _cat,
    aten.native_layer_norm.default: _layer_norm, aten._softmax.default: _softmax, aten._log_softmax.default: _softmax,
}
