"""Compiles once in the zygote, so that every child finds Triton imported, its tables filled and its pages mapped."""
import triton
import triton.language as tl
from triton import knobs
from triton.language.extra import libdevice

from . import stages


@triton.jit
def _relu_sum(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    total = tl.sum(x, 0)
    for i in range(0, n):
        total += libdevice.tanh(total) * i
    tl.store(y_ptr + offsets, tl.maximum(x, 0.0) + total, mask=mask)


class _Module:
    __name__ = __name__
    kernel = _relu_sum


def up():
    arguments = [{"name": "x_ptr", "type": "*fp32", "aligned": True}, {"name": "y_ptr", "type": "*fp32", "aligned": True},
                 {"name": "n", "type": "i32"}, {"name": "BLOCK", "type": "constexpr", "value": 64}]
    stages.compile_kernel(_Module, {"kernel": "kernel", "arguments": arguments, "options": {}, "machine_code": False,
                                    "capability": 90})
    try:
        knobs.nvidia.ptxas.version  # asks the assembler once
    except Exception:  # there is none: a request for machine code will say so
        pass
