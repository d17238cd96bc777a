"""CPU and peak memory of reading logs, of three kinds and two sizes. See bench/README.md."""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

MEBI = 1 << 20
CHANCE = random.Random(6)  # noqa: S311 - nothing is kept safe by it
FAILED = r"""=================================== FAILURES ===================================
__________________________ TestMoE.test_router[{0}] ___________________________

self = <tests.unit.test_moe.TestMoE object at 0x7f0c5c2a{0:04x}>

    def test_router(self):
>       assert self.layer.forward(hidden) == expected[{0}]
E       AssertionError: assert {0} == {1}

tests/unit/test_moe.py:{0}: AssertionError
----------------------------- Captured stdout call -----------------------------
=========================== short test summary info ============================
FAILED tests/unit/test_moe.py::TestMoE::test_router[{0}] - AssertionError: assert {0} == {1}
"""
TRACEBACK = """Traceback (most recent call last):
  File "/opt/megatron/pretrain_gpt.py", line {0}, in <module>
    pretrain(train_valid_test_datasets_provider, model_provider)
  File "/opt/megatron/megatron/training/training.py", line {1}, in pretrain
    raise RuntimeError(f"loss is not finite at iteration {{iteration}}")
RuntimeError: loss is not finite at iteration {0}
"""


TRAINING = (
    " [2026-01-02 03:04:{m:02}.123456] iteration {n:8d}/  500000 | consumed samples: {n:12d} |"
    " elapsed time per iteration (ms): 1234.5 | learning rate: 1.500000E-04 | global batch size:  1024 |"
    " lm loss: {m}.123456E+00 | loss scale: 1.0 | grad norm: 0.{m:03} | number of skipped iterations:   0 |"
    " number of nan iterations:   0 |"
)
BUILD = (
    "Collecting numpy>={m}.26 (from -r requirements.txt (line {m}))",
    "  Downloading torch-2.{m}.0-cp311-cp311-manylinux_2_28_x86_64.whl (906.4 MB)",
    "\x1b[2K     \x1b[90m━━━━━━━━━━━━━━━━━━━━\x1b[0m \x1b[32m{n}.4/906.4 MB\x1b[0m \x1b[31m98.1 MB/s\x1b[0m",
    "[{m:3d}%] \x1b[32mBuilding CXX object csrc/CMakeFiles/kernels.dir/layer_norm_{n}.cpp.o\x1b[0m",
    "#{m} {n}.123 Get:{m} http://archive.ubuntu.com/ubuntu noble/main amd64 libx{n} all 1.2.3 [123 kB]",
    "remote: Counting objects: {m}% ({n}/5000)",
)
TESTS = (
    "tests/unit/transformer/test_attention.py::TestAttention::test_forward[{n}-bf16] PASSED [{m:3d}%]",
    "tests/unit/transformer/test_moe.py::test_router[{n}] \x1b[32mPASSED\x1b[0m\x1b[32m [{m:3d}%]\x1b[0m",
    "/opt/venv/lib/python3.12/site-packages/torch/nn/module.py:{n}: UserWarning: a buffer is not writable",
    "INFO:megatron.core.utils:loaded checkpoint shard {n} in 0.{m:03} s",
    "csrc/layer_norm_{m}.cpp:{n}:12: warning: unused variable 'stride_{m}' [-Wunused-variable]",
)
NOISE = (
    TESTS[2],
    "ERROR:root:retrying request {n} to https://example.com/api?page={n}, error: {m} left",
    "WARNING: error: token refresh of worker-{m} took {n} ms: warning: clock skew",
    "DEBUG src/server.ts:{n} handled request in {m} ms, E1={n} F4={m}",
)


def calm(number: int) -> str:
    """A line of a training run."""
    return TRAINING.format(n=number, m=number % 60)


def mixed(number: int) -> str:
    """What a job of CI logs: an installation, a build and training by many ranks, with tests between."""
    kind, rest = number % 20, number // 20
    if kind < 8:
        return f"[rank{number % 64}]:{calm(number)}"
    lines = BUILD if kind < 14 else TESTS
    return lines[rest % len(lines)].format(n=number, m=number % 60)


def noisy(number: int) -> str:
    """A line that parsers want to see, and none makes anything of."""
    return NOISE[number % 4].format(n=number, m=number % 60)


KINDS: dict[str, Callable[[int], str]] = {"calm": calm, "mixed": mixed, "noisy": noisy}


def lines(kind: str, size: int) -> Iterator[bytes]:
    """Yield the lines of a log of about `size` bytes, a few faults among them."""
    number, made = 0, 0
    while made < size:
        text = []
        for _ in range(2000):
            number += 1
            text.append(f"2026-01-02T03:04:{number % 60:02}.1234567Z {KINDS[kind](number)}\n")
        if kind != "calm":
            fault = (FAILED, TRACEBACK)[CHANCE.randrange(2)].format(number, number + 1)
            text += [f"2026-01-02T03:05:00.1234567Z {line}\n" for line in fault.splitlines()]
        data = "".join(text).encode()
        made += len(data)
        yield data


def measured(file: Path) -> dict[str, float]:
    """Return seconds of CPU, lines, failures and peak memory (MiB) of reading a log in a process of its own."""
    before = time.process_time()
    from syncline.checks.logs.read_log import read_log  # noqa: PLC0415 - what importing takes is told apart

    imported, small = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    read = read_log(file)
    return {
        "imports": imported - before,
        "cpu": time.process_time() - imported,
        "lines": read.lines,
        "failures": len(read.failures),
        "start": small,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=200, help="MiB of the larger log; the other has a tenth")
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured(options.one)))
        return 0
    print("kind     MiB   CPU s   MiB/s   us/line   failures   peak RSS MiB (before reading)")
    with tempfile.TemporaryDirectory() as name:
        for kind in options.kind or KINDS:
            for size in (max(1, options.size // 10), options.size):
                file = Path(name) / "log"
                with file.open("wb") as to:
                    to.writelines(lines(kind, size * MEBI))
                told = json.loads(
                    subprocess.check_output([sys.executable, __file__, "--one", str(file)], env=os.environ)
                )
                print(
                    f"{kind:6} {size:5} {told['cpu']:7.1f} {size / told['cpu']:7.1f}"
                    f" {told['cpu'] / told['lines'] * 1e6:9.1f} {told['failures']:10}"
                    f" {told['peak']:10.0f} ({told['start']:.0f})"
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
