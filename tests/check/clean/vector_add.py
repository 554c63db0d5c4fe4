import torch
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


device = triton.runtime.driver.active.get_active_torch_device()
x = torch.rand(1000, device=device)
y = torch.rand(1000, device=device)
out = torch.empty_like(x)
assert out.device == device and out.is_cuda
add[(triton.cdiv(1000, 256),)](x, y, out, 1000, BLOCK=256)
torch.testing.assert_close(out, x + y)
