import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, segment_ptr, y_ptr, width, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    segment = tl.load(segment_ptr + row)
    at = tl.arange(0, BLOCK)
    x = tl.maximum(tl.load(x_ptr + row * width + at, mask=at < width, other=0.0), 0.0)
    tl.atomic_add(y_ptr + segment * width + at, x, mask=at < width)


class ModelNew(nn.Module):
    def __init__(self, segments):
        super().__init__()
        self.segments = segments

    def forward(self, x, segment):
        x = x.contiguous()
        y = torch.zeros((self.segments, x.shape[1]), device=x.device, dtype=x.dtype)
        add_kernel[(x.shape[0],)](x, segment, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
