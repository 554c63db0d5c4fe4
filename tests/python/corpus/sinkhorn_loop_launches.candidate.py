import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def exp_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.exp(tl.load(x_ptr + i, mask=i < n)), mask=i < n)


@triton.jit
def normalize_lines(p_ptr, outer, inner_count, stride_line, stride_item, length, BLOCK: tl.constexpr):
    """Divides every line by its sum, in place; a line is a row or a column, by its strides."""
    matrix = tl.program_id(0) // inner_count
    line = tl.program_id(0) % inner_count
    k = tl.arange(0, BLOCK)
    at = p_ptr + matrix * outer + line * stride_line + k * stride_item
    v = tl.load(at, mask=k < length, other=0.0)
    tl.store(at, v / tl.sum(v, axis=0), mask=k < length)


class ModelNew(nn.Module):
    def __init__(self, steps=3):
        super().__init__()
        self.steps = steps

    def forward(self, scores):
        p = torch.empty_like(scores, memory_format=torch.contiguous_format)
        n = p.numel()
        exp_kernel[(triton.cdiv(n, 256),)](scores.contiguous(), p, n, BLOCK=256)
        rows, cols = p.shape[-2], p.shape[-1]
        matrices = n // (rows * cols)
        for _ in range(self.steps):
            normalize_lines[(matrices * rows,)](p, rows * cols, rows, cols, 1, cols,
                                                BLOCK=triton.next_power_of_2(cols))
            normalize_lines[(matrices * cols,)](p, rows * cols, cols, 1, cols, rows,
                                                BLOCK=triton.next_power_of_2(rows))
        return p
