# ruff: noqa: RUF009 -- `_setting` returns a `dataclasses.field`; the rule cannot see that.
"""The only reader of the environment: every `BURN_TRIAGE_…` variable, checked, into one frozen value."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from bot import board_mode
from bot import setting_values as valid
from bot.credentials import read_kept
from bot.errors import UserError
from bot.setting_values import Address, Network

PREFIX = "BURN_TRIAGE_"
TEST_PREFIX = PREFIX + "TEST_"
PAYLOAD_HOURS_LIMIT = 72
NOT_SET_UP = "Nothing is set up here yet: `burn-triage setup` makes the GitHub App in your browser and keeps its keys."


def _setting(
    help_: str,
    parse: Callable[[str], Any] = str,
    *,
    default: Any = None,
    shown: str = "",
    secret: bool = False,
    kept: bool = False,
) -> Any:
    """`kept`: may stand in the credentials file too."""
    told = {"help": help_, "parse": parse, "secret": secret, "shown": shown, "kept": kept}
    return field(default=default, metadata=told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything an operator can choose. A field `name` is set by the variable `BURN_TRIAGE_NAME`."""

    database_url: str = _setting(
        "Where deliveries, jobs and verdicts are kept: a SQLite file on a local disk, or PostgreSQL.",
        valid.database_url,
        default="",
        shown="`sqlite:///$XDG_STATE_HOME/burn-triage/burn-triage.db`",
    )
    webhook_secret: str | None = _setting("The secret that GitHub signs deliveries with.", secret=True, kept=True)
    webhook_secret_old: str | None = _setting(
        "The previous secret, valid beside the new one while you rotate it.", secret=True, kept=True
    )
    app_id: str | None = _setting("The GitHub App's id or client id.", kept=True)
    private_key: str | None = _setting("The GitHub App's private key, PEM.", valid.private_key, secret=True, kept=True)
    bot_login: str | None = _setting("The login our comments have on GitHub, `<app slug>[bot]`.", kept=True)
    marker_key: str | None = _setting(
        "Key of the HMAC in the marker of our comments; its own, never the webhook secret.", secret=True, kept=True
    )
    marker_key_old: str | None = _setting(
        "Former keys of the marker, one a line: the comments that were signed with them stay ours.",
        secret=True,
        kept=True,
    )
    client_id: str | None = _setting("The GitHub App's client id, for signing in to the dashboard.", kept=True)
    client_secret: str | None = _setting("The GitHub App's client secret.", secret=True, kept=True)
    credentials: Path = _setting(
        "File of mode 0600 in which `burn-triage setup` keeps the App's keys; what a variable says comes before it.",
        valid.folder,
        default=Path("app.json"),
        shown="`$XDG_STATE_HOME/burn-triage/app.json`",
    )
    github_api_url: str = _setting("GitHub's REST API.", valid.url_text, default="https://api.github.com")
    github_url: str = _setting("GitHub's pages, for people.", valid.url_text, default="https://github.com")
    kb: Path | None = _setting("Folder of the knowledge base to read.", valid.folder, shown="see `--kb`")
    clones: Path | None = _setting(
        "Folder with bare clones of burn's repositories, for commits that are no release.", valid.existing_folder
    )
    public_url: str | None = _setting(
        "Where readers reach this server: turns on links to our own pages.", valid.url_text
    )
    pages: str = _setting(
        "Whether the public pages are served beside the webhook: on, off, or auto: on with BURN_TRIAGE_PUBLIC_URL.",
        valid.choice("auto", "on", "off"),
        default="auto",
    )
    board: str = _setting(
        "The maintainers' dashboard: off; login (with GitHub); local (no login, on loopback only, for trying it out); "
        "auto: login where BURN_TRIAGE_CLIENT_ID, its secret and BURN_TRIAGE_PUBLIC_URL are set, else off.",
        valid.choice("auto", "off", "login", "local"),
        default="auto",
    )
    report_url: str | None = _setting("Where a reader of a page reports an error in it.", valid.url_text)
    listen: Address = _setting(
        "Where the receiver listens.", valid.address, default=Address("127.0.0.1", 8000), shown="`127.0.0.1:8000`"
    )
    proxies: tuple[Network, ...] = _setting(
        "Proxies that are believed about who asks (`X-Forwarded-For`), beside those on this machine: addresses or "
        "networks, separated by commas. Without it all that comes through one shares one rate limit.",
        valid.networks,
        default=(),
        shown="those on this machine",
    )
    metrics_listen: Address | None = _setting(
        "Where /metrics listens, apart from the receiver; `off` for nowhere.",
        valid.optional_address,
        default=Address("127.0.0.1", 9464),
        shown="`127.0.0.1:9464`",
    )
    receivers: int = _setting("Receiver processes.", valid.integer(1, 64), default=2)
    receiver_threads: int = _setting("Threads of each receiver process.", valid.integer(1, 128), default=8)
    worker_slots: int = _setting(
        "Issues that one worker handles at a time; those whose turn to write has not come do not count.",
        valid.integer(1, 1024),
        default=64,
    )
    poll_seconds: float = _setting(
        "How often a worker looks for new jobs, in seconds.", valid.number(0.02, 10.0), default=0.1
    )
    settle_seconds: float = _setting(
        "Events on an issue within so many seconds of its last job are handled together.",
        valid.number(0, 300),
        default=5.0,
    )
    job_attempts: int = _setting(
        "Tries of one step of a job before the job is parked.", valid.integer(1, 100), default=8
    )
    lease_seconds: float = _setting(
        "After how many silent seconds a worker counts as dead and its jobs go to another.",
        valid.number(1, 3600),
        default=30.0,
    )
    shutdown_seconds: int = _setting(
        "How long a worker that was told to stop may finish its jobs, in seconds.", valid.integer(1, 600), default=20
    )
    write_seconds: float = _setting(
        "Least time between two writes to one installation, in seconds.", valid.number(0, 60), default=1.0
    )
    writes_per_minute: int = _setting("Writes to one installation in a minute.", valid.integer(1, 10_000), default=80)
    writes_per_hour: int = _setting("Writes to one installation in an hour.", valid.integer(1, 100_000), default=500)
    sweep_seconds: float = _setting(
        "How often GitHub's delivery log is searched for deliveries that did not arrive, in seconds.",
        valid.number(1, 86_400),
        default=600.0,
    )
    reconcile_seconds: float = _setting(
        "How often the issue lists are searched for changes that no delivery told of, in seconds.",
        valid.number(1, 86_400),
        default=3600.0,
    )
    mode: str = _setting(
        "What is done in a repository whose `.github/burn-triage.yml` names no mode: on, shadow (decides and records, "
        "answers only maintainers' commands) or off.",
        valid.choice("on", "shadow", "off"),
        default="shadow",
    )
    configuration_seconds: float = _setting(
        "For how long a repository's configuration file holds before it is looked at again, in seconds.",
        valid.number(0, 86_400),
        default=120.0,
    )
    reactions_seconds: float = _setting(
        "How often reactions on our comments are counted, in seconds; each comment's every sixth time at most.",
        valid.number(1, 86_400),
        default=3600.0,
    )
    reactions_batch: int = _setting(
        "How many comments' reactions are counted at a time: one request each, those first that wait longest.",
        valid.integer(1, 4000),
        default=200,
    )
    payload_hours: float = _setting(
        f"How long raw payloads are kept, in hours; at most {PAYLOAD_HOURS_LIMIT}.",
        valid.number(0, PAYLOAD_HOURS_LIMIT),
        default=float(PAYLOAD_HOURS_LIMIT),
    )
    log_level: str = _setting(
        "How much is logged: debug, info, warning or error.",
        valid.choice("debug", "info", "warning", "error"),
        default="info",
    )
    log_format: str = _setting(
        "How a log line looks: json, text, or auto: text on a terminal, JSON elsewhere.",
        valid.choice("auto", "json", "text"),
        default="auto",
    )

    def require(self, *names: str) -> None:
        """Refuse to go on without these settings. UserError names every one that is missing."""
        missing = [n for n in names if getattr(self, n) is None]
        if missing:
            raise UserError(
                "settings_missing", "\n".join(["Settings are missing:", *_indent([_missing(n) for n in missing])])
            )

    @property
    def serves_pages(self) -> bool:
        """Whether the receiver serves the pages too."""
        wanted = self.public_url is not None or self.board in ("login", "local")
        return self.pages == "on" or (self.pages == "auto" and wanted)

    def secrets(self) -> tuple[str, ...]:
        """The webhook secrets that are valid now, newest first."""
        return tuple(s for s in (self.webhook_secret, self.webhook_secret_old) if s)

    def marker_keys(self) -> tuple[bytes, ...]:
        """The keys of our markers: the first signs, all of them verify. Empty without a key."""
        old = (self.marker_key_old or "").split()
        return tuple(key.encode() for key in (self.marker_key, *old) if key) if self.marker_key else ()

    def __repr__(self) -> str:
        """All but the secrets: a traceback or a log line must not give one away."""
        shown = (f"{f.name}={'***' if _hidden(f) else repr(getattr(self, f.name))}" for f in fields(self))
        return f"Settings({', '.join(shown)})"


def _hidden(item: Field[Any]) -> bool:
    # The database's URL may hold a password.
    return bool(item.metadata["secret"]) or item.name == "database_url"


def _missing(name: str) -> str:
    item = next(f for f in fields(Settings) if f.name == name)
    file_form = f" or {PREFIX}{name.upper()}_FILE" if item.metadata["secret"] else ""
    return f"{PREFIX}{name.upper()}{file_form}: missing. {item.metadata['help']}"


def read_settings(environ: Mapping[str, str] | None = None, *, needed: Sequence[str] = ()) -> Settings:
    """The settings of `environ` (default: the process's environment); those `needed` must be set.

    UserError lists every problem at once: unknown names, unreadable files, values out of range, what is missing.
    """
    env = os.environ if environ is None else environ
    problems: list[str] = []
    values: dict[str, Any] = {}
    missing = set(needed)
    kept = _kept(env, problems)
    for item in fields(Settings):
        try:
            text = _text(env, item) or (kept.get(item.name) if item.metadata["kept"] else None)
            if text is not None:
                values[item.name] = item.metadata["parse"](text)
                missing.discard(item.name)
        except ValueError as error:
            missing.discard(item.name)
            problems.append(f"{PREFIX}{item.name.upper()}: {error}")
    problems += _unknown(env)
    values.setdefault("database_url", "sqlite:///" + str(state_folder(env) / "burn-triage.db"))
    values.setdefault("credentials", credentials_file(env))
    settings = Settings(**values)
    problems += _conflicts(settings)
    problems += [_missing(name) for name in needed if name in missing]
    if needed and missing == set(needed) and not kept:
        problems.append(NOT_SET_UP)
    if problems:
        raise UserError("settings_invalid", "\n".join(["The settings do not hold together:", *_indent(problems)]))
    return settings


def _kept(env: Mapping[str, str], problems: list[str]) -> Mapping[str, str]:
    """The credentials file's texts by the settings' names; what is wrong with it goes to the problems."""
    try:
        return read_kept(credentials_file(env))
    except ValueError as error:
        problems.append(str(error))
        return {}


def credentials_file(env: Mapping[str, str] | None = None) -> Path:
    """Where the App's keys are kept on this machine."""
    env = os.environ if env is None else env
    given = env.get(PREFIX + "CREDENTIALS")
    return valid.folder(given) if given else state_folder(env) / "app.json"


def set_by_variable(name: str, env: Mapping[str, str] | None = None) -> str:
    """The variable that sets this setting (the `_FILE` form too), "" where none does."""
    env = os.environ if env is None else env
    variable = PREFIX + name.upper()
    return next((form for form in (variable, variable + "_FILE") if env.get(form)), "")


def secret_files(env: Mapping[str, str] | None = None) -> list[Path]:
    """Files on this machine that hold a secret: the credentials file and those that a `_FILE` variable names."""
    env = os.environ if env is None else env
    secret = [PREFIX + item.name.upper() + "_FILE" for item in fields(Settings) if item.metadata["secret"]]
    named = [valid.folder(env[name]) for name in secret if env.get(name)]
    return [path for path in (credentials_file(env), *named) if path.exists()]


def _indent(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _text(env: Mapping[str, str], item: Field[Any]) -> str | None:
    """The variable's text; for a secret also the content of the file that its `_FILE` form names."""
    name = PREFIX + item.name.upper()
    text = env.get(name) or None
    path = env.get(name + "_FILE") if item.metadata["secret"] else None
    if text and path:
        raise ValueError(f"set {name} or {name}_FILE, not both")
    if not path:
        return text
    try:
        return Path(path).expanduser().read_text(encoding="utf-8").strip() or None
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise ValueError(f"cannot read the file {path} that {name}_FILE names: {why}") from None


def _unknown(env: Mapping[str, str]) -> list[str]:
    known = _variables()
    found = []
    for name in sorted(env):
        if name.startswith(PREFIX) and name not in known and not name.startswith(TEST_PREFIX):
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.75)
            found.append(f"{name}: no such setting" + (f"; did you mean {near[0]}?" if near else ""))
    return found


def _variables() -> list[str]:
    names = []
    for item in fields(Settings):
        names.append(PREFIX + item.name.upper())
        if item.metadata["secret"]:
            names.append(names[-1] + "_FILE")
    return names


def _conflicts(settings: Settings) -> list[str]:
    found = []
    metrics = settings.metrics_listen
    if metrics and metrics.port and metrics.port == settings.listen.port:
        found.append(f"{PREFIX}METRICS_LISTEN: give another port than {PREFIX}LISTEN has ({metrics.port})")
    if settings.marker_key and settings.marker_key in settings.secrets():
        found.append(f"{PREFIX}MARKER_KEY: must differ from the webhook secret")
    return [*found, *board_mode.problems(settings)]


def state_folder(env: Mapping[str, str] | None = None) -> Path:
    """Where our own files live: `$XDG_STATE_HOME/burn-triage`, else `~/.local/state/burn-triage` (XDG base folders)."""
    env = os.environ if env is None else env
    root = env.get("XDG_STATE_HOME", "")
    home = Path(env["HOME"]) if env.get("HOME") else Path.home()
    # The specification tells us to ignore a relative path.
    base = Path(root) if Path(root).is_absolute() else home / ".local" / "state"
    return base / "burn-triage"


def settings_table() -> str:
    """Every setting as a Markdown table, for the documentation."""
    rows = ["| Variable | Default | What it is |", "|---|---|---|"]
    for item in fields(Settings):
        name = PREFIX + item.name.upper()
        variable = f"`{name}`" + (f", `{name}_FILE`" if item.metadata["secret"] else "")
        rows.append(f"| {variable} | {_default(item)} | {item.metadata['help']} |")
    return "\n".join(rows) + "\n"


def _default(item: Field[Any]) -> str:
    if item.metadata["shown"]:
        return str(item.metadata["shown"])
    if item.default is None or item.default is MISSING:
        return "none"
    return f"`{item.default:g}`" if isinstance(item.default, float) else f"`{item.default}`"
