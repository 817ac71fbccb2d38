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
    """`posted`, `edited`, `hidden`, `posted anew` or `left alone`: what becomes of our comment."""
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

FIXED = f"""\
Between two folds I call `memory_cleanup` (burn 0.19.1, CUDA). Once in a while:

```
thread 'main' (90210) panicked at {REGISTRY}/cubecl-runtime-0.8.1/src/memory_management/memory_pool/\
persistent_pool.rs:151:53:
The size should match
```
"""

BACK_AGAIN = f"""\
Loading a PyTorch file that holds a bool mask, on the pre-release:

```
thread 'main' (3306) panicked at {REGISTRY}/burn-cubecl-0.22.0-pre.2/src/ops/bool_tensor.rs:52:13:
not implemented: Unsupported dtype for `bool_from_data` Bool(Native)
```

I thought that was repaired?
"""

NOT_OURS = f"""\
A model with two `powf` in one block, on Vulkan (burn 0.18.0):

```
thread 'main' panicked at {REGISTRY}/wgpu-25.0.2/src/backend/wgpu_core.rs:1051:26:
wgpu error: Validation Error

Caused by:
  In Device::create_shader_module

Shader parsing error: redefinition of `powf_primitive`
```
"""

MANY_PLACES = """\
Importing a small detection model with burn-import 0.17.1 ends in the build script. It prints only

```
Only tensor input is valid
```
"""

TWO_PLACES = """\
I generate Rust code from an ONNX model (burn 0.20.0). The build script ends after a second:

```
Constant node must have tensor data
```
"""

THE_LINE = f"""\
Found it further up:

```
thread 'main' (58) panicked at {REGISTRY}/burn-import-0.20.0/src/burn/node/constant.rs:25:49:
Constant node must have tensor data
```
"""

SEVERAL = f"""\
Ran over night on CUDA, burn 0.20.0. In the morning the log ended like this:

```
thread '<unnamed>' (512) panicked at {REGISTRY}/burn-ir-0.20.0/src/handle.rs:88:32:
Should have handle for tensor TensorId {{ value: 88121 }}

thread 'main' (501) panicked at {REGISTRY}/burn-train-0.20.0/src/checkpoint/async_checkpoint.rs:123:14:
Can send message to checkpointer thread.: SendError {{ .. }}
```
"""

NO_MORE = """\
Solved: a stale lock file pulled in an old version. Nothing to see here.
"""

ISSUES = {
    "old": Issue("sanna", "Large picture: BufferTooBig", OLD_ISSUE),
    "handle": Issue("rowan", "Training stops after hours: Should have handle for tensor", TWO_LINES),
    "candle": Issue("rowan", "Candle: slice_assign not supported", ONE_LINE),
    "matmul": Issue("noor", "Colour images: The inner dimension of matmul should be the same", TENSOR_CHECK),
    "wish": Issue("noor", "Dataset: first n items", NO_PANIC),
    "ordering": Issue("sanna", "Fine-tuning stops: Ordering is bigger than operations", ECHO),
    "several": Issue("ilse", "Log of a night: several panics", SEVERAL),
    "fixed": Issue("ilse", "memory_cleanup: The size should match", FIXED),
    "again": Issue("noor", "bool mask cannot be loaded", BACK_AGAIN),
    "foreign": Issue("sanna", "Vulkan: redefinition of powf_primitive", NOT_OURS),
    "import": Issue("rowan", "Import of a detection model stops", MANY_PLACES),
    "weights": Issue("ilse", "Import of my ONNX model stops at once", TWO_PLACES),
}
OLD = ("old",)
"""Issues that stood there before the App was installed: no event told of them."""

MAINTAINER = "juno"
"""Has triage permission on the repository."""

SCENES = (
    Scene("Full answer: a panic of two lines, still there in the newest release", "handle", "opened", "posted"),
    Scene("Short card: nobody wrote an entry, but the place is gone since a release", "candle", "opened", "posted"),
    Scene("A tensor check: the reason text names the check, its caller the API", "matmul", "opened", "posted"),
    Scene("An issue without a panic", "wish", "opened", "left alone"),
    Scene("An echo of another panic, alone", "ordering", "opened", "posted"),
    Scene("The same issue, edited: the first panic was added", "ordering", "edited", "edited", ECHO_WITH_ROOT),
    Scene("Several panics in one log", "several", "opened", "posted"),
    Scene("Fixed: the entry names the release and the commit", "fixed", "opened", "posted"),
    Scene("A regression: the report is on a version newer than the fix", "again", "opened", "posted"),
    Scene("A foreign panic, for which we know the cause", "foreign", "opened", "posted"),
    Scene("Several candidate places that one entry explains", "import", "opened", "posted"),
    Scene("One question: two places print this text", "weights", "opened", "posted"),
    Scene(
        "Its answer: the question is hidden, the answer posted anew",
        "weights",
        "commented",
        "posted anew",
        THE_LINE,
        "ilse",
    ),
    Scene("The panic is edited away: hidden as outdated", "candle", "edited", "hidden", NO_MORE),
    Scene("Its author says that the answer is wrong", "fixed", "commented", "hidden", "/triage wrong", "ilse"),
    Scene(
        "A command: its words go into the one comment",
        "handle",
        "commented",
        "edited",
        "Is it this one?\n\n/triage explain KB-0007",
        "rowan",
    ),
    Scene(
        "A command that only maintainers may use", "matmul", "commented", "left alone", "/triage entry KB-0007", "noor"
    ),
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
