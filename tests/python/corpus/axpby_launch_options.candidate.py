import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit(do_not_specialize=["n_elements", "alpha"], do_not_specialize_on_alignment=["y_ptr"])
def axpby(
    x_ptr,
    y_ptr,
    out_ptr,
    n_elements,
    alpha,
    beta=1.0,
    limit: float = 1.0,
    CLIP: tl.constexpr = True,
    BLOCK: tl.constexpr = 2048,
):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n_elements
    v = alpha * tl.load(x_ptr + i, mask=m) + beta * tl.load(y_ptr + i, mask=m)
    if CLIP:
        v = tl.minimum(tl.maximum(v, -limit), limit)
    tl.store(out_ptr + i, v, mask=m)


class ModelNew(nn.Module):
    def __init__(self, alpha: float, beta: float, limit: float):
        super().__init__()
        self.alpha, self.beta, self.limit = alpha, beta, limit

    def forward(self, x, y):
        out = torch.empty_like(x)
        # Everything by keyword, in another order than declared; CLIP and BLOCK keep their defaults.
        axpby[(triton.cdiv(x.numel(), 2048),)](
            out_ptr=out,
            y_ptr=y,
            x_ptr=x,
            limit=self.limit,
            beta=self.beta,
            alpha=self.alpha,
            n_elements=x.numel(),
            num_warps=8,
            num_stages=2,
            num_ctas=1,
        )
        return out
