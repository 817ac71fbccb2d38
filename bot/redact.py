"""Takes private things out of text before it is kept, shown or logged. Pure.

What is analysed is raw; whatever is written elsewhere goes through here. Of a path, the part that says where in the
source we are is kept: `/home/ann/.cargo/registry/src/…/burn-core-0.17.0/src/x.rs` keeps its crate and file.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

Replace = str | Callable[[re.Match[str]], str]


def redact(text: str) -> str:
    """The text with tokens, private keys, e-mail addresses, home folders and IP addresses replaced by `[what]`."""
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text


def redact_json(value: object) -> Any:
    """Any plain value (dataclasses and enums too) as JSON in which every text went through `redact`.

    Lone surrogates become U+FFFD: no database can store them.
    """
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str):
        return redact(value).encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): redact_json(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: redact_json(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, frozenset | set):
        return sorted(redact_json(item) for item in value)
    if isinstance(value, Sequence):
        return [redact_json(item) for item in value]
    raise TypeError(f"{type(value).__name__} is no plain value")


def _address(match: re.Match[str]) -> str:
    """An IP address of a machine; not a version number that looks like one, nor loopback or `::` in Rust paths."""
    text = match[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    return text if address.is_loopback or address.is_unspecified else "[ip]"


def _ipv6(match: re.Match[str]) -> str:
    # `a::b` is a Rust path as well as an address: ask for a digit and for more than one group before believing it.
    return _address(match) if any(c.isdigit() for c in match[0]) and match[0].count(":") > 2 else match[0]


_TOKENS = (
    r"gh[pousr]_[A-Za-z0-9_]{20,255}",  # GitHub: personal, OAuth, user, server, refresh
    r"github_pat_[A-Za-z0-9_]{22,255}",
    r"(?:gl(?:pat|rt|dt|ft|ptt|cbt|soat|imt|agent|oas)-|GR1348941)[A-Za-z0-9_-]{20,}(?:\.[0-9a-z]{2,9}){0,2}",  # GitLab
    r"(?:(?i:xox[abeoprs])|xapp)-(?:[A-Za-z0-9-]{10,}|(?:\d+-)+[A-Za-z0-9]+)",  # Slack
    r"(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|ANPA|A3T[A-Z0-9])[A-Z0-9]{16}",  # AWS
    r"AIza[A-Za-z0-9_-]{35}",  # Google
    r"ya29\.[A-Za-z0-9_-]{20,}",
    r"sk-(?:proj-|ant-|live-)?[A-Za-z0-9_-]{20,}",
    r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}",  # Stripe
    r"npm_[A-Za-z0-9]{36}",
    r"pypi-[A-Za-z0-9_-]{40,}",
    r"cio[A-Za-z0-9]{32}",  # crates.io
    r"(?:AC|SK)[0-9a-z]{32}",  # Twilio
    r"[0-9a-z]{32}-us\d{1,2}",  # Mailchimp
    r"sq0(?:atp|csp|idp)-[A-Za-z0-9_\\-]{22,}",  # Square
    r"\d{8,10}:[A-Za-z0-9_-]{35}",  # Telegram
    r"[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}",  # Discord
    r"do[opr]_v1_[0-9a-f]{64}",  # DigitalOcean
    r"AKC[A-Za-z0-9]{10,}|AP(?=[A-Za-z]*\d)[0-9A-F][A-Za-z0-9]{8,}",  # Artifactory
    r"dckr_pat_[A-Za-z0-9_-]{20,}",  # Docker
    r"lin_api_[A-Za-z0-9]{32,}",  # Linear
    r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}",  # Shopify
    r"AGE-SECRET-KEY-1[A-Z0-9]{58}",  # age
    r"nvapi-[A-Za-z0-9_-]{40,}",  # NVIDIA
    r"gsk_[A-Za-z0-9]{40,}",  # Groq
    r"rubygems_[0-9a-f]{48}",
    r"dapi[0-9a-f]{32}",  # Databricks
    # For models and hosts. Names of functions begin so too, with underscores or without a digit.
    r"(?:hf|api_org|r8|nfp|ntn|rpa|pnu|glc)_[A-Za-z0-9]{30,}|figd_(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{38,}",
    r"(?:xai|pplx)-[A-Za-z0-9]{40,}",
    r"secret_(?:[A-Za-z0-9]{43}|[A-Za-z0-9]+_[0-9a-f]{32}\.[A-Za-z0-9]{32})",  # Notion, Lambda
    r"GOCSPX-[A-Za-z0-9_-]{28}|1//0[A-Za-z0-9_-]{40,}",  # Google OAuth
    r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}",  # Microsoft Entra
    r"dp\.(?:pt|ct|st|sa|scim|audit)\.(?:[a-z0-9_-]{1,40}\.)?[A-Za-z0-9]{40,}",  # Doppler
    r"hv[sbr]\.[A-Za-z0-9_-]{24,}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}",  # HashiCorp
    r"pul-[0-9a-f]{40}|sbp_[0-9a-f]{40}|key-[0-9a-f]{32}|sq[upa]_[0-9a-f]{40}|sgp_(?:[0-9a-f]{16}_)?[0-9a-f]{40}",
    r"sntry[su]_[A-Za-z0-9+/=_-]{40,}|glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}",  # Sentry, Grafana
    r"NRAK-[A-Z0-9]{27}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|HRKU-AA[A-Za-z0-9_-]{58}|LTAI[A-Za-z0-9]{20}",
    r"whsec_[A-Za-z0-9+/=]{24,}|xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}|rdme_[a-z0-9]{70}|CLOJARS_[a-z0-9]{60}",
    r"(?:FlyV1 )?fm[12][ar]?_[A-Za-z0-9+/=]{60,}|pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.-]{32,}",
    r"AT[AC]TT3[A-Za-z0-9_=-]{100,}|dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}|sha256~[A-Za-z0-9_-]{43}",
    r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",  # SendGrid
    r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",  # JWT
)

_NAME = r"[^\\/\s:\"'`<>|]"
_FOLDER = rf"{_NAME}+(?:(?: (?-i:[A-Z]){_NAME}*){{1,2}}(?=[\\/]))?"
"""A home folder's name; with blanks in it only where the next words are written like names and a separator follows."""

_RULES: tuple[tuple[re.Pattern[str], Replace], ...] = (
    (
        re.compile(
            r"-{4,5} ?BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}.*?"
            r"(?:-{4,5} ?END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}|\Z)",
            re.S,
        ),
        "[private key]",
    ),
    (re.compile(r"PuTTY-User-Key-File-\d.*?(?:Private-MAC:\s*\w+|\Z)", re.S), "[private key]"),
    (re.compile(r"(?<![A-Za-z0-9_])(?:" + "|".join(_TOKENS) + r")(?![A-Za-z0-9_])"), "[token]"),
    (re.compile(r"(?i)(hooks\.slack\.com/(?:services|workflows)/)[A-Z0-9+/_-]{5,}"), r"\1[token]"),
    (re.compile(r"(?i)(api.softlayer.com/soap/v3(?:.1)?/)[a-z0-9]{64}"), r"\1[token]"),
    (re.compile(r"(_authToken=\s*)\S+"), r"\1[token]"),  # npm
    (re.compile(r"(?i)(discord(?:app)?\.com/api/webhooks/)\d+/[\w-]+"), r"\1[token]"),
    (re.compile(r"(?i)(webhook\.office\.com/webhookb2/)[\w@/-]+"), r"\1[token]"),
    (re.compile(r"([?&]sig=)[A-Za-z0-9%/+=]{40,}"), r"\1[token]"),  # Azure
    (re.compile(r"(\"auth\"\s*:\s*\")[A-Za-z0-9+/=]{16,}(?=\")"), r"\1[secret]"),  # Docker
    (re.compile(r"(\"key\"\s*:\s*\")[0-9a-f]{32}(?=\")"), r"\1[secret]"),  # Kaggle
    (re.compile(r"(\blogin\s+\S{1,100}\s+password\s+)\S+"), r"\1[secret]"),  # .netrc
    (re.compile(r"(\bcurl\b[^\n]{0,200}?\s(?:-u|--user)\s*[\"']?[^\s:\"']{1,100}:)[^\s\"']+"), r"\1[secret]"),
    (re.compile(r"(?i)\b((?:set-)?cookie:[ \t]*)[^\s=;]{1,64}=[^\r\n\"']+"), r"\1[secret]"),
    (
        # What $PWD holds is a path, and none.
        re.compile(
            r"(?i)\b((?:password|passwd|pwd(?![\"']?[ \t]*[=:][ \t]*[\"']?(?:[/~.]|[a-z]:[\\/])))"
            r"[\"']?[ \t]*[=:][ \t]*[\"']?)(?=[^\s\"']{0,99}\d)[^\s\"',;]{6,}"
        ),
        r"\1[secret]",
    ),
    (
        re.compile(r"(?i)(aws.{0,20}?(?:key|pwd|pw|password|pass|token).{0,20}?['\"])[0-9a-z/+]{40}(?=['\"])"),
        r"\1[token]",
    ),
    (re.compile(r"(AccountKey=)[A-Za-z0-9+/=]{40,}"), r"\1[token]"),  # Azure
    (re.compile(r"(?i)\b(authorization:\s*(?:bearer|basic|token)\s+)\S+"), r"\1[token]"),
    (re.compile(r"(://)[^\s/@:]+:[^\s/@]+@"), r"\1[credentials]@"),
    (
        re.compile(
            r"(?i)\b((?:[a-z0-9_]{0,40}_)?(?:password|passwd|secret|token|api_?key|access_?key)[a-z0-9_]{0,40}[\"']?\s{0,9}[=:]"
            r"\s{0,9}[\"']?)(?=[^\s\"']{0,99}\d)[^\s\"',;]{12,}"
        ),
        r"\1[secret]",
    ),
    (
        # Cloudant, SoftLayer, IBM Cloud and COS: what follows their name and "key" by an assignment of any language.
        re.compile(
            r"(?i)(?<![a-z0-9])((?:cloudant|clou|cl|softlayer|sl|ibm|iam|cos|secret|api|access)[a-z_-]{0,24}"
            r"(?:key|pwd|pw|password|pass|token)[\"']?\]? *(?:=>|:=|::|=|:| ) *[\"']?)[a-z0-9_-]{24,}"
        ),
        r"\1[secret]",
    ),
    (
        re.compile(
            r"(?i)((?:key|pwd|pw|password|pass|token)[\"']?\]? *(?:=>|:=|::|=|:) *[\"']?)"
            r"(?=[a-z_-]{0,43}\d)[a-z0-9_-]{44}(?![a-z0-9_-])"
        ),
        r"\1[secret]",
    ),
    (re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}\b"), "[email]"),
    (re.compile(r"(?i)\b[a-z]:[\\/]+(?:users|documents and settings)[\\/]+" + _FOLDER), "[home]"),
    (re.compile(r"(?<![\w.])/(?:mnt/[a-z]/Users|home|Users|data/home)/" + _FOLDER), "[home]"),
    (re.compile(r"(?<![\w.])/(?:root|var/root)(?=/)"), "[home]"),
    (re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]|-\w)"), _address),
    (re.compile(r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{1,4}(?![\w:])"), _ipv6),
)
