import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sub_hardswish_pool_mish(
    x_ptr, y_ptr, sub, H, W, OH, OW, total,
    POOL: tl.constexpr, BLOCK: tl.constexpr,
):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = i < total
    ow = i % OW
    oh = (i // OW) % OH
    plane = i // (OW * OH)
    best = tl.full((BLOCK,), float("-inf"), tl.float32)
    for dy in tl.static_range(POOL):
        for dx in tl.static_range(POOL):
            at = plane.to(tl.int64) * H * W + (oh * POOL + dy) * W + ow * POOL + dx
            v = tl.load(x_ptr + at, mask=live, other=0.0) - sub
            h = v * tl.minimum(tl.maximum(v + 3.0, 0.0), 6.0) / 6.0
            best = tl.maximum(best, h)
    # mish: x * tanh(log(1 + e^x)); with u = e^x this is x * (u^2 + 2u) / (u^2 + 2u + 2)
    u = tl.exp(tl.minimum(best, 20.0))
    t = u * (u + 2.0)
    out = tl.where(best > 20.0, best, best * t / (t + 2.0))
    tl.store(y_ptr + i, out, mask=live)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, subtract_value, pool_kernel_size):
        super(ModelNew, self).__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.subtract_value = subtract_value
        self.pool = pool_kernel_size

    def forward(self, x):
        x = self.conv(x).contiguous()  # cuDNN keeps the convolution, the rest is one kernel
        n, c, h, w = x.shape
        oh, ow = h // self.pool, w // self.pool
        out = torch.empty((n, c, oh, ow), device=x.device, dtype=x.dtype)
        total = out.numel()
        grid = lambda meta: (triton.cdiv(total, meta["BLOCK"]),)
        sub_hardswish_pool_mish[grid](
            x, out, self.subtract_value, h, w, oh, ow, total, POOL=self.pool, BLOCK=512
        )
        return out
