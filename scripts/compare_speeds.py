#!/usr/bin/env python3
"""The parts of scripts/show_rl_speed.sh that count: which modules are asked, and how fast the answers are, in the folder at hand.

    compare_speeds.py batches TRAIN CANONICAL FAST     folders of `prepare`: CANONICAL.jsonl and FAST.jsonl for `verify --batch`, train.jsonl
    compare_speeds.py choose CANONICAL FAST COUNT      by their verdicts: held.jsonl, modules whose kernels hold at least half of the time
    compare_speeds.py winners RESULTS TASKS            the best answer to each task: winners.jsonl for `verify --batch`
    compare_speeds.py table                            what there is so far, with 95 % intervals of paired means (bootstrap over tasks)
"""
import ast
import json
import math
import os
import random
import sys

HALF = 0.5  # of a candidate's time, in kernels that count
DRAWS = 4000


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def write(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def text(source):
    """What a module computes, without its sizes."""
    return "\n".join(ast.unparse(node) for node in ast.parse(source).body if isinstance(node, (ast.ClassDef, ast.FunctionDef))
                     and node.name not in ("get_inputs", "get_init_inputs"))


def batches(train, canonical, fast):
    tasks = lines(f"{train}/difficulty_labels.jsonl")
    write("train.jsonl", tasks)
    seen = {text(task["pytorch_code"]) for task in tasks}
    kept = set()
    for task in lines(f"{canonical}/difficulty_labels.jsonl"):
        module = text(task["pytorch_code"])
        if module not in seen:
            seen.add(module)
            kept.add(task["id"])
    for folder in (canonical, fast):
        write(f"{folder}.jsonl", [{"id": pair["id"], "task": pair["pytorch_code"], "answer": pair["output"]}
                                  for pair in lines(f"{folder}/sft_train.jsonl") if pair["id"] in kept])


def verdicts(name):
    return {row["id"]: row.get("verdict") or {} for row in lines(f"{name}.verdicts.jsonl")}


def speed(verdict):
    return verdict["timing"]["speedup"] if verdict.get("kind") == "passed" and verdict.get("timing") else None


def choose(canonical, fast, count):
    one, other = verdicts(canonical), verdicts(fast)
    good = [task for task in one if speed(one[task]) and speed(other.get(task, {})) and one[task]["work_share"] >= HALF]
    wanted = set(good[:int(count)])
    write("held.jsonl", [task for task in lines(f"{canonical}/difficulty_labels.jsonl") if task["id"] in wanted])
    print(f"{len(good)} of {len(one)} modules have kernels that hold half of the time, {len(wanted)} of them are asked")


def best_answers(path):
    """By task the fastest right answer."""
    best = {}
    with open(path, encoding="utf-8") as file:
        for result in json.load(file)["detailed_results"]:
            if result["kind"] == "passed" and result.get("speedup") and result["speedup"] > best.get(result["id"], {}).get("speedup", 0):
                best[result["id"]] = result
    return best


def winners(results, tasks):
    best = best_answers(results)
    write("winners.jsonl", [{"id": task["id"], "task": task["pytorch_code"], "answer": best[task["id"]]["text"]}
                            for task in lines(tasks) if task["id"] in best])


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def interval(ratios):
    chance = random.Random(1)
    logs = [math.log(ratio) for ratio in ratios]
    means = sorted(sum(chance.choices(logs, k=len(logs))) / len(logs) for _ in range(DRAWS))
    return math.exp(means[int(0.025 * DRAWS)]), math.exp(means[int(0.975 * DRAWS)])


def table():
    if not os.path.exists("held.jsonl"):
        return
    tasks = [task["id"] for task in lines("held.jsonl")]
    one, other = verdicts("canonical"), verdicts("fast")
    of = {"teacher, canonical": [speed(one[task]) for task in tasks], "teacher, fast": [speed(other[task]) for task in tasks]}
    of["teacher, the better"] = [max(pair) for pair in zip(*of.values())]
    solved = {}
    for name in ("start", "taught", "reinforced"):
        if os.path.exists(f"{name}.json"):
            best = best_answers(f"{name}.json")
            solved[name] = len(best)
            of[f"model, {name}"] = [best[task]["speedup"] if task in best else 1.0 for task in tasks]  # without an answer it stays eager
    print(f"{len(tasks)} held-out modules; speed over eager torch, {one[tasks[0]]['timing']['mode']}; geometric mean")
    for name, speeds in of.items():
        more = f", {solved[name[7:]]} of {len(tasks)} solved" if name.startswith("model") else ""
        print(f"  {name:22} {mean(speeds):6.3f}{more}")
    last = of.get("model, reinforced")
    for name in ("model, start", "model, taught", "teacher, the better"):
        if last and name in of:
            ratios = [mine / theirs for mine, theirs in zip(last, of[name])]
            low, high = interval(ratios)
            print(f"  reinforced over {name:20} {mean(ratios):6.3f} ({low:.3f} to {high:.3f}), faster on {sum(r > 1.02 for r in ratios)}, slower on {sum(r < 0.98 for r in ratios)}")
    if os.path.exists("winners.verdicts.jsonl"):
        over = [verdict["timing"]["speedup"] for verdict in verdicts("winners").values() if speed(verdict)]
        if over:
            low, high = interval(over)
            print(f"  reinforced over torch.compile   {mean(over):6.3f} ({low:.3f} to {high:.3f}) on {len(over)} modules")


if __name__ == "__main__":
    {"batches": batches, "choose": choose, "winners": winners, "table": table}[sys.argv[1]](*sys.argv[2:])
