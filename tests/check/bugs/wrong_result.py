"""Nothing is wrong with memory; the result is."""
import torch
import triton
import triton.language as tl


@triton.jit
def gelu(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, x * tl.sigmoid(1.5 * x), mask=offsets < n)


x = torch.randn(200, device="cuda")
out = torch.empty_like(x)
gelu[(2,)](x, out, 200, BLOCK=128)
torch.testing.assert_close(out, torch.nn.functional.gelu(x))  # expect: failed_assert
