import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.runtime import driver


@triton.jit
def softmax_rows(
    out, inp, in_stride, out_stride, n_rows, n_cols,
    BLOCK: tl.constexpr, num_stages: tl.constexpr,
):
    # A fixed number of programs strides over all rows.
    first = tl.program_id(0)
    step = tl.num_programs(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    for row in tl.range(first, n_rows, step, num_stages=num_stages):
        x = tl.load(inp + row * in_stride + cols, mask=mask, other=-float("inf"))
        e = tl.exp(x - tl.max(x, axis=0))
        tl.store(out + row * out_stride + cols, e / tl.sum(e, axis=0), mask=mask)


_compiled = {}


def softmax(x):
    n_rows, n_cols = x.shape
    block = triton.next_power_of_2(n_cols)
    num_warps = 8
    y = torch.empty_like(x)
    device = torch.cuda.current_device()
    properties = driver.active.utils.get_device_properties(device)
    num_sm = properties["multiprocessor_count"]
    max_regs = properties["max_num_regs"]
    smem = properties["max_shared_mem"]
    num_stages = 4 if smem > 200000 else 2
    kernel, programs = _compiled.get(block, (None, 0))
    if kernel is None:
        kernel = softmax_rows.warmup(
            y, x, x.stride(0), y.stride(0), n_rows, n_cols,
            BLOCK=block, num_stages=num_stages, num_warps=num_warps, grid=(1,),
        )
        kernel._init_handles()
        occupancy = max_regs // (max(kernel.n_regs, 1) * 32 * num_warps)
        if kernel.metadata.shared:
            occupancy = min(occupancy, smem // kernel.metadata.shared)
        programs = num_sm * max(occupancy, 1)
        _compiled[block] = (kernel, programs)
    softmax_rows[(min(programs, n_rows), 1, 1)](
        y, x, x.stride(0), y.stride(0), n_rows, n_cols,
        BLOCK=block, num_stages=num_stages, num_warps=num_warps,
    )
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return softmax(x)
