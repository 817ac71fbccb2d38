"""The file in which the App's keys are kept on this machine: JSON, mode 0600, never readable by others for an instant.

It is written whole beside its place and then linked or moved there, so that nobody reads half of it.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from bot.errors import UserError

MODE = 0o600
FOLDER_MODE = 0o700

Kept = Mapping[str, str]
"""Texts by the names of the settings; names that are no setting are facts for us alone (`app_page`, …)."""


def read_kept(path: Path) -> dict[str, str]:
    """What the file holds, {} where there is none. ValueError, with the remedy, where it cannot be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ValueError(f"cannot read the credentials file {path}: {error.strerror}") from None
    except ValueError:
        found = None
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise ValueError(f"the credentials file {path} is not the JSON that `burn-triage setup` writes: restore it")
    return found


def create_kept(path: Path, kept: Kept) -> None:
    """Write the file where there is none. UserError (`credentials_exist`, `credentials_unwritable`)."""
    with _written(path, kept) as fresh:
        try:
            # Unlike a move, a link never takes the place of what is there.
            os.link(fresh, path)
        except FileExistsError:
            raise UserError("credentials_exist", f"there are credentials already, in {path}") from None


def change_kept(path: Path, change: Callable[[dict[str, str]], Kept]) -> Kept:
    """Replace what the file holds by what `change` makes of it, one process at a time; returns the new state.

    Raises ValueError as `read_kept` does, UserError (`credentials_unwritable`).
    """
    path = _behind_link(path)
    with _alone(path.parent):
        after = change(read_kept(path))
        with _written(path, after, _owner(path)) as fresh:
            os.replace(fresh, path)
            _sync_folder(path.parent)
    return after


def check_writable(path: Path) -> None:
    """Find out now whether `create_kept` would succeed. Raises what it raises."""
    if path.exists():
        raise UserError("credentials_exist", f"there are credentials already, in {path}")
    probe = path.with_name(f".{path.name}.probe-{secrets.token_hex(8)}")
    create_kept(probe, {})
    probe.unlink()


@contextmanager
def _written(path: Path, kept: Kept, owner: tuple[int, int] | None = None) -> Iterator[Path]:
    """A new file beside `path` with these values, of user and group `owner` if given; it is gone afterwards."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        with os.fdopen(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, MODE), "w", encoding="utf-8") as file:
            if owner is not None:
                # By its descriptor: the folder is the service's, which could put a link in the place of the name.
                os.fchown(file.fileno(), *owner)
            json.dump(dict(kept), file, indent=1, sort_keys=True)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        yield fresh
    except OSError as error:
        raise UserError(
            "credentials_unwritable",
            f"cannot write the credentials file {path}: {error.strerror}; set BURN_TRIAGE_CREDENTIALS to another place",
        ) from error
    finally:
        with suppress(OSError):
            fresh.unlink()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        place = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise UserError("credentials_unwritable", f"cannot open the folder {folder}: {error.strerror}") from error
    try:
        fcntl.flock(place, fcntl.LOCK_EX)
        yield
    finally:
        os.close(place)


def _behind_link(path: Path) -> Path:
    """Where a link leads: what it leads to is replaced, or its other readers would go on with the old keys.

    One that somebody else made is replaced itself: root must not write where the service points.
    """
    return path.resolve() if path.is_symlink() and path.lstat().st_uid == os.geteuid() else path


def _owner(path: Path) -> tuple[int, int] | None:
    # Root may rotate; the service that reads the file is another user.
    if os.geteuid() != 0 or not path.exists():
        return None
    before = path.stat()
    return before.st_uid, before.st_gid


def _sync_folder(folder: Path) -> None:
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)


class Watched:
    """A value made of the file, made anew when the file changes: a rotation needs no restart."""

    def __init__(self, path: Path, first: tuple[str, ...], read: Callable[[], tuple[str, ...]]) -> None:
        """`first` is the value as of now, `read` gives a later one; where that fails (UserError) the last one stays."""
        self._path = path
        self._read = read
        self._seen = self._stamp()
        self._value = first

    def __call__(self) -> tuple[str, ...]:
        """The value as of now. Costs one look at the file's date."""
        stamp = self._stamp()
        if stamp != self._seen:
            try:
                self._value = self._read()
            except UserError:
                return self._value
            self._seen = stamp
        return self._value

    def _stamp(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns
