import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def layer_norm_kernel(x_ptr, w_ptr, b_ptr, y_ptr, rows, n, eps, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    inside = lane < n
    w = tl.load(w_ptr + lane, mask=inside, other=0.0).to(tl.float32)
    b = tl.load(b_ptr + lane, mask=inside, other=0.0).to(tl.float32)
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        base = row.to(tl.int64) * n
        x = tl.load(x_ptr + base + lane, mask=inside, other=0.0).to(tl.float32)
        mean = tl.sum(x, axis=0) / n
        centred = tl.where(inside, x - mean, 0.0)
        rstd = 1.0 / tl.sqrt(tl.sum(centred * centred, axis=0) / n + eps)
        tl.store(y_ptr + base + lane, centred * rstd * w + b, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        programs = min(x.shape[0], torch.cuda.get_device_properties(x.device).multi_processor_count)
        y = torch.empty_like(x)
        layer_norm_kernel[(programs,)](x, self.norm.weight, self.norm.bias, y, x.shape[0], x.shape[1], self.norm.eps,
                                       BLOCK=triton.next_power_of_2(x.shape[1]), num_warps=8)
        return y
