import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def accumulate(total_ptr, part_ptr, weight_ptr, which, inv, n, FIRST: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    w = tl.load(weight_ptr + which) * inv
    v = tl.load(part_ptr + i, mask=m) * w
    if not FIRST:
        v += tl.load(total_ptr + i, mask=m)
    tl.store(total_ptr + i, v, mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, parts, options):
        weights = options["weights"]
        inv = 1.0 / len(parts) if options.get("normalize", False) else 1.0
        total = torch.empty_like(parts[0])
        n = total.numel()
        for i, part in enumerate(parts):
            accumulate[(triton.cdiv(n, 2048),)](total, part, weights, i, inv, n, FIRST=(i == 0), BLOCK=2048)
        return total
