"""Cross entropy: a row needs its logarithm of summed exponentials and one element."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def cross_entropy_kernel(x_ptr, target_ptr, loss_ptr, classes, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    maximum = -float("inf")
    total = 0.0
    for start in range(0, classes, BLOCK):
        mask = start + lanes < classes
        x = tl.load(x_ptr + row * classes + start + lanes, mask=mask, other=-float("inf")).to(tl.float32)
        higher = tl.maximum(maximum, tl.max(x, axis=0))
        total = total * tl.exp(maximum - higher) + tl.sum(tl.exp(x - higher), axis=0)
        maximum = higher
    chosen = tl.load(x_ptr + row * classes + tl.load(target_ptr + row)).to(tl.float32)
    tl.store(loss_ptr + row, maximum + tl.log(total) - chosen)


@triton.jit
def finish_kernel(partial_ptr, out_ptr, count, divisor, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, count, BLOCK):
        total += tl.load(partial_ptr + start + lanes, mask=start + lanes < count, other=0.0)
    tl.store(out_ptr, tl.sum(total, axis=0) / divisor)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        predictions, targets = predictions.contiguous(), targets.contiguous()
        rows, classes = predictions.shape
        losses = torch.empty(rows, device=predictions.device, dtype=torch.float32)
        out = torch.empty((), device=predictions.device, dtype=predictions.dtype)
        cross_entropy_kernel[(rows,)](predictions, targets, losses, classes, BLOCK=2048, num_warps=8)
        finish_kernel[(1,)](losses, out, rows, rows, BLOCK=1024)
        return out
