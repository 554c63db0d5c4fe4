import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def norm_kernel(x_ptr, weight_ptr, bias_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    lane = tl.arange(0, BLOCK)
    inside = lane < n
    x = tl.load(x_ptr + base + lane, mask=inside, other=0.0)
    centred = tl.where(inside, x - tl.sum(x, axis=0) / n, 0.0)
    rstd = 1.0 / tl.sqrt(tl.sum(centred * centred, axis=0) / n + eps)
    y = centred * rstd * tl.load(weight_ptr + lane, mask=inside) + tl.load(bias_ptr + lane, mask=inside)
    tl.store(y_ptr + base + lane, y, mask=inside)


def norm(x, layer):
    y = torch.empty_like(x)
    norm_kernel[(x.shape[0],)](x, layer.weight, layer.bias, y, x.shape[1], layer.eps, BLOCK=triton.next_power_of_2(x.shape[1]))
    return y


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.block = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim))

    def forward(self, x):
        for _ in range(2):
            x = torch.relu(torch.addmm(self.block[1].bias, norm(x, self.block[0]), self.block[1].weight.t()))
        return x
