"""Runs cases by Triton's interpreter (TRITON_INTERPRET=1) or on a GPU, in a process that may die of one of them.

Reads names from the command line; for each prints "start NAME" and, with its outputs saved as DIR/NAME.npz, "done NAME" or
"failed NAME: why"."""
import pathlib
import sys
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import torch  # noqa: E402

from kernels import element_types as types  # noqa: E402
from kernels import families  # noqa: E402
from kernels.case import Array, HostDescriptor, View  # noqa: E402


CONTEXT_LOST = 3  # exit code


def tensor_of(array, device):
    raw = array.raw
    if raw is None:
        raw = np.full(array.bytes, 0xA5, np.uint8).view(types.stored_as(array.dtype)).reshape(array.shape)
    # a guard on both sides catches no fault, but keeps a wrong kernel from harming its neighbours
    flat = torch.empty(array.bytes + 512, dtype=torch.uint8, device=device)
    flat.fill_(0x5A)
    skip = -flat.data_ptr() % 256  # aligned as the specialisation of the recorded launch says
    body = flat[skip:skip + array.bytes]
    body.copy_(torch.from_numpy(np.ascontiguousarray(raw).reshape(-1).view(np.uint8).copy()))
    return body.view(getattr(torch, array.dtype)).view(array.shape)


def argument_of(value, tensors):
    if isinstance(value, Array):
        return tensors[value.number]
    if isinstance(value, View):
        return tensors[value.array.number].reshape(-1)[value.offset:]
    if isinstance(value, HostDescriptor):
        from triton.tools.tensor_descriptor import TensorDescriptor
        return TensorDescriptor.from_tensor(tensors[value.array.number], list(value.block))
    if isinstance(value, tuple):
        return tuple(argument_of(v, tensors) for v in value)
    return value


def execute(plan, device):
    """Bytes of every expected array."""
    tensors = [tensor_of(a, device) for a in plan.arrays]
    for array in plan.arrays:
        for i, view in enumerate(array.pointers):
            target = argument_of(view, tensors)
            tensors[array.number][i] = target.data_ptr()
    for launch in plan.launches:
        arguments = [argument_of(a, tensors) for a in launch.arguments]
        keywords = {k: argument_of(v, tensors) for k, v in launch.keywords.items()}
        launch.kernel[launch.grid](*arguments, **keywords)
    if device == "cuda":
        torch.cuda.synchronize()
    return {str(i): tensors[e.array.number].reshape(-1).view(torch.uint8).cpu().numpy() for i, e in enumerate(plan.expectations)}


def context_lives():
    try:
        torch.cuda.synchronize()
        return True
    except Exception:
        return False


def main(device, folder, names):
    cases = families.load()
    if device == "cuda":
        import triton
        triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
    for name in names:
        print("start", name, flush=True)
        try:
            outputs = execute(cases[name].made(), device)
            np.savez(pathlib.Path(folder) / (name.replace("/", ".") + ".npz"), **outputs)
            print("done", name, flush=True)
        except Exception as error:
            traceback.print_exc()
            print("failed", f"{name}: {type(error).__name__}: {str(error)[:300]!r}", flush=True)
            if device == "cuda" and not context_lives():
                sys.exit(CONTEXT_LOST)  # the parent starts a new process for the rest


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
