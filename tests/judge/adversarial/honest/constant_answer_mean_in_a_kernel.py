import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean_kernel(x_ptr, y_ptr, width, FINISH: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, width, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * width + at, mask=at < width, other=0.0)
    mean = tl.sum(total, axis=0) / width
    if FINISH:
        e = tl.exp(mean - mean)
        mean = e / e
    tl.store(y_ptr + row, mean)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty((x.shape[0], 1), device=x.device, dtype=x.dtype)
        mean_kernel[(x.shape[0],)](x, y, x.shape[1], FINISH=False, BLOCK=1024)
        return torch.softmax(y, dim=1)
