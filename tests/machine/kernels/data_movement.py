"""Elements change places, never values."""
import numpy as np
import triton
import triton.language as tl

from .case import case


@triton.jit
def transpose_tiles(x_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.program_id(1) * C + tl.arange(0, C)
    tile = tl.load(x_ptr + r[:, None] * cols + c[None, :], mask=(r[:, None] < rows) & (c[None, :] < cols))
    tl.store(out_ptr + c[:, None] * rows + r[None, :], tl.trans(tile), mask=(c[:, None] < cols) & (r[None, :] < rows))


for _dtype in ("float32", "int8", "int64"):
    @case(f"data_movement/transpose_{_dtype}")
    def transpose_case(make, dtype=_dtype):
        x = make.normal(30, 41) if dtype == "float32" else make.bits(30, 41, dtype=dtype)
        out = make.output(41, 30, dtype=dtype)
        make.launch(transpose_tiles, (2, 3), x, out, 30, 41, R=16, C=16)
        make.expect(out, x.values.T, "exact")


@triton.jit
def permute_axes(x_ptr, out_ptr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a, b, c = tl.arange(0, A), tl.arange(0, B), tl.arange(0, C)
    x = tl.load(x_ptr + a[:, None, None] * (B * C) + b[None, :, None] * C + c[None, None, :])
    y = tl.permute(x, (2, 0, 1))
    tl.store(out_ptr + c[:, None, None] * (A * B) + a[None, :, None] * B + b[None, None, :], y)


@case("data_movement/permute_of_three_axes")
def permute_case(make):
    x, out = make.normal(4, 8, 16), make.output(16, 4, 8)
    make.launch(permute_axes, 1, x, out, A=4, B=8, C=16)
    make.expect(out, x.values.transpose(2, 0, 1), "exact")


@triton.jit
def reshape_and_reduce(x_ptr, out_ptr, N: tl.constexpr, GROUP: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, N))
    tl.store(out_ptr + tl.arange(0, N // GROUP), tl.sum(tl.reshape(x, (N // GROUP, GROUP)), 1))


@case("data_movement/reshape_to_groups")
def reshape_case(make):
    x, out = make.normal(128), make.output(16)
    make.launch(reshape_and_reduce, 1, x, out, N=128, GROUP=8)
    make.expect(out, x.values.reshape(16, 8).astype(np.float64).sum(1))


@triton.jit
def join_and_split(x_ptr, y_ptr, pairs_ptr, difference_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    pairs = tl.join(tl.load(x_ptr + i), tl.load(y_ptr + i))
    tl.store(pairs_ptr + i[:, None] * 2 + tl.arange(0, 2)[None, :], pairs)
    left, right = tl.split(pairs)
    tl.store(difference_ptr + i, left - right)


@case("data_movement/join_and_split")
def join_case(make):
    x, y, pairs, difference = make.normal(64), make.normal(64), make.output(64, 2), make.output(64)
    make.launch(join_and_split, 1, x, y, pairs, difference, N=64)
    make.expect(pairs, np.stack([x.values, y.values], 1), "exact")
    make.expect(difference, x.values - y.values)


@triton.jit
def interleave_two(x_ptr, y_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    z = tl.interleave(tl.load(x_ptr + at), tl.load(y_ptr + at))
    tl.store(out_ptr + tl.arange(0, R)[:, None] * (2 * C) + tl.arange(0, 2 * C)[None, :], z)


@case("data_movement/interleave")
def interleave_case(make):
    x, y, out = make.bits(4, 16), make.bits(4, 16), make.output(4, 32, dtype="int32")
    make.launch(interleave_two, 1, x, y, out, R=4, C=16)
    make.expect(out, np.stack([x.values, y.values], -1).reshape(4, 32))


@triton.jit
def unpack_nibbles(packed_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    b = tl.load(packed_ptr + i, mask=i < n, other=0)
    both = tl.interleave(b & 0xF, b >> 4)
    o = tl.program_id(0) * 2 * BLOCK + tl.arange(0, 2 * BLOCK)
    tl.store(out_ptr + o, both, mask=o < 2 * n)


@case("data_movement/unpack_nibbles_uint8")
def nibbles_case(make):
    packed, out = make.bits(100, dtype="uint8"), make.output(200, dtype="uint8")
    make.launch(unpack_nibbles, 2, packed, out, 100, BLOCK=64)
    make.expect(out, np.stack([packed.values & 15, packed.values >> 4], 1).reshape(-1))


@triton.jit
def concatenate_blocks(x_ptr, y_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    both = tl.cat(tl.load(x_ptr + i), tl.load(y_ptr + i), can_reorder=True)
    tl.store(out_ptr, tl.sum(both, 0))
    tl.store(out_ptr + 1, tl.max(both, 0))


@case("data_movement/cat_reordering_then_reduce")
def cat_case(make):
    x, y, out = make.integers(64, low=-99, high=99), make.integers(64, low=-99, high=99), make.output(2, dtype="int32")
    make.launch(concatenate_blocks, 1, x, y, out, N=64)
    make.expect(out, [x.values.sum() + y.values.sum(), max(x.values.max(), y.values.max())])


@triton.jit
def gather_in_block(x_ptr, index_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr, AXIS: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    tl.store(out_ptr + at, tl.gather(tl.load(x_ptr + at), tl.load(index_ptr + at), AXIS))


for _axis in (0, 1):
    @case(f"data_movement/gather_axis_{_axis}")
    def gather_case(make, axis=_axis):
        x, index, out = make.normal(16, 32), make.integers(16, 32, high=(16, 32)[axis]), make.output(16, 32)
        make.launch(gather_in_block, 1, x, index, out, R=16, C=32, AXIS=axis)
        make.expect(out, np.take_along_axis(x.values, index.values, axis), "exact")


@triton.jit
def flip_block(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * BLOCK + c)
    tl.store(out_ptr + row * BLOCK + c, tl.flip(x, 0))


@case("data_movement/flip")
def flip_case(make):
    x, out = make.normal(4, 32), make.output(4, 32)
    make.launch(flip_block, 4, x, out, 32, BLOCK=32)
    make.expect(out, x.values[:, ::-1], "exact")


@triton.jit
def embedding_rows(index_ptr, table_ptr, out_ptr, dim, padding, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    index = tl.load(index_ptr + token)
    d = tl.arange(0, BLOCK)
    row = tl.load(table_ptr + index * dim + d, mask=(d < dim) & (index != padding), other=0.0)
    tl.store(out_ptr + token * dim + d, row, mask=d < dim)


@case("data_movement/embedding_with_padding")
def embedding_case(make):
    index, table, out = make.integers(25, high=10, dtype="int64"), make.normal(10, 20), make.output(25, 20)
    make.launch(embedding_rows, 25, index, table, out, 20, 3, BLOCK=32)
    make.expect(out, np.where((index.values == 3)[:, None], 0, table.values[index.values]), "exact")


@triton.jit
def scatter_rows(x_ptr, place_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    to = tl.load(place_ptr + row)
    c = tl.arange(0, BLOCK)
    tl.store(out_ptr + to * cols + c, tl.load(x_ptr + row * cols + c, mask=c < cols), mask=c < cols)


@case("data_movement/scatter_rows_by_permutation_f16")
def scatter_case(make):
    x, out = make.normal(15, 20, dtype="float16"), make.output(15, 20, dtype="float16")
    place = make.array(make.random.permutation(15), "int32")
    make.launch(scatter_rows, 15, x, place, out, 20, BLOCK=32)
    expected = np.zeros((15, 20))
    expected[place.values] = x.values
    make.expect(out, expected, "exact")


@triton.jit
def concatenate_columns(a_ptr, b_ptr, out_ptr, ca, cb, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    left = tl.load(a_ptr + row * ca + c, mask=c < ca, other=0.0)
    right = tl.load(b_ptr + row * cb + c - ca, mask=(c >= ca) & (c < ca + cb), other=0.0)
    tl.store(out_ptr + row * (ca + cb) + c, tl.where(c < ca, left, right), mask=c < ca + cb)


@case("data_movement/concatenate_columns")
def concatenate_case(make):
    a, b, out = make.normal(6, 13), make.normal(6, 21), make.output(6, 34)
    make.launch(concatenate_columns, 6, a, b, out, 13, 21, BLOCK=64)
    make.expect(out, np.concatenate([a.values, b.values], 1), "exact")


@triton.jit
def roll_and_pad(x_ptr, rolled_ptr, padded_ptr, n, shift, before, after, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(rolled_ptr + i, tl.load(x_ptr + (i + n - shift) % n, mask=i < n), mask=i < n)
    total = before + n + after
    inside = (i >= before) & (i < before + n)
    tl.store(padded_ptr + i, tl.load(x_ptr + i - before, mask=inside, other=-1), mask=i < total)


@case("data_movement/roll_and_pad")
def roll_case(make):
    x, rolled, padded = make.integers(70), make.output(70, dtype="int32"), make.output(85, dtype="int32")
    make.launch(roll_and_pad, 2, x, rolled, padded, 70, 11, 5, 10, BLOCK=64)
    make.expect(rolled, np.roll(x.values, 11))
    make.expect(padded, np.pad(x.values, (5, 10), constant_values=-1))


@triton.jit
def upper_triangle(x_ptr, out_ptr, n, diagonal, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)[:, None]
    c = tl.program_id(1) * B + tl.arange(0, B)[None, :]
    mask = (r < n) & (c < n)
    x = tl.load(x_ptr + r * n + c, mask=mask)
    tl.store(out_ptr + r * n + c, tl.where(c - r >= diagonal, x, 0.0), mask=mask)


@case("data_movement/upper_triangle")
def triangle_case(make):
    x, out = make.normal(27, 27), make.output(27, 27)
    make.launch(upper_triangle, (2, 2), x, out, 27, -2, B=16)
    make.expect(out, np.triu(x.values, -2), "exact")


@triton.jit
def sum_through_pointers(table_ptr, out_ptr, count, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for k in range(count):
        source = tl.load(table_ptr + k).to(tl.pointer_type(tl.float32))
        acc += tl.load(source + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, acc, mask=i < n)


@case("data_movement/pointers_loaded_from_memory")
def pointers_case(make):
    a, b, c, out = make.normal(100), make.normal(150), make.normal(100), make.output(100)
    make.launch(sum_through_pointers, 2, make.pointers(a, b.at(20), c), out, 3, 100, BLOCK=64)
    make.expect(out, a.values + b.values[20:120] + c.values)


@triton.jit
def gather_through_pointers(table_ptr, out_ptr, BLOCK: tl.constexpr, COUNT: tl.constexpr):
    k = tl.arange(0, COUNT)
    sources = tl.load(table_ptr + k).to(tl.pointer_type(tl.int32), bitcast=True)
    i = tl.arange(0, BLOCK)
    tile = tl.load(sources[:, None] + i[None, :])
    tl.store(out_ptr + k[:, None] * BLOCK + i[None, :], tile)


@case("data_movement/block_of_loaded_pointers")
def gather_pointers_case(make):
    arrays = [make.bits(32) for _ in range(4)]
    out = make.output(4, 32, dtype="int32")
    make.launch(gather_through_pointers, 1, make.pointers(*arrays), out, BLOCK=32, COUNT=4)
    make.expect(out, np.stack([a.values for a in arrays]))


@triton.jit
def broadcast_explicitly(row_ptr, column_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr):
    row = tl.load(row_ptr + tl.arange(0, C))[None, :]
    column = tl.load(column_ptr + tl.arange(0, R))[:, None]
    row, column = tl.broadcast(row, column)
    wide = tl.broadcast_to(tl.load(row_ptr), (R, C))
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    tl.store(out_ptr + at, row * column + wide)


@case("data_movement/broadcast_explicitly")
def broadcast_case(make):
    row, column, out = make.normal(32), make.normal(16), make.output(16, 32)
    make.launch(broadcast_explicitly, 1, row, column, out, R=16, C=32)
    make.expect(out, column.values[:, None] * row.values + row.values[0])


@triton.jit
def ravel_and_reshape(x_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :])
    flat = tl.ravel(x)
    cube = flat.reshape(R, C // 4, 4)
    tl.store(out_ptr + tl.arange(0, R)[:, None] * (C // 4) + tl.arange(0, C // 4)[None, :], tl.max(cube, 2))


@case("data_movement/ravel_and_reshape")
def ravel_case(make):
    x, out = make.normal(8, 16), make.output(8, 4)
    make.launch(ravel_and_reshape, 1, x, out, R=8, C=16)
    make.expect(out, x.values.reshape(8, 4, 4).max(2), "exact")


@triton.jit
def stencil_of_five(x_ptr, out_ptr, height, width, BH: tl.constexpr, BW: tl.constexpr):
    y = tl.program_id(0) * BH + tl.arange(0, BH)[:, None]
    x = tl.program_id(1) * BW + tl.arange(0, BW)[None, :]
    inside = (y > 0) & (y < height - 1) & (x > 0) & (x < width - 1)
    at = y * width + x
    centre = tl.load(x_ptr + at, mask=(y < height) & (x < width), other=0.0)
    around = tl.load(x_ptr + at - 1, mask=inside, other=0.0) + tl.load(x_ptr + at + 1, mask=inside, other=0.0)
    around += tl.load(x_ptr + at - width, mask=inside, other=0.0) + tl.load(x_ptr + at + width, mask=inside, other=0.0)
    tl.store(out_ptr + at, tl.where(inside, 0.25 * around, centre), mask=(y < height) & (x < width))


@case("data_movement/five_point_stencil")
def stencil_case(make):
    x, out = make.normal(19, 23), make.output(19, 23)
    make.launch(stencil_of_five, (3, 2), x, out, 19, 23, BH=8, BW=16)
    v = x.values
    expected = v.copy()
    expected[1:-1, 1:-1] = 0.25 * (v[1:-1, :-2] + v[1:-1, 2:] + v[:-2, 1:-1] + v[2:, 1:-1])
    make.expect(out, expected)


@triton.jit
def bilinear_resize(x_ptr, out_ptr, height, width, out_height, out_width, BLOCK: tl.constexpr):
    oy = tl.program_id(0)
    ox = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    sy = tl.maximum((oy + 0.5) * height / out_height - 0.5, 0.0)
    sx = tl.maximum((ox + 0.5) * width / out_width - 0.5, 0.0)
    y0 = tl.floor(sy).to(tl.int32)
    x0 = tl.floor(sx).to(tl.int32)
    y1 = tl.minimum(y0 + 1, height - 1)
    x1 = tl.minimum(x0 + 1, width - 1)
    fy = sy - y0
    fx = sx - x0
    mask = ox < out_width
    a = tl.load(x_ptr + y0 * width + x0, mask=mask)
    b = tl.load(x_ptr + y0 * width + x1, mask=mask)
    c = tl.load(x_ptr + y1 * width + x0, mask=mask)
    d = tl.load(x_ptr + y1 * width + x1, mask=mask)
    top = a + (b - a) * fx
    bottom = c + (d - c) * fx
    tl.store(out_ptr + oy * out_width + ox, top + (bottom - top) * fy, mask=mask)


@case("data_movement/bilinear_resize")
def bilinear_case(make):
    x, out = make.normal(8, 10), make.output(16, 25)
    make.launch(bilinear_resize, (16, 1), x, out, 8, 10, 16, 25, BLOCK=32)
    v = x.values.astype(np.float64)
    sy, sx = np.maximum((np.arange(16) + 0.5) / 2 - 0.5, 0), np.maximum((np.arange(25) + 0.5) / 2.5 - 0.5, 0)
    y0, x0 = np.floor(sy).astype(int), np.floor(sx).astype(int)
    y1, x1 = np.minimum(y0 + 1, 7), np.minimum(x0 + 1, 9)
    fy, fx = (sy - y0)[:, None], sx - x0
    top = v[y0][:, x0] * (1 - fx) + v[y0][:, x1] * fx
    make.expect(out, top * (1 - fy) + (v[y1][:, x0] * (1 - fx) + v[y1][:, x1] * fx) * fy)
