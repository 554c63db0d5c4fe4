"""Instance norm: one program a plane, statistics and result in two passes."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def instance_norm_kernel(x_ptr, out_ptr, size, eps, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    mean = 0.0
    squares = 0.0
    for start in range(0, size, BLOCK):
        mask = start + lanes < size
        x = tl.load(x_ptr + plane * size + start + lanes, mask=mask, other=0.0).to(tl.float32)
        # Statistics of this block are merged with those of the blocks before: no cancellation, one pass.
        count = tl.minimum(size - start, BLOCK).to(tl.float32)
        block_mean = tl.sum(x, axis=0) / count
        centred = tl.where(mask, x - block_mean, 0.0)
        difference = block_mean - mean
        mean += difference * count / (start + count)
        squares += tl.sum(centred * centred, axis=0) + difference * difference * start * count / (start + count)
    inverse = 1.0 / tl.sqrt(squares / size + eps)
    for start in range(0, size, BLOCK):
        mask = start + lanes < size
        x = tl.load(x_ptr + plane * size + start + lanes, mask=mask, other=0.0).to(tl.float32)
        tl.store(out_ptr + plane * size + start + lanes, (x - mean) * inverse, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, num_features: int):
        super().__init__()
        self.inorm = nn.InstanceNorm2d(num_features=num_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        out = torch.empty_like(x)
        planes = x.shape[0] * x.shape[1]
        instance_norm_kernel[(planes,)](x, out, x.numel() // planes, self.inorm.eps, BLOCK=4096, num_warps=8)
        return out
