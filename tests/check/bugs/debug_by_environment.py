"""TRITON_DEBUG turns the kernel's own asserts on, set by the script before it imports Triton."""
import os

os.environ["TRITON_DEBUG"] = "1"
import torch
import triton
import triton.language as tl


@triton.jit
def root(x_ptr, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK % 32 == 0, "whole warps")
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    tl.device_assert(x >= 0, "a root of a negative number")  # expect: assert
    tl.store(x_ptr + tl.arange(0, BLOCK), tl.sqrt(tl.abs(x)))


root[(1,)](torch.randn(64, device="cuda"), BLOCK=64)
try:
    root[(1,)](torch.rand(64, device="cuda"), BLOCK=16)
except triton.CompilationError as error:
    assert "whole warps" in str(error), "an error that the script expects is no finding"
else:
    raise RuntimeError("it was compiled")
