import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def argmax_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    lane = tl.arange(0, BLOCK)
    best = -float("inf")
    place = 0
    for start in range(0, n, BLOCK):
        x = tl.load(x_ptr + base + start + lane, mask=start + lane < n, other=-float("inf")).to(tl.float32)
        x = tl.minimum(x, 50.0)
        top = tl.max(x, axis=0)
        at = start + tl.argmax(x, axis=0)
        place = tl.where(top > best, at, place)
        best = tl.maximum(top, best)
    tl.store(y_ptr + tl.program_id(0), place)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=torch.int64)
        argmax_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=1024)
        return y
