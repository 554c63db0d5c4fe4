import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gate_kernel(x_ptr, gate_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    gate = tl.load(gate_ptr + at, mask=at < n).to(tl.float32)
    tl.store(gate_ptr + at, x / (1.0 + tl.exp(-gate)), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x, gate):
        out = gate.clone()
        gate_kernel[(triton.cdiv(x.numel(), 1024),)](x.contiguous(), out, x.numel(), BLOCK=1024)
        return out
