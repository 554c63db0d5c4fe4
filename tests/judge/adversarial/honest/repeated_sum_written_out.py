import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sum_and_repeat(x_ptr, y_ptr, columns, times, BLOCK: tl.constexpr, TIMES: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0)
    total = tl.sum(x, axis=0)
    to = tl.arange(0, TIMES)
    tl.store(y_ptr + row * times + to, total + tl.zeros([TIMES], tl.float32), mask=to < times)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty((x.shape[0], 64), dtype=x.dtype, device=x.device)
        sum_and_repeat[(x.shape[0],)](x, y, x.shape[1], 64, BLOCK=triton.next_power_of_2(x.shape[1]), TIMES=64)
        return y
