"""A training run of seconds, for scripts that disturb it: the smallest model that `tritonrl pretrain` makes, and sums to learn."""
import hashlib
import json
import pathlib
import subprocess
import tempfile


class SmallTraining:
    def __init__(self, build, steps, *options, device="cpu"):
        self.program, self.steps, self.options, self.device = pathlib.Path(build).resolve() / "tritonrl-model", steps, options, device
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="tritonrl_training_"))
        subprocess.run(self.command("pretrain", "--layers", 1, "--hidden", 32, "--heads", 2, "--kv-heads", 1, "--intermediate", 64,
                                    "--context", 4096, "--vocabulary", 400, "--tokenizer-pairs", 20, "--steps", 2, "--batch-tokens", 4096,
                                    "--pass-tokens", 4096),
                       cwd=self.work, check=True, stderr=subprocess.DEVNULL)
        with open(self.work / "pairs.jsonl", "w", encoding="utf-8") as out:
            for i in range(60):
                pair = {"id": f"sum/{i}", "instruction": f"add {i} and {i * 7 % 50}", "output": f"{i + i * 7 % 50}", "pytorch_code": "x"}
                out.write(json.dumps(pair) + "\n")

    def command(self, verb, *options):
        streams = [] if verb == "rl" else ["--data-threads", "1"]
        return [str(self.program), verb, *map(str, options), "--device", self.device, "--threads", "1", *streams]

    def sft(self, name, *before):
        """Starts it; `before` goes in front of the command. Two passes a step."""
        return subprocess.Popen([*before, *self.command(
            "sft", "--model", "checkpoints/pretrain_final", "--data", "pairs.jsonl", "--checkpoints", name, "--runs", f"runs_{name}", "--steps",
            self.steps, "--batch-tokens", 256, "--pass-tokens", 128, "--learning-rate", 1e-2, *self.options)],
                                cwd=self.work, stderr=open(self.work / f"{name}.log", "a", encoding="utf-8"))

    def metrics_path(self, name):
        return self.work / f"runs_{name}/sft/metrics.jsonl"

    def losses(self, name):
        with open(self.metrics_path(name), encoding="utf-8") as file:
            return [(json.loads(line)["step"], json.loads(line)["loss"]) for line in file]

    def adapter(self, name):
        return hashlib.sha256((self.work / name / "sft_final/adapter_model.safetensors").read_bytes()).hexdigest()

    def remove(self):
        subprocess.run(["rm", "-rf", str(self.work)], check=True)
