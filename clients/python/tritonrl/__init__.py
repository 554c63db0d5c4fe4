"""tritonrl from Python: the program, its judge as a reward, and `optimize`, which gives a module's kernels back as a module.

    import tritonrl
    faster = tritonrl.optimize(block, [x])     # a torch module in the place of `block`
    print(faster.speed_up, faster.source)

`tritonrl_reward` has the judge for trainers. `python -m tritonrl …` is the command line.
"""

from .native import ProgramError, program, program_environment

__all__ = ["NeedsGpu", "Optimized", "ProgramError", "optimize", "program", "program_environment"]


def __getattr__(name):
    # torch is imported where it is needed alone
    if name in ("NeedsGpu", "Optimized", "optimize"):
        from . import optimized

        return getattr(optimized, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
