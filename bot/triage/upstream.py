"""Where the crates that burn stands on are developed: the repository that a foreign panic belongs to. Pure.

Source: the `repository` field of each crate's Cargo.toml; for crates that moved, of the newest one. What is not in the
list is named by crate and version alone.
"""

from __future__ import annotations

from bot.triage.model import Location

CRATES = {
    "gfx-rs/wgpu": ("naga", "wgpu", "wgpu-core", "wgpu-hal", "wgpu-types"),
    "rust-ndarray/ndarray": ("ndarray", "ndarray-rand"),
    "chelsea0x3b/cudarc": ("cudarc",),
    "LaurentMazare/tch-rs": ("tch", "torch-sys"),
    "huggingface/candle": ("candle-core", "candle-kernels"),
    "huggingface/safetensors": ("safetensors",),
    "image-rs/image": ("image",),
    "bluss/matrixmultiply": ("matrixmultiply",),
    "VoidStarKat/half-rs": ("half",),
    "tokio-rs/tokio": ("tokio",),
}
"""Crates of each repository, as the package registry calls them."""

_HOMES = {crate: repo for repo, crates in CRATES.items() for crate in crates}


def home(location: Location) -> str | None:
    """`owner/name` of the repository that publishes the crate of this location.

    None without a version or with a commit: a folder of that name may be anybody's fork.
    """
    if location.std or location.commit or not location.version:
        return None
    return _HOMES.get(location.crate or "")
