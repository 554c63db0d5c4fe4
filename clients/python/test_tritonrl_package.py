"""The package tritonrl against a program that writes down what it was asked and answers as it is told."""

import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import tritonrl  # noqa: E402

try:
    import torch
except ImportError:
    torch = None

# Writes the file of --out, and beside itself the words that it was given.
PROGRAM = """#!{python}
import json, os, pathlib, sys
here = pathlib.Path(__file__).parent
(here / "words.json").write_text(json.dumps(sys.argv[1:] + [os.environ.get("TRITONRL_PYTHON", "")]))
answer = json.loads((here / "answer.json").read_text())
sys.stderr.write(answer["errors"])
if answer["file"]:
    pathlib.Path(sys.argv[sys.argv.index("--out") + 1]).write_text(answer["file"])
sys.stdout.write(answer["output"])
sys.exit(answer["code"])
"""

NEW = """
import torch
class ModelNew(torch.nn.Module):
    def __init__(self, width, scale=1.0):
        super().__init__()
        self.scale = scale
        self.weight = torch.nn.Parameter(torch.zeros(width))
    def forward(self, x):
        return x * self.weight * self.scale
"""

HELPER = 3


def proof(speedup=2.5, same=True):
    verdict = {"timing": {"mode": "modelled", "target": "h200"}}
    return {"winner": {"source": "teacher, fast", "speedup": speedup, "same_state_dict": same, "judge_version": "12", "verdict": verdict}}


if torch is not None:

    class Scaled(torch.nn.Module):
        def __init__(self, width, scale=1.0):
            super().__init__()
            self.width, self.scale = width, scale
            self.weight = torch.nn.Parameter(torch.ones(width))

        def forward(self, x):
            return x * self.weight * self.scale

    class Forgetful(torch.nn.Module):
        def __init__(self, width):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(width))


class WithProgram(unittest.TestCase):
    def setUp(self):
        if torch is None:
            self.skipTest("no torch in this interpreter")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        program = self.folder / "tritonrl"
        program.write_text(PROGRAM.format(python=sys.executable))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ["TRITONRL_PROGRAM"] = str(program)
        os.environ.pop("TRITONRL_PYTHON", None)
        self.answers()

    def answers(self, code=0, file=NEW, output=None, errors=""):
        output = json.dumps(proof()) if output is None else output
        (self.folder / "answer.json").write_text(json.dumps({"code": code, "file": file, "output": output, "errors": errors}))

    def words(self):
        return json.loads((self.folder / "words.json").read_text())

    def value_of(self, name):
        words = self.words()
        return words[words.index(name) + 1]


class ALiveModule(WithProgram):
    def test_is_told_by_file_class_and_the_arguments_that_made_it(self):
        module = Scaled(4, scale=0.5)
        torch.nn.init.normal_(module.weight)
        faster = tritonrl.optimize(module, [torch.zeros(2, 4)])
        self.assertEqual(self.words()[:2], ["optimize", f"{pathlib.Path(__file__).resolve()}:Scaled"])
        self.assertEqual(self.value_of("--init"), "width=4, scale=0.5")
        self.assertEqual(self.value_of("--input"), "f32[2,4]")
        self.assertEqual(self.value_of("--device"), "cuda" if torch.cuda.is_available() else "cpu")
        self.assertEqual(self.words()[-1], sys.executable)
        self.assertNotIn("--eval", self.words())
        self.assertTrue(torch.equal(faster.module.weight, module.weight))
        self.assertEqual(faster.module.scale, 0.5)
        self.assertEqual((faster.speed_up, faster.measured, faster.source), (2.5, False, NEW))
        self.assertIn("2.50 times eager torch (modelled on h200)", repr(faster))
        self.assertFalse(any(one.requires_grad for one in faster.parameters()))

    def test_runs_on_a_gpu_alone_and_says_so(self):
        faster = tritonrl.optimize(Scaled(4), [torch.zeros(2, 4)])
        with self.assertRaises(tritonrl.NeedsGpu) as raised:
            faster(torch.zeros(2, 4))
        for part in ("NVIDIA GPU", faster.file, "judge 12"):
            self.assertIn(part, str(raised.exception))

    def test_keeps_its_mode(self):
        faster = tritonrl.optimize(Scaled(4).eval(), [torch.zeros(2, 4)])
        self.assertIn("--eval", self.words())
        self.assertFalse(faster.module.training)

    def test_stays_where_nothing_is_better(self):
        module = Scaled(4, scale=3)
        for code, output, why in ((1, json.dumps(proof(0.8)), "eager torch is the better choice: the best kernels have 0.80"),
                                  (1, json.dumps({"winner": None, "no_teacher": "it loops"}), r"no kernels were proven.*it loops"),
                                  (0, json.dumps(proof(same=False)), "the state cannot be carried over")):
            self.answers(code=code, output=output)
            kept = tritonrl.optimize(module, [torch.zeros(2, 4)])
            self.assertRegex(kept.why, why)
            self.assertIs(kept.module, module)
            self.assertEqual((kept.source, kept.file, kept.speed_up), (None, None, 1.0))
            self.assertTrue(torch.equal(kept(torch.ones(2, 4)), torch.full((2, 4), 3.0)))

    def test_that_is_not_what_its_class_makes_needs_its_arguments(self):
        with self.assertRaisesRegex(ValueError, "keeps no attribute 'width'.*init="):
            tritonrl.optimize(Forgetful(4), [torch.zeros(4)])
        changed = Scaled(4)
        changed.width = 5
        with self.assertRaisesRegex(ValueError, r"weight is \[4\] and \[5\].*init="):
            tritonrl.optimize(changed, [torch.zeros(4)])
        with self.assertRaisesRegex(ValueError, "scale is 1.0 and 2"):
            tritonrl.optimize(Scaled(4), [torch.zeros(4)], init={"width": 4, "scale": 2})
        with self.assertRaisesRegex(ValueError, "cannot be written as text"):
            tritonrl.optimize(Scaled(4), [torch.zeros(4)], init=(object(),))

    def test_errors_are_the_programs_own_words(self):
        self.answers(code=2, errors="tritonrl: [optimize] no such thing")
        with self.assertRaisesRegex(ValueError, "no such thing"):
            tritonrl.optimize(Scaled(4), [torch.zeros(4)])
        for code, output in ((3, ""), (0, "nonsense"), (-9, "")):
            self.answers(code=max(code, 0) or (3 if code < 0 else 0), output=output)
            with self.assertRaises(tritonrl.ProgramError):
                tritonrl.optimize(Scaled(4), [torch.zeros(4)])

    def test_goes_where_it_is_told(self):
        out = self.folder / "mine.py"
        faster = tritonrl.optimize(Scaled(4), "f32[1..8,4]", out=out, device="cpu", options=("--search", 0))
        self.assertEqual(self.value_of("--out"), str(out))
        self.assertEqual(self.words()[-5:-1], ["--device", "cpu", "--search", "0"])
        del faster
        self.assertTrue(out.exists())


class OtherModules(WithProgram):
    def test_a_class_is_made_with_the_arguments_that_are_said(self):
        faster = tritonrl.optimize(Scaled, [torch.zeros(2, 4)], init=(4,))
        self.assertEqual(self.value_of("--init"), "4")
        self.assertEqual(faster.module.weight.tolist(), [1.0] * 4)

    def test_torchs_own_classes_become_a_model_in_a_file(self):
        chain = torch.nn.Sequential(torch.nn.Linear(4, 3, bias=False), torch.nn.GELU(approximate="tanh"), Scaled(3), torch.nn.LayerNorm(3, eps=0.1))
        kept = []
        self.answers(file="import pathlib, torch\nclass ModelNew(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
                          "        self.module = torch.nn.ModuleDict({'0': torch.nn.Linear(4, 3, bias=False), '2': torch.nn.ParameterDict({'weight': torch.zeros(3)}), '3': torch.nn.LayerNorm(3)})\n")
        real = tritonrl.optimized.subject_of

        def keeping(*arguments):
            subject = real(*arguments)
            kept.append(pathlib.Path(subject.place.rpartition(":")[0]).read_text())
            return subject

        tritonrl.optimized.subject_of = keeping
        self.addCleanup(setattr, tritonrl.optimized, "subject_of", real)
        faster = tritonrl.optimize(chain, [torch.zeros(2, 4)])
        scope = {}
        exec(kept[0], scope)
        made = scope["Model"]()
        made.load_state_dict({"module." + name: value for name, value in chain.state_dict().items()})
        x = torch.randn(2, 4)
        self.assertTrue(torch.equal(made(x), chain(x)))
        self.assertTrue(self.words()[1].endswith(":Model"))
        self.assertTrue(torch.equal(faster.module.module["0"].weight, chain[0].weight))

    def test_a_class_within_a_function_is_written_with_what_it_names(self):
        power = 2

        def squared(x):
            return x ** power

        class Local(torch.nn.Module):
            def __init__(self, width):
                super().__init__()
                self.width = width

            def forward(self, x):
                return torch.nn.functional.relu(squared(x)) * HELPER

        from tritonrl.subject import subject_of
        module = Local(4)
        subject = subject_of(module, None, 1, self.folder)
        scope = {}
        exec(pathlib.Path(subject.place.rpartition(":")[0]).read_text(), scope)
        x = torch.randn(4)
        self.assertTrue(torch.equal(scope["Local"](4)(x), module(x)))
        self.assertEqual(subject.init, "width=4")

    def test_what_is_no_module_is_refused(self):
        with self.assertRaisesRegex(TypeError, "int is no torch.nn.Module"):
            tritonrl.optimize(3, [])
        with self.assertRaisesRegex(ValueError, "ModuleList has no forward"):
            tritonrl.optimize(torch.nn.ModuleList(), [])


class Inputs(unittest.TestCase):
    def setUp(self):
        if torch is None:
            self.skipTest("no torch in this interpreter")

    def test_are_words_of_the_command_line(self):
        from tritonrl.inputs import words_of
        given = [torch.zeros(2, 3, dtype=torch.bfloat16), torch.tensor([1, 6]), torch.zeros(1, dtype=torch.bool), 3, 0.5, None, True, "f32[1..4]"]
        self.assertEqual(words_of(given), ["bf16[2,3]", "i64[2]<7", "bool[1]", "3", "0.5", "None", "True", "f32[1..4]"])
        self.assertEqual(words_of(torch.zeros(())), ["f32[]"])
        with self.assertRaisesRegex(ValueError, r"inputs\[0\] is torch.complex64"):
            words_of([torch.zeros(1, dtype=torch.complex64)])
        with self.assertRaisesRegex(ValueError, r"inputs\[0\] is dict"):
            words_of([{}])

    def test_know_the_sizes_that_were_proven(self):
        from tritonrl.inputs import in_range
        for word, sizes, good in (("f32[2,3]", (2, 3), True), ("f32[2,3]", (2, 4), False), ("f32[1..4,3]", (4, 3), True), ("f32[1..4,3]", (5, 3), False),
                                  ("f32[B=1..4,T]", (2, 99), True), ("f32[]", (), True), ("f32[2]", (2, 1), False)):
            self.assertEqual(in_range([word], [torch.zeros(sizes)]), good, (word, sizes))
        self.assertTrue(in_range(["3"], [3]))


class TheProgram(WithProgram):
    def test_is_forwarded_to_with_this_interpreter(self):
        self.answers(code=1, file="", output="said\n")
        done = subprocess.run([sys.executable, "-m", "tritonrl", "verify", "a b", "--json"], cwd=HERE, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (1, "said\n"))
        self.assertEqual(self.words()[:-1], ["verify", "a b", "--json"])
        self.assertTrue(os.path.samefile(self.words()[-1], sys.executable))

    def test_is_not_a_script_that_calls_us(self):
        from tritonrl import native as module
        places, module.PLACES = module.PLACES, ()
        self.addCleanup(setattr, module, "PLACES", places)
        os.environ.pop("TRITONRL_PROGRAM")
        os.environ["PATH"] = str(self.folder)
        with self.assertRaisesRegex(tritonrl.ProgramError, "pip install"):
            tritonrl.program()


if __name__ == "__main__":
    unittest.main()
