#!/usr/bin/env python3
"""Writes what reinforcement must compute, as torch's autograd and TRL's formulae have it:

tests/train/goldens/policy.json      losses and gradients of clipped ratios with and without a distance from a reference
tests/rl/goldens/advantages.json     advantages of groups of rewards

usage: make_policy_goldens.py     needs: torch
"""
import json
import pathlib

import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROWS, WIDTH, VOCABULARY = 11, 6, 13


def numbers(tensor):
    return [float(f"{x:.9g}") for x in tensor.detach().flatten().tolist()]


def policy_case(generator, low, high, kl, spread):
    draw = lambda *shape: torch.randn(*shape, generator=generator, dtype=torch.float64)
    hidden, head = draw(ROWS, WIDTH).requires_grad_(True), draw(VOCABULARY, WIDTH).requires_grad_(True)
    targets = torch.randint(VOCABULARY, (ROWS,), generator=generator)
    # some advantages are a plan's, some a code's: any number a token
    advantages = draw(ROWS)
    new = torch.log_softmax(hidden @ head.T, 1).gather(1, targets[:, None])[:, 0]
    old = new.detach() + spread * draw(ROWS)
    reference = new.detach() + 0.5 * draw(ROWS)
    ratio = torch.exp(new - old)
    loss = -torch.minimum(ratio * advantages, torch.clamp(ratio, 1 - low, 1 + high) * advantages)
    loss = loss + kl * (torch.exp(reference - new) - (reference - new) - 1)
    total = loss.sum() / ROWS
    total.backward()
    return {"low": low, "high": high, "kl": kl, "hidden": numbers(hidden), "head": numbers(head),
            "targets": targets.tolist(), "advantages": numbers(advantages), "old": numbers(old),
            "reference": numbers(reference), "loss": float(total), "hidden_gradient": numbers(hidden.grad),
            "head_gradient": numbers(head.grad)}


def advantage_case(generator, count):
    rewards = torch.rand(count, generator=generator, dtype=torch.float64)
    scaled = (rewards - rewards.mean()) / (rewards.std() + 1e-4)
    left_out = rewards - (rewards.sum() - rewards) / (count - 1)
    exact = lambda tensor: tensor.tolist()
    return {"rewards": exact(rewards), "scaled": exact(scaled), "leave_one_out": exact(left_out)}


def main():
    generator = torch.Generator().manual_seed(7)
    cases = [policy_case(generator, low, high, kl, spread)
             for low, high in ((0.2, 0.2), (0.2, 0.28)) for kl in (0.0, 0.05) for spread in (0.0, 0.4)]
    groups = [advantage_case(generator, count) for count in (2, 3, 4, 8, 10, 16) for _ in range(2)]
    for path, value in ((ROOT / "tests/train/goldens/policy.json", cases), (ROOT / "tests/rl/goldens/advantages.json", groups)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value) + "\n")
        print(path.relative_to(ROOT), len(value), "cases")


if __name__ == "__main__":
    main()
