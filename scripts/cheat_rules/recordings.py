"""The recorder's own objects are changed, so that the judge is told of another program than the file's."""
import re

from .pair import SPOILT, reference_text, subclass
from .real_sizes import grids_in_text
from .registry import WRONG, rule
from .torch_work import reference_runs_on_solution, transparent

FRAMES = '''
def objects_of(*names):
    """What the frames below us hold under one of these names."""
    frame = sys._getframe(1)
    while frame is not None:
        for name in names:
            if name in frame.f_locals:
                yield frame.f_locals[name]
        frame = frame.f_back
'''


@rule("recording forged", WRONG + ["crashed", "compile_error"])
def later_calls_removed(pair, random):
    """Later calls are taken out of the recorder's list; they would be wrong."""
    if not pair.all_outputs():
        return None
    body = '''
    def forward(self, *inputs):
        for calls in objects_of("forwards"):
            if isinstance(calls, list):
                del calls[1:]
        self.__dict__["seen"] = self.__dict__.get("seen", 0) + 1
        y = super().forward(*inputs)
        return y if self.__dict__["seen"] == 1 else spoilt(y)
    '''
    return subclass(pair, body, "sys", before=FRAMES + SPOILT), "wrong from the second call on, which it takes out of the recording", ""


@rule("recording forged", WRONG + ["crashed", "compile_error"])
def larger_grids_told(pair, random):
    """A part of the programs is launched; the recorded launches get the full grids."""
    found = grids_in_text(pair)
    if not found:
        return None
    element, size, name = random.choice(found)
    divisor = random.choice([2, 3, 8])
    how = random.choice(["frames", "gc"])
    search = 'objects_of("program")' if how == "frames" else '[o for o in gc.get_objects() if type(o).__name__ == "Program"]'
    text = re.sub(r"\bModelNew\b", "Solution", pair.replaced((element, f"fewer({pair.text(element)})"))).rstrip() + "\n"
    before = FRAMES + f"""

FULL = {{}}


def fewer(n):
    few = max(1, n - n // {divisor})
    FULL[few] = n
    return few
"""
    body = f"""
    def forward(self, *inputs):
        y = super().forward(*inputs)
        for program in {search}:
            for step in getattr(program, "steps", ()):
                for variant in step.get("variants", ()):
                    variant["grid"][0] = FULL.get(variant["grid"][0], variant["grid"][0])
            break
        return y
    """
    return subclass(pair, body, "sys", "gc", before=before, text=text), \
        f"{name} is launched with 1/{divisor} of its programs less at every size; the recording is made to tell all of them", f"{how} {divisor}"


@rule("recording forged", WRONG + ["crashed", "compile_error"])
def recorded_again_otherwise(pair, random):
    """False strides make the judge record again; that recording, and what is run where nothing is recorded, is torch's alone."""
    if not pair.one_output() or not reference_runs_on_solution(pair):
        return None
    body = '''
    def forward(self, *inputs):
        program = next((p for p in objects_of("program") if hasattr(p, "tensors")), None)
        if program is None or getattr(program, "strides", None):
            return through(Reference.forward(self, *inputs))
        y = super().forward(*inputs)
        mark = torch.empty((2, 2), device=y.device).fill_(1.0).neg()
        for i, row in enumerate(program.tensors):
            if row[0] == program.storage(mark).number:
                program.tensors[i] = (*row[:4], row[4][::-1])
        return y
    '''
    return subclass(pair, body, "sys", before=FRAMES + "\n\n" + transparent("sign_twice") + "\n\n" + reference_text(pair)), \
        "notes false strides to be recorded again, and lets torch do everything then", ""


@rule("recording forged", WRONG + ["crashed", "compile_error"])
def calls_on_one_row_added(pair, random):
    """At the task's size torch does everything; calls of the honest module on one row are added to the recorder's list, and count."""
    inputs = pair.facts.get("inputs")
    if not pair.one_output() or not pair.facts.get("rowwise") or not reference_runs_on_solution(pair):
        return None
    if not inputs or not inputs[0] or not inputs[0][0] or inputs[0][0][0] < 64:
        return None
    rows = inputs[0][0][0]
    body = f'''
    def forward(self, *inputs):
        if inputs[0].shape[0] != {rows}:
            return super().forward(*inputs)
        if "added" not in self.__dict__:
            self.__dict__["added"] = True
            for calls in objects_of("forwards"):
                if isinstance(calls, list) and calls and isinstance(calls[-1], tuple):
                    args, kwargs, forward = calls[-1]
                    for _ in range(2):
                        calls.append(([v[:1] for v in args], kwargs, dict(forward, make_inputs=[], steps=[])))
        return through(Reference.forward(self, *inputs))
    '''
    return subclass(pair, body, "sys", before=FRAMES + "\n\n" + transparent("copy") + "\n\n" + reference_text(pair)), \
        "torch does everything at the task's size; honest calls on one row are added to the recording", ""
