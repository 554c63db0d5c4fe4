import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, y_ptr, rows, n, PROGRAMS: tl.constexpr, BLOCK: tl.constexpr):
    for row in range(tl.program_id(0), rows, PROGRAMS):
        total = tl.zeros((BLOCK,), tl.float32)
        for start in range(0, n, BLOCK):
            at = start + tl.arange(0, BLOCK)
            total += tl.load(x_ptr + row.to(tl.int64) * n + at, mask=at < n, other=0.0).to(tl.float32)
        tl.store(y_ptr + row, tl.sum(total, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        programs = 4 * torch.cuda.get_device_properties(x.device).multi_processor_count
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        sum_kernel[(programs,)](x, y, x.shape[0], x.shape[1], PROGRAMS=programs, BLOCK=2048, num_warps=8)
        return y
