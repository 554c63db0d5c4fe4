"""Group norm: one program a group, which is one run of memory."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def group_norm_kernel(
    x_ptr, weight_ptr, bias_ptr, out_ptr, groups, channels_per_group, size, eps, BLOCK: tl.constexpr
):
    # A group's channels lie side by side, so a group is one run of memory.
    program = tl.program_id(0).to(tl.int64)
    first_channel = (tl.program_id(0) % groups) * channels_per_group
    length = channels_per_group * size
    base = program * length
    lanes = tl.arange(0, BLOCK)
    mean = 0.0
    squares = 0.0
    for start in range(0, length, BLOCK):
        mask = start + lanes < length
        x = tl.load(x_ptr + base + start + lanes, mask=mask, other=0.0).to(tl.float32)
        # Statistics of this block are merged with those of the blocks before: no cancellation, one pass.
        count = tl.minimum(length - start, BLOCK).to(tl.float32)
        block_mean = tl.sum(x, axis=0) / count
        centred = tl.where(mask, x - block_mean, 0.0)
        difference = block_mean - mean
        mean += difference * count / (start + count)
        squares += tl.sum(centred * centred, axis=0) + difference * difference * start * count / (start + count)
    inverse = 1.0 / tl.sqrt(squares / length + eps)
    for start in range(0, length, BLOCK):
        mask = start + lanes < length
        channel = first_channel + (start + lanes) // size
        weight = tl.load(weight_ptr + channel, mask=mask, other=0.0).to(tl.float32)
        bias = tl.load(bias_ptr + channel, mask=mask, other=0.0).to(tl.float32)
        x = tl.load(x_ptr + base + start + lanes, mask=mask, other=0.0).to(tl.float32)
        tl.store(out_ptr + base + start + lanes, (x - mean) * inverse * weight + bias, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, num_features: int, num_groups: int):
        super().__init__()
        self.gn = nn.GroupNorm(num_groups=num_groups, num_channels=num_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        out = torch.empty_like(x)
        batch, channels = x.shape[:2]
        groups = self.gn.num_groups
        group_norm_kernel[(batch * groups,)](
            x, self.gn.weight, self.gn.bias, out, groups, channels // groups, x[0, 0].numel(), self.gn.eps,
            BLOCK=4096, num_warps=8,
        )
        return out
