"""Operators recorded as one call although torch would split them for the CPU, and shapes that meta kernels do not know.

The target GPU has its own way with them (cuDNN, flash attention), so splitting is left to the runner. They are caught at the
autograd key, above the point where torch decomposes them; when gradients are needed they decompose as usual."""
import torch

aten = torch.ops.aten
_ZEROS_LIMIT = 1 << 24  # elements that may really be allocated to learn a shape


def _hidden(hx):
    return [hx] if isinstance(hx, torch.Tensor) else hx


def _recurrent(x, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first):
    hidden = _hidden(hx)
    # with projections h is narrower than c, and the output is as wide as h
    sizes = (*x.shape[:-1], hidden[0].size(-1) * (2 if bidirectional else 1))
    out = x.new_empty((sizes[1], sizes[0], sizes[2])).transpose(0, 1) if batch_first and len(sizes) == 3 else x.new_empty(sizes)
    return (out, *[torch.empty_like(h) for h in hidden])


def _recurrent_packed(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional):
    hidden = _hidden(hx)
    out = data.new_empty((data.size(0), hidden[0].size(-1) * (2 if bidirectional else 1)))
    return (out, *[torch.empty_like(h) for h in hidden])


def _attention(q, k, v, *rest, **options):
    """The fused kernels write [batch, length, heads, width] and show it transposed."""
    if q.size(-1) != k.size(-1) or k.size(-2) != v.size(-2):
        raise RuntimeError(f"queries {list(q.shape)}, keys {list(k.shape)} and values {list(v.shape)} do not fit together")
    sizes = (*q.shape[:-1], v.size(-1))
    if len(sizes) != 4:
        return q.new_empty(sizes)
    return q.new_empty((sizes[0], sizes[2], sizes[1], sizes[3])).transpose(1, 2)


def _like_first(x, *rest, **options):
    return torch.empty_like(x)


_STATISTICS = ("weight", "bias", "running_mean", "running_var")


def _normalised(x, *given, **options):
    """The kernels refuse other numbers of channels; the search for small sizes would take what cannot run."""
    channels = x.size(1)
    for name, tensor in zip(_STATISTICS, given):
        if isinstance(tensor, torch.Tensor) and tensor.numel() != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {tensor.numel()}")
    return torch.empty_like(x)


def _lstm_cell(x, hx, *rest, **options):
    return torch.empty_like(hx[0]), torch.empty_like(hx[1])


def _cell(x, hx, *rest, **options):
    return torch.empty_like(hx)


SHAPES = {
    aten.lstm.input: _recurrent, aten.lstm.data: _recurrent_packed,
    aten.gru.input: _recurrent, aten.gru.data: _recurrent_packed,
    aten.rnn_tanh.input: _recurrent, aten.rnn_tanh.data: _recurrent_packed,
    aten.rnn_relu.input: _recurrent, aten.rnn_relu.data: _recurrent_packed,
    aten.lstm_cell.default: _lstm_cell, aten.gru_cell.default: _cell,
    aten.rnn_tanh_cell.default: _cell, aten.rnn_relu_cell.default: _cell,
    aten.scaled_dot_product_attention.default: _attention,
    aten.batch_norm.default: _normalised, aten.instance_norm.default: _normalised,
    aten.dropout.default: _like_first, aten.alpha_dropout.default: _like_first,
    aten.feature_dropout.default: _like_first, aten.feature_alpha_dropout.default: _like_first,
}
_DROPOUTS = {aten.dropout.default, aten.alpha_dropout.default, aten.feature_dropout.default, aten.feature_alpha_dropout.default}


def _needs_grad(args):
    return any(a.requires_grad if isinstance(a, torch.Tensor) else isinstance(a, (list, tuple)) and _needs_grad(a) for a in args)


def _keep_whole(op):
    def kernel(*args, **kwargs):
        idle = op in _DROPOUTS and (args[1] == 0 or not args[2])  # torch returns the input itself
        if idle or (torch.is_grad_enabled() and _needs_grad(args)):
            return op.decompose(*args, **kwargs)
        with torch._C._AutoDispatchBelowAutograd():
            return op(*args, **kwargs)
    return kernel


def install():
    """Once per process. The library object must stay alive: its end takes the kernels back."""
    library = torch.library.Library("aten", "IMPL")
    for op in SHAPES:
        library.impl(op, _keep_whole(op), "AutogradMeta")
    return library


def shape_by_zeros(func, args, kwargs):
    """The few operators without a meta kernel: run on zeros, if those are small, and keep the shapes."""
    budget = _ZEROS_LIMIT

    def real(v):
        nonlocal budget
        if isinstance(v, torch.Tensor):
            budget -= v.numel()
            if budget < 0:
                raise NotImplementedError(f"{func} has no shape rule, and its operands are too large to try it on zeros")
            return torch.zeros(v.shape, dtype=v.dtype)
        return [real(x) for x in v] if isinstance(v, (list, tuple)) else v

    def shape(v):
        if isinstance(v, torch.Tensor):
            return torch.empty_strided(v.size(), v.stride(), dtype=v.dtype, device="meta")
        return type(v)(shape(x) for x in v) if isinstance(v, (list, tuple)) else v

    kwargs = {k: torch.device("cpu") if isinstance(v, torch.device) else real(v) for k, v in kwargs.items()}
    return shape(func(*[real(a) for a in args], **kwargs))
