"""Operators of the script's own, and parts of torch that load its compiler, which keeps books of torch's functions."""
import torch
import triton
import triton.language as tl
from torch.library import triton_op, wrap_triton

torch.use_deterministic_algorithms(True, warn_only=True)


@triton.jit
def sine(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.sin(tl.load(x_ptr + offsets, mask=offsets < n)), mask=offsets < n)


@triton_op("checked::sine", mutates_args={})
def sine_of(x: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    wrap_triton(sine)[(triton.cdiv(x.numel(), 128),)](x, out, x.numel(), BLOCK=128)
    return out


@torch.library.custom_op("checked::cosine", mutates_args=(), device_types="cuda")
def cosine_of(x: torch.Tensor) -> torch.Tensor:
    return sine_of(x + torch.pi / 2)


def twice(x):
    assert x.is_cuda
    out = torch.empty(x.shape, device="cuda")
    return out.copy_(2 * x)


library = torch.library.Library("checked", "FRAGMENT")
library.define("twice(Tensor x) -> Tensor")
library.impl("twice", twice, "CUDA")

x = torch.randn(7, 33, device="cuda")
compiled = torch.compile(lambda t: torch.ops.checked.twice(sine_of(t) * cosine_of(t)))
out = compiled(x)
assert out.is_cuda
torch.testing.assert_close(out, torch.sin(2 * x))
