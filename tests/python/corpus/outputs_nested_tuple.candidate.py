import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def norm_with_stats(x_ptr, y_ptr, mean_ptr, var_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    x = tl.load(x_ptr + row * n + c, mask=m, other=0.0)
    mean = tl.sum(x, 0) / n
    d = tl.where(m, x - mean, 0.0)
    var = tl.sum(d * d, 0) / n
    tl.store(y_ptr + row * n + c, d / tl.sqrt(var + eps), mask=m)
    tl.store(mean_ptr + row, mean)
    tl.store(var_ptr + row, var)


class ModelNew(nn.Module):
    def __init__(self, eps: float):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        rows, n = x.shape
        y = torch.empty_like(x)
        stats = x.new_empty(2, rows)
        mean, var = stats.unbind(0)
        norm_with_stats[(rows,)](x, y, mean, var, n, self.eps, BLOCK=triton.next_power_of_2(n))
        return y, [mean, var]
