#!/usr/bin/env python3
"""Runs five kernels in Triton's interpreter, one thread, and writes what interpreter_speed.cpp needs to run the same.

    interpreter_kernels.py DIR        DIR/kernels.json, DIR/NAME.ttir, DIR/NAME.ARGUMENT.bin (what an array holds),
                                      DIR/NAME.result.bin (what the interpreter makes of it)
    interpreter_kernels.py DIR --ir   the .ttir files alone: the interpreter and the compiler cannot share a process
"""
import json
import os
import pathlib
import subprocess
import sys
import time

_COMPILES = "--ir" in sys.argv
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"
os.environ["TRITON_INTERPRET"] = "0" if _COMPILES else "1"

import numpy as np  # noqa: E402
import torch  # noqa: E402
import triton  # noqa: E402
import triton.language as tl  # noqa: E402

_ENOUGH_SECONDS = 3.0


@triton.jit
def softmax(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    x = tl.load(x_ptr + row * columns + at, mask=mask, other=-float("inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(y_ptr + row * columns + at, e / tl.sum(e, 0), mask=mask)


@triton.jit
def layer_norm(x_ptr, weight_ptr, bias_ptr, y_ptr, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    x = tl.load(x_ptr + row * columns + at, mask=mask, other=0.0)
    mean = tl.sum(x, 0) / columns
    centred = tl.where(mask, x - mean, 0.0)
    variance = tl.sum(centred * centred, 0) / columns
    scale = 1 / tl.sqrt(variance + eps)
    weight = tl.load(weight_ptr + at, mask=mask)
    bias = tl.load(bias_ptr + at, mask=mask)
    tl.store(y_ptr + row * columns + at, centred * scale * weight + bias, mask=mask)


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    a_at = a_ptr + rows[:, None] * K + inner[None, :]
    b_at = b_ptr + inner[:, None] * N + columns[None, :]
    sums = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        a = tl.load(a_at, mask=(rows[:, None] < M) & (k + inner[None, :] < K), other=0.0)
        b = tl.load(b_at, mask=(k + inner[:, None] < K) & (columns[None, :] < N), other=0.0)
        sums += tl.dot(a, b, input_precision="ieee")
        a_at += BK
        b_at += BK * N
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], sums, mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def convolution(x_ptr, weight_ptr, y_ptr, channels, height, width, out_channels, KERNEL: tl.constexpr, BLOCK: tl.constexpr):
    image = tl.program_id(0)
    out_channel = tl.program_id(1)
    at = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    inside = at < height * width
    y = at // width
    x = at % width
    sums = tl.zeros((BLOCK,), tl.float32)
    for channel in range(channels):
        for i in range(KERNEL):
            for j in range(KERNEL):
                from_y = y + i - KERNEL // 2
                from_x = x + j - KERNEL // 2
                mask = inside & (from_y >= 0) & (from_y < height) & (from_x >= 0) & (from_x < width)
                value = tl.load(x_ptr + ((image * channels + channel) * height + from_y) * width + from_x, mask=mask, other=0.0)
                weight = tl.load(weight_ptr + ((out_channel * channels + channel) * KERNEL + i) * KERNEL + j)
                sums += value * weight
    tl.store(y_ptr + (image * out_channels + out_channel) * height * width + at, sums, mask=inside)


@triton.jit
def pointwise(x_ptr, bias_ptr, residual_ptr, y_ptr, n, columns, scale, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    x = tl.load(x_ptr + at, mask=mask)
    x = x * scale + tl.load(bias_ptr + at % columns, mask=mask)
    x = x * tl.sigmoid(x)
    x = tl.minimum(tl.maximum(x, -4.0), 4.0)
    x = x + tl.load(residual_ptr + at, mask=mask)
    x = 0.5 * x * (1 + tl.erf(x * 0.7071067811865476))
    tl.store(y_ptr + at, x, mask=mask)


class Launch:
    """A kernel with its arguments in order. `result` names the array that it writes."""

    def __init__(self, kernel, grid, arguments, constants, result):
        self.name = kernel.__name__
        self.kernel, self.grid, self.arguments, self.constants, self.result = kernel, grid, arguments, constants, result


def launches():
    random = np.random.default_rng(4)

    def normal(*shape, scale=1.0):
        return (random.standard_normal(shape) * scale).astype(np.float32)

    def empty(*shape):
        return np.zeros(shape, np.float32)
    n = 1 << 20
    yield Launch(softmax, (128,), {"x_ptr": normal(128, 1024, scale=3), "y_ptr": empty(128, 1024), "columns": 1024}, {"BLOCK": 1024}, "y_ptr")
    yield Launch(layer_norm, (128,),
                 {"x_ptr": normal(128, 1024), "weight_ptr": normal(1024), "bias_ptr": normal(1024), "y_ptr": empty(128, 1024),
                  "columns": 1024, "eps": 1e-5}, {"BLOCK": 1024}, "y_ptr")
    yield Launch(matmul, (4, 4), {"a_ptr": normal(256, 256), "b_ptr": normal(256, 256), "c_ptr": empty(256, 256), "M": 256, "N": 256, "K": 256},
                 {"BM": 64, "BN": 64, "BK": 32}, "c_ptr")
    yield Launch(convolution, (8, 4, 1),
                 {"x_ptr": normal(8, 16, 32, 32), "weight_ptr": normal(4, 16, 3, 3, scale=0.1), "y_ptr": empty(8, 4, 32, 32),
                  "channels": 16, "height": 32, "width": 32, "out_channels": 4}, {"KERNEL": 3, "BLOCK": 1024}, "y_ptr")
    yield Launch(pointwise, (n // 1024,),
                 {"x_ptr": normal(n), "bias_ptr": normal(512), "residual_ptr": normal(n), "y_ptr": empty(n), "n": n, "columns": 512,
                  "scale": 0.7}, {"BLOCK": 1024}, "y_ptr")


def ir_of(launch):
    """The kernel's IR as Triton's JIT would make it for these arguments: what is a multiple of 16 is known to be."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.compiler.compiler import make_backend
    target = GPUTarget("cuda", 90, 32)
    backend = make_backend(target)
    options = backend.parse_options({})
    names = launch.kernel.arg_names
    types = {np.ndarray: "*fp32", int: "i32", float: "fp32"}
    signature = {name: types[type(value)] for name, value in launch.arguments.items()} | {name: "constexpr" for name in launch.constants}
    divisible = [name for name, value in launch.arguments.items() if isinstance(value, np.ndarray) or isinstance(value, int) and value % 16 == 0]
    source = ASTSource(launch.kernel, {name: signature[name] for name in names}, {(names.index(k),): v for k, v in launch.constants.items()},
                       {(names.index(name),): [["tt.divisibility", 16]] for name in divisible})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    given = (options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    try:
        module = source.make_ir(target, *given)
    except TypeError:  # before Triton 3.7
        module = source.make_ir(*given)
    return backend.make_ttir(module, {}, options, target.arch).str()


def interpret(launch):
    """Milliseconds of processor time of the fastest run, and the result."""
    arguments = {name: torch.from_numpy(value.copy()) if isinstance(value, np.ndarray) else value for name, value in launch.arguments.items()}
    times = []
    while sum(times) < _ENOUGH_SECONDS:
        began = time.process_time()
        launch.kernel[launch.grid](**arguments, **launch.constants)
        times.append(time.process_time() - began)
    return min(times) * 1000, arguments[launch.result].numpy()


def main():
    folder = pathlib.Path(sys.argv[1])
    if _COMPILES:
        for launch in launches():
            (folder / f"{launch.name}.ttir").write_text(ir_of(launch))
        return
    torch.set_num_threads(1)
    subprocess.run([sys.executable, "-B", __file__, str(folder), "--ir"], check=True)
    kernels = []
    for launch in launches():
        arguments = []
        for name, value in launch.arguments.items():
            if isinstance(value, np.ndarray):
                if name != launch.result:
                    value.tofile(folder / f"{launch.name}.{name}.bin")
                arguments.append({"name": name, "bytes": value.nbytes})
            else:
                arguments.append({"name": name, "integer" if isinstance(value, int) else "float": value})
        ms, result = interpret(launch)
        result.tofile(folder / f"{launch.name}.result.bin")
        kernels.append({"name": launch.name, "grid": [*launch.grid, 1, 1][:3], "arguments": arguments, "result": launch.result, "ms": ms})
    about = {"triton": triton.__version__, "kernels": kernels}
    (folder / "kernels.json").write_text(json.dumps(about))
    print(json.dumps({"triton": triton.__version__, "ms": {k["name"]: round(k["ms"], 3) for k in kernels}}))


if __name__ == "__main__":
    main()
