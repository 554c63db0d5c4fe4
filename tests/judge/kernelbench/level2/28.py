"""Linear layer in torch; each row is normalised, then added to and multiplied by the second input."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_norm_kernel(x_ptr, y_ptr, out_ptr, width, eps, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * width
    lanes = tl.arange(0, BLOCK)
    mean = 0.0
    squares = 0.0
    for start in range(0, width, BLOCK):
        mask = start + lanes < width
        x = tl.load(x_ptr + base + start + lanes, mask=mask, other=0.0).to(tl.float32)
        # Statistics of this block are merged with those of the blocks before: no cancellation, one pass.
        count = tl.minimum(width - start, BLOCK).to(tl.float32)
        block_mean = tl.sum(x, axis=0) / count
        centred = tl.where(mask, x - block_mean, 0.0)
        difference = block_mean - mean
        mean += difference * count / (start + count)
        squares += tl.sum(centred * centred, axis=0) + difference * difference * start * count / (start + count)
    inverse = 1.0 / tl.sqrt(squares / width + eps)
    for start in range(0, width, BLOCK):
        mask = start + lanes < width
        x = tl.load(x_ptr + base + start + lanes, mask=mask, other=0.0).to(tl.float32)
        y = tl.load(y_ptr + base + start + lanes, mask=mask, other=0.0).to(tl.float32)
        tl.store(out_ptr + base + start + lanes, ((x - mean) * inverse + y) * y, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.bmm = nn.Linear(in_features, out_features)
        self.eps = eps

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x, y = self.bmm(x).contiguous(), y.contiguous()
        rows, width = x.shape
        out = torch.empty_like(x)
        row_norm_kernel[(rows,)](x, y, out, width, self.eps, BLOCK=2048, num_warps=8)
        return out
