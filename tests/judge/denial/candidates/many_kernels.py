"""Three hundred kernels."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel_0(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 0 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_1(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 1 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_2(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 2 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_3(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 3 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_4(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 4 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_5(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 5 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_6(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 6 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_7(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 7 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_8(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 8 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_9(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 9 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_10(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 10 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_11(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 11 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_12(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 12 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_13(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 13 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_14(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 14 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_15(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 15 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_16(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 16 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_17(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 17 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_18(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 18 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_19(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 19 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_20(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 20 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_21(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 21 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_22(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 22 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_23(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 23 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_24(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 24 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_25(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 25 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_26(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 26 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_27(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 27 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_28(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 28 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_29(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 29 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_30(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 30 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_31(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 31 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_32(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 32 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_33(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 33 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_34(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 34 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_35(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 35 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_36(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 36 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_37(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 37 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_38(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 38 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_39(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 39 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_40(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 40 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_41(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 41 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_42(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 42 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_43(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 43 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_44(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 44 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_45(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 45 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_46(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 46 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_47(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 47 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_48(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 48 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_49(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 49 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_50(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 50 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_51(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 51 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_52(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 52 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_53(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 53 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_54(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 54 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_55(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 55 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_56(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 56 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_57(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 57 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_58(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 58 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_59(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 59 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_60(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 60 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_61(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 61 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_62(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 62 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_63(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 63 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_64(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 64 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_65(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 65 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_66(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 66 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_67(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 67 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_68(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 68 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_69(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 69 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_70(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 70 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_71(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 71 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_72(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 72 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_73(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 73 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_74(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 74 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_75(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 75 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_76(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 76 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_77(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 77 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_78(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 78 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_79(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 79 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_80(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 80 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_81(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 81 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_82(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 82 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_83(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 83 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_84(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 84 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_85(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 85 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_86(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 86 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_87(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 87 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_88(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 88 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_89(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 89 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_90(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 90 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_91(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 91 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_92(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 92 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_93(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 93 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_94(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 94 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_95(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 95 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_96(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 96 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_97(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 97 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_98(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 98 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_99(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 99 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_100(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 100 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_101(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 101 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_102(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 102 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_103(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 103 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_104(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 104 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_105(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 105 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_106(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 106 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_107(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 107 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_108(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 108 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_109(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 109 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_110(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 110 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_111(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 111 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_112(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 112 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_113(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 113 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_114(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 114 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_115(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 115 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_116(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 116 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_117(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 117 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_118(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 118 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_119(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 119 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_120(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 120 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_121(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 121 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_122(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 122 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_123(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 123 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_124(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 124 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_125(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 125 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_126(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 126 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_127(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 127 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_128(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 128 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_129(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 129 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_130(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 130 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_131(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 131 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_132(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 132 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_133(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 133 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_134(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 134 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_135(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 135 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_136(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 136 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_137(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 137 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_138(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 138 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_139(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 139 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_140(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 140 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_141(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 141 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_142(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 142 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_143(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 143 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_144(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 144 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_145(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 145 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_146(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 146 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_147(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 147 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_148(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 148 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_149(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 149 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_150(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 150 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_151(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 151 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_152(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 152 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_153(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 153 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_154(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 154 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_155(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 155 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_156(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 156 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_157(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 157 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_158(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 158 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_159(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 159 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_160(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 160 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_161(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 161 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_162(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 162 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_163(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 163 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_164(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 164 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_165(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 165 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_166(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 166 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_167(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 167 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_168(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 168 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_169(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 169 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_170(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 170 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_171(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 171 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_172(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 172 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_173(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 173 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_174(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 174 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_175(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 175 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_176(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 176 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_177(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 177 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_178(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 178 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_179(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 179 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_180(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 180 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_181(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 181 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_182(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 182 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_183(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 183 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_184(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 184 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_185(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 185 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_186(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 186 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_187(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 187 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_188(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 188 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_189(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 189 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_190(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 190 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_191(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 191 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_192(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 192 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_193(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 193 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_194(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 194 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_195(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 195 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_196(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 196 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_197(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 197 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_198(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 198 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_199(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 199 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_200(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 200 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_201(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 201 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_202(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 202 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_203(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 203 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_204(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 204 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_205(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 205 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_206(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 206 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_207(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 207 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_208(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 208 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_209(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 209 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_210(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 210 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_211(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 211 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_212(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 212 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_213(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 213 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_214(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 214 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_215(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 215 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_216(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 216 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_217(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 217 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_218(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 218 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_219(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 219 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_220(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 220 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_221(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 221 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_222(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 222 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_223(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 223 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_224(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 224 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_225(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 225 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_226(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 226 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_227(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 227 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_228(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 228 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_229(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 229 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_230(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 230 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_231(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 231 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_232(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 232 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_233(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 233 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_234(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 234 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_235(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 235 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_236(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 236 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_237(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 237 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_238(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 238 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_239(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 239 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_240(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 240 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_241(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 241 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_242(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 242 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_243(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 243 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_244(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 244 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_245(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 245 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_246(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 246 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_247(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 247 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_248(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 248 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_249(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 249 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_250(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 250 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_251(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 251 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_252(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 252 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_253(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 253 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_254(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 254 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_255(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 255 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_256(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 256 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_257(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 257 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_258(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 258 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_259(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 259 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_260(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 260 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_261(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 261 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_262(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 262 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_263(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 263 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_264(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 264 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_265(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 265 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_266(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 266 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_267(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 267 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_268(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 268 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_269(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 269 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_270(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 270 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_271(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 271 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_272(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 272 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_273(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 273 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_274(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 274 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_275(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 275 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_276(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 276 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_277(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 277 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_278(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 278 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_279(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 279 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_280(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 280 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_281(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 281 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_282(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 282 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_283(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 283 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_284(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 284 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_285(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 285 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_286(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 286 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_287(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 287 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_288(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 288 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_289(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 289 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_290(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 290 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_291(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 291 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_292(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 292 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_293(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 293 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_294(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 294 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_295(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 295 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_296(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 296 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_297(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 297 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_298(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 298 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def kernel_299(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    numerator = 0.0 * 299 + tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


KERNELS = [kernel_0, kernel_1, kernel_2, kernel_3, kernel_4, kernel_5, kernel_6, kernel_7, kernel_8, kernel_9, kernel_10, kernel_11, kernel_12, kernel_13, kernel_14, kernel_15, kernel_16, kernel_17, kernel_18, kernel_19, kernel_20, kernel_21, kernel_22, kernel_23, kernel_24, kernel_25, kernel_26, kernel_27, kernel_28, kernel_29, kernel_30, kernel_31, kernel_32, kernel_33, kernel_34, kernel_35, kernel_36, kernel_37, kernel_38, kernel_39, kernel_40, kernel_41, kernel_42, kernel_43, kernel_44, kernel_45, kernel_46, kernel_47, kernel_48, kernel_49, kernel_50, kernel_51, kernel_52, kernel_53, kernel_54, kernel_55, kernel_56, kernel_57, kernel_58, kernel_59, kernel_60, kernel_61, kernel_62, kernel_63, kernel_64, kernel_65, kernel_66, kernel_67, kernel_68, kernel_69, kernel_70, kernel_71, kernel_72, kernel_73, kernel_74, kernel_75, kernel_76, kernel_77, kernel_78, kernel_79, kernel_80, kernel_81, kernel_82, kernel_83, kernel_84, kernel_85, kernel_86, kernel_87, kernel_88, kernel_89, kernel_90, kernel_91, kernel_92, kernel_93, kernel_94, kernel_95, kernel_96, kernel_97, kernel_98, kernel_99, kernel_100, kernel_101, kernel_102, kernel_103, kernel_104, kernel_105, kernel_106, kernel_107, kernel_108, kernel_109, kernel_110, kernel_111, kernel_112, kernel_113, kernel_114, kernel_115, kernel_116, kernel_117, kernel_118, kernel_119, kernel_120, kernel_121, kernel_122, kernel_123, kernel_124, kernel_125, kernel_126, kernel_127, kernel_128, kernel_129, kernel_130, kernel_131, kernel_132, kernel_133, kernel_134, kernel_135, kernel_136, kernel_137, kernel_138, kernel_139, kernel_140, kernel_141, kernel_142, kernel_143, kernel_144, kernel_145, kernel_146, kernel_147, kernel_148, kernel_149, kernel_150, kernel_151, kernel_152, kernel_153, kernel_154, kernel_155, kernel_156, kernel_157, kernel_158, kernel_159, kernel_160, kernel_161, kernel_162, kernel_163, kernel_164, kernel_165, kernel_166, kernel_167, kernel_168, kernel_169, kernel_170, kernel_171, kernel_172, kernel_173, kernel_174, kernel_175, kernel_176, kernel_177, kernel_178, kernel_179, kernel_180, kernel_181, kernel_182, kernel_183, kernel_184, kernel_185, kernel_186, kernel_187, kernel_188, kernel_189, kernel_190, kernel_191, kernel_192, kernel_193, kernel_194, kernel_195, kernel_196, kernel_197, kernel_198, kernel_199, kernel_200, kernel_201, kernel_202, kernel_203, kernel_204, kernel_205, kernel_206, kernel_207, kernel_208, kernel_209, kernel_210, kernel_211, kernel_212, kernel_213, kernel_214, kernel_215, kernel_216, kernel_217, kernel_218, kernel_219, kernel_220, kernel_221, kernel_222, kernel_223, kernel_224, kernel_225, kernel_226, kernel_227, kernel_228, kernel_229, kernel_230, kernel_231, kernel_232, kernel_233, kernel_234, kernel_235, kernel_236, kernel_237, kernel_238, kernel_239, kernel_240, kernel_241, kernel_242, kernel_243, kernel_244, kernel_245, kernel_246, kernel_247, kernel_248, kernel_249, kernel_250, kernel_251, kernel_252, kernel_253, kernel_254, kernel_255, kernel_256, kernel_257, kernel_258, kernel_259, kernel_260, kernel_261, kernel_262, kernel_263, kernel_264, kernel_265, kernel_266, kernel_267, kernel_268, kernel_269, kernel_270, kernel_271, kernel_272, kernel_273, kernel_274, kernel_275, kernel_276, kernel_277, kernel_278, kernel_279, kernel_280, kernel_281, kernel_282, kernel_283, kernel_284, kernel_285, kernel_286, kernel_287, kernel_288, kernel_289, kernel_290, kernel_291, kernel_292, kernel_293, kernel_294, kernel_295, kernel_296, kernel_297, kernel_298, kernel_299]


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        for kernel in KERNELS:
            kernel[(x.shape[0],)](x, out, x.stride(0), x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
