import torch
import torch.nn as nn
import triton
import triton.language as tl


def zeroed(named_args):
    named_args["y_ptr"].zero_()


@triton.autotune(
    configs=[triton.Config({"BLOCK": 512}, num_warps=4, pre_hook=zeroed), triton.Config({"BLOCK": 1024}, num_warps=8)],
    key=["n"])
@triton.jit
def mse_kernel(p_ptr, t_ptr, y_ptr, n, count, BLOCK: tl.constexpr):
    total = 0.0
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        at = start + tl.arange(0, BLOCK)
        d = tl.load(p_ptr + at, mask=at < n, other=0.0) - tl.load(t_ptr + at, mask=at < n, other=0.0)
        total += tl.sum(d * d, axis=0)
    tl.atomic_add(y_ptr, total / count)


class ModelNew(nn.Module):
    def forward(self, predictions, targets):
        y = torch.empty(1, device=predictions.device, dtype=predictions.dtype)
        n = predictions.numel()
        mse_kernel[(min(512, triton.cdiv(n, 1024)),)](predictions, targets, y, n, float(n))
        return y.reshape(())
