"""Benchmarks run what they measure once: a modelled time stands for the measured one."""
import math

import triton
from triton.compiler.errors import CompileTimeAssertionFailure
from triton.runtime.autotuner import Autotuner

from . import events, launches

all_configs = False
all_sizes = False


def _do_bench(function, *args, quantiles=None, return_mode="mean", **kwargs):
    before, count = launches.seconds, launches.launches
    function()
    # of torch's own operators nothing is known
    milliseconds = (launches.seconds - before) * 1e3 if launches.launches > count else math.nan
    if quantiles is not None:
        return [milliseconds] * len(quantiles) if len(quantiles) > 1 else milliseconds
    return [milliseconds] if return_mode == "all" else milliseconds


class _Mark:
    def __init__(self, function, benchmarks):
        self.fn, self.benchmarks = function, benchmarks

    def run(self, show_plots=False, print_data=False, save_path="", return_df=False, **kwargs):
        several = self.benchmarks if isinstance(self.benchmarks, (list, tuple)) else [self.benchmarks]
        tables = [self._run(benchmark, kwargs) for benchmark in several]
        if print_data:
            for benchmark, (columns, rows) in zip(several, tables):
                print(f"{benchmark.plot_name}:")
                for row in [columns, *rows]:
                    print("".join(f"{value if isinstance(value, (str, int)) else f'{value:.6f}':>16}" for value in row))
        if not return_df:
            return None
        import pandas
        frames = [pandas.DataFrame(rows, columns=columns) for columns, rows in tables]
        return frames if isinstance(self.benchmarks, (list, tuple)) else frames[0]

    def _run(self, benchmark, kwargs):
        values = list(benchmark.x_vals)
        if not all_sizes and len(values) > 1:
            events.send("left_out", what="sizes", name=benchmark.plot_name, ran=1, of=len(values))
            values = values[:1]
        rows = []
        for x in values:
            xs = list(x) if isinstance(x, (list, tuple)) else [x] * len(benchmark.x_names)
            row = []
            for line in benchmark.line_vals:
                made = self.fn(**dict(zip(benchmark.x_names, xs)), **{benchmark.line_arg: line}, **benchmark.args, **kwargs)
                row.append(made[0] if isinstance(made, (list, tuple)) else made)
            rows.append(xs + [math.nan if one is None else one for one in row])
        return [*benchmark.x_names, *(f"{name} ({benchmark.ylabel})" for name in benchmark.line_names)], rows


def install():
    testing = triton.testing
    testing.do_bench = testing.do_bench_cudagraph = _do_bench
    testing.Mark = _Mark
    testing.perf_report = lambda benchmarks: lambda function: _Mark(function, benchmarks)
    bench = Autotuner._bench

    def first(tuner, *args, config, **meta):
        """The first that compiles is the best; others need not even be compiled."""
        if all_configs:
            return bench(tuner, *args, config=config, **meta)
        cost = math.inf if tuner.tritonrl_found or not _compiles(tuner, args, config, meta) else 0.0
        tuner.tritonrl_found |= cost == 0
        return [cost] * 3

    prune = Autotuner.prune_configs

    def begin(tuner, kwargs):
        tuner.tritonrl_found = False
        return prune(tuner, kwargs)
    Autotuner._bench, Autotuner.prune_configs = first, begin
    Autotuner.check_disk_cache = lambda tuner, key, configs, run: run()


def _compiles(tuner, args, config, meta):
    given = {**meta, **config.all_kwargs(), "warmup": True}
    if config.pre_hook:
        config.pre_hook({**tuner.nargs, **given})
    try:
        tuner.fn.run(*args, **given)
    except CompileTimeAssertionFailure:  # which Triton's tuner takes for a configuration that is none
        return False
    return True
