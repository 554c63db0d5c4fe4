"""The registry of faults, in the manner of kernels/case.py.

    @fault("bounds/missing_mask", "out_of_bounds", "past the end of")
    def missing_mask_fault(make):
        ...the same `make` as for cases; nothing is expected of the outputs

The line that must be named is the one that ends with the comment `# fault`, in the kernel or a function that it calls. A fault
without such a line has none to name (machine code, launches)."""
from dataclasses import dataclass, field

from kernels.case import Plan

FAULTS = {}


@dataclass
class Fault:
    name: str
    build: object
    kind: str        # of a machine::Finding, or "error", "refused" of a compilation
    reason: str      # part of the message
    stage: str = "run"
    machine_code: bool = False                     # compile to the end
    options: dict = field(default_factory=dict)    # of the machine: wall_ms, value_bytes, nan_origin
    completes: bool = False                        # the launch goes on: races and reads of nothing

    def made(self):
        plan = Plan(self.name)
        self.build(plan)
        return plan


def fault(name, kind, reason, **settings):
    def register(build):
        assert name not in FAULTS, f"two faults are called {name}"
        if kind in ("error", "refused"):
            settings.setdefault("stage", "compile")
        if kind in ("race", "undefined_read"):
            settings.setdefault("completes", True)
        FAULTS[name] = Fault(name, build, kind, reason, **settings)
        return build
    return register
