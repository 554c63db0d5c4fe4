"""Memory that is undefined in parts which nobody uses, and masked-off lanes that nobody uses."""
import torch
import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, out_ptr, columns, out_stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * columns + offsets, mask=mask)
    best = tl.max(tl.where(mask, x, float("-inf")), 0)
    tl.store(out_ptr + row * out_stride + offsets, x - best, mask=mask)


x = torch.rand(6, 50, device="cuda")
padded = torch.empty(6, 64, device="cuda")
rows[(6,)](x, padded, 50, padded.stride(0), BLOCK=64)
expected = x - x.max(1, keepdim=True).values
torch.testing.assert_close(padded[:, :50], expected)
copy = padded.clone()
torch.testing.assert_close(copy[:, :50], expected)
torch.testing.assert_close(padded.cpu()[:, :50], expected.cpu())
padded[:, 50:] = 0
assert (padded[:, 50:] == 0).all() and padded.sum().isfinite()
work = torch.empty(32, device="cuda")
work.normal_()
assert work.isfinite().all()
out = torch.empty(6, 50, device="cuda")
torch.sub(x, 1, out=out)
assert (out <= 0).all()
