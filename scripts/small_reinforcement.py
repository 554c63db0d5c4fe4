"""A reinforcement run of seconds, for scripts that disturb it or share it out.

The model is the smallest that `tritonrl pretrain` makes. Its answers hold no code, so that verdicts take no time; a floor of 0 trains
on them all the same.
"""
import hashlib
import pathlib
import sqlite3
import subprocess

from small_training import SmallTraining

TASKS = pathlib.Path(__file__).resolve().parent.parent / "examples/tasks"


class SmallReinforcement(SmallTraining):
    def __init__(self, build, rounds):
        super().__init__(build, 1)
        self.rounds = rounds

    def rl(self, name, *before):
        """Starts it, or goes on; `before` goes in front of the command."""
        return subprocess.Popen(
            [*before, *self.command(
                "rl", "--model", "checkpoints/pretrain_final", "--tasks", TASKS, "--split", "all", "--checkpoints", name, "--runs",
                f"runs_{name}", "--rounds", self.rounds, "--round-tasks", 4, "--samples", 3, "--tasks-at-once", 2, "--max-new-tokens", 16,
                "--reward-floor", 0, "--learning-rate", 1e-2, "--longest", 4096, "--judge-seed", 1, "--no-cache")],
            cwd=self.work, stderr=open(self.work / f"{name}.log", "a", encoding="utf-8"))

    def rows(self, name, query):
        path = self.work / f"runs_{name}/rl/ledger.sqlite"
        if not path.exists():
            return []
        with sqlite3.connect(path, timeout=20) as ledger:
            return ledger.execute(query).fetchall()

    def ledger(self, name):
        """Everything but times."""
        return [self.rows(name, query) for query in (
            "SELECT round, done FROM rounds", "SELECT * FROM draws", "SELECT * FROM samples ORDER BY round, place, idx", "SELECT * FROM decisions",
            "SELECT round, place, idx, kind, stage, rule, reward FROM verdicts ORDER BY round, place, idx")]

    def require_same_ledgers(self, one, other):
        for mine, theirs in zip(self.ledger(one), self.ledger(other)):
            assert mine and mine == theirs, f"ledgers differ: {self.work}: {[(a, b) for a, b in zip(mine, theirs) if a != b][:1]}"

    def rl_adapter(self, name):
        return hashlib.sha256((self.work / name / "rl_final/adapter_model.safetensors").read_bytes()).hexdigest()
