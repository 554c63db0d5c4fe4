"""Triton's own stages: front end, IR passes, and down to the GPU's machine code where it is asked for."""
import base64

from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend

from . import arguments
from .module import Refused

_FIGURES = ("shared", "num_warps", "num_ctas", "num_stages", "global_scratch_size", "global_scratch_align", "profile_scratch_size",
            "tmem_size", "name")


def compile_kernel(module, request):
    fn = vars(module).get(request["kernel"])
    if fn is None:
        raise Refused(f"there is no function {request['kernel']}")
    source = ASTSource(fn, *arguments.read(fn, module, request["arguments"]))
    given = {name: arguments.value(v, module) for name, v in request["options"].items()}
    return compile_source(source, GPUTarget("cuda", request["capability"], 32), given, request["machine_code"])


def compile_source(source, target, given, machine_code):
    """An ASTSource through Triton's front end and passes: IR as text and figures, with machine code down to the cubin."""
    context = ir.context()
    lowered, stages, metadata = _front(source, target, given, context)
    out = {"ir": lowered.str(), "figures": {n: metadata[n] for n in ("num_warps", "num_ctas", "num_stages")}}
    if machine_code:
        for name, stage in stages.items():
            lowered = stage(lowered, metadata)
            if name == "ptx":
                out["ptx"] = lowered
        out["cubin"] = base64.b64encode(lowered).decode()
        out["descriptors"] = metadata.get("tensordesc_meta") or []
        out["figures"] = {n: metadata[n] for n in _FIGURES if isinstance(metadata.get(n), (int, str))}
    return out


def all_stages(source, target, given):
    """What Triton shows of each stage: {"ttir": text, "ttgir": text, ..., "cubin": bytes}."""
    context = ir.context()
    lowered, stages, metadata = _front(source, target, given, context)
    out = {"ttir": lowered.str()}
    for name, stage in stages.items():
        lowered = stage(lowered, metadata)
        out[name] = lowered if isinstance(lowered, bytes) else str(lowered)
    return out


def _front(source, target, given, context):
    backend = make_backend(target)
    options = backend.parse_options(given)
    ir.load_dialects(context)
    backend.load_dialects(context)
    lowered = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    stages = {}
    backend.add_stages(stages, options, source.language)
    metadata = {"target": target, **options.__dict__}
    return stages.pop("ttir")(lowered, metadata), stages, metadata
