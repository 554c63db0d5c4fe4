import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_any_stride(
    x_ptr, y_ptr,
    xs_b, xs_s, xs_h,
    ys_b, ys_s, ys_h,
    SEQ, HEADS, BLOCK: tl.constexpr,
):
    pid = tl.program_id(0)
    b = pid // HEADS
    h = pid % HEADS
    s = tl.arange(0, BLOCK)
    keep = s < SEQ
    x = tl.load(x_ptr + b * xs_b + h * xs_h + s * xs_s, mask=keep, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    y = e / tl.sum(e, axis=0)
    tl.store(y_ptr + b * ys_b + h * ys_h + s * ys_s, y, mask=keep)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        v = x.transpose(1, 2)  # a view: no copy is made, the strides do the work
        B, S, H = v.shape
        out = torch.empty_strided(v.size(), v.stride(), dtype=v.dtype, device=v.device)
        softmax_any_stride[(B * H,)](
            v, out, *v.stride(), *out.stride(), S, H, BLOCK=triton.next_power_of_2(S), num_warps=4
        )
        return out
