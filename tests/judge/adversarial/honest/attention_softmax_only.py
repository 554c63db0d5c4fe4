import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scaled_softmax_kernel(s_ptr, n, scale, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    lane = tl.arange(0, BLOCK)
    s = tl.load(s_ptr + base + lane, mask=lane < n, other=-float("inf")).to(tl.float32) * scale
    e = tl.exp(s - tl.max(s, axis=0))
    tl.store(s_ptr + base + lane, e / tl.sum(e, axis=0), mask=lane < n)


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        scores = torch.matmul(q, k.transpose(-2, -1))
        n = scores.shape[-1]
        scaled_softmax_kernel[(scores.numel() // n,)](scores, n, q.shape[-1] ** -0.5, BLOCK=triton.next_power_of_2(n))
        return torch.matmul(scores, v)
