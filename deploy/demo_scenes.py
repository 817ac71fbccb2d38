"""What the demonstration delivers, as data: issues and events of our own making, shaped like those that GitHub sends.

The texts are invented. The places and messages in them are real: each answer can be checked against burn's source.
"""

from __future__ import annotations

from dataclasses import dataclass

REGISTRY = "/home/rowan/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f"


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue of the stand-in GitHub."""

    author: str
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Scene:
    """One event, and what should come of it."""

    title: str
    issue: str
    """Key of ISSUES."""
    event: str
    """`opened`; `edited` (`text` is the new body); `commented` (`text` by `who`); `redelivered` (its first event)."""
    expected: str
    """`posted`, `edited` or `left alone`: what becomes of our comment."""
    text: str = ""
    who: str = ""


TWO_LINES = f"""\
Training an autoencoder with burn 0.20.0, features `train`, `vulkan` and `fusion`. It runs for hours, then:

```
thread '<unnamed>' (27113) panicked at {REGISTRY}/burn-ir-0.20.0/src/handle.rs:88:32:
Should have handle for tensor TensorId {{ value: 497010 }}
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
```

Smaller batches do not help.
"""

ONE_LINE = """\
I write a mask into a slice of a tensor. It works with the ndarray backend; with Candle the program stops:

    thread 'main' panicked at 'slice_assign not supported by Candle', /home/rowan/.cargo/registry/src/\
index.crates.io-6f17d22bba15001f/burn-candle-0.10.0/src/ops/base.rs:101:5
    note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""

TENSOR_CHECK = f"""\
My classifier worked on grey images. With colour images the first layer fails (burn 0.21.0, ndarray backend):

```text
thread 'main' (4711) panicked at {REGISTRY}/burn-tensor-0.21.0/src/tensor/api/numeric.rs:916:9:
=== Tensor Operation Error ===
  Operation: 'Matmul'
  Reason:
    1. The inner dimension of matmul should be the same, but got 75 and 25. Lhs shape Shape {{ dims: [32, 75] }}, \
rhs shape Shape {{ dims: [25, 5] }}.

note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
```
"""

NO_PANIC = """\
It would help me a lot if `Dataset` had a method that gives the first n items, as iterators have `take`.
I would not panic over it, but my notebooks would be shorter.
"""

ECHO = f"""\
Fine-tuning with fusion stops with

```
thread 'main' (812) panicked at {REGISTRY}/burn-fusion-0.21.0/src/stream/execution/ordering.rs:49:13:
Ordering is bigger than operations
```
"""

ECHO_WITH_ROOT = f"""\
Fine-tuning with fusion stops with

```
thread 'main' (812) panicked at {REGISTRY}/burn-ir-0.21.0/src/handle.rs:97:32:
Should have handle for tensor TensorId {{ value: 1204 }}

thread 'main' (812) panicked at {REGISTRY}/burn-fusion-0.21.0/src/stream/execution/ordering.rs:49:13:
Ordering is bigger than operations
```

Edit: scrolled up, there was another one before it.
"""

OLD_ISSUE = f"""\
Inference on a large picture (burn 0.19.1, CUDA) ends with

```
thread 'main' panicked at {REGISTRY}/cubecl-runtime-0.8.1/src/client.rs:306:41:
called `Result::unwrap()` on an `Err` value: BufferTooBig(10909384704)
```
"""

ISSUES = {
    "old": Issue("sanna", "Large picture: BufferTooBig", OLD_ISSUE),
    "handle": Issue("rowan", "Training stops after hours: Should have handle for tensor", TWO_LINES),
    "candle": Issue("rowan", "Candle: slice_assign not supported", ONE_LINE),
    "matmul": Issue("noor", "Colour images: The inner dimension of matmul should be the same", TENSOR_CHECK),
    "wish": Issue("noor", "Dataset: first n items", NO_PANIC),
    "ordering": Issue("sanna", "Fine-tuning stops: Ordering is bigger than operations", ECHO),
}
OLD = ("old",)
"""Issues that stood there before the App was installed: no event told of them."""

MAINTAINER = "juno"
"""Has triage permission on the repository."""

SCENES = (
    Scene("A panic of two lines, its path from the registry", "handle", "opened", "posted"),
    Scene("A panic of one line, as Rust printed it until 1.72", "candle", "opened", "posted"),
    Scene("A tensor check", "matmul", "opened", "posted"),
    Scene("An issue without a panic", "wish", "opened", "left alone"),
    Scene("An echo of another panic, alone", "ordering", "opened", "posted"),
    Scene("The same issue, edited: the first panic was added", "ordering", "edited", "edited", ECHO_WITH_ROOT),
    Scene(
        "A command of a maintainer, on an issue from before the installation",
        "old",
        "commented",
        "posted",
        "Old, but people keep asking.\n\n/triage",
        MAINTAINER,
    ),
    Scene("The first delivery once more, under the same GUID", "handle", "redelivered", "left alone"),
)
