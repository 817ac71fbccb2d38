"""Private things leave a text; what says where in the source we are stays."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.redact import redact, redact_json

TAIL = ".cargo/registry/src/index.crates.io-6f17d22bba15001f/burn-core-0.17.0/src/x.rs:4:2"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"at /home/ann/{TAIL}", f"at [home]/{TAIL}"),
        (f"at /Users/Ann Smith/{TAIL}", f"at [home]/{TAIL}"),
        ("cd /home/ann And then 1/2 of it", "cd [home] And then 1/2 of it"),
        (f"at C:\\Users\\Ann B. Smith\\{TAIL}", f"at [home]\\{TAIL}"),
        (f"at /root/{TAIL}", f"at [home]/{TAIL}"),
        (f"at C:\\Users\\ann\\{TAIL}", f"at [home]\\{TAIL}"),
        (f"at c:/users/ann/{TAIL}", f"at [home]/{TAIL}"),
        (f"at /mnt/c/Users/ann/{TAIL}", f"at [home]/{TAIL}"),
        ("write to ann.b+c@mail.example.co.uk now", "write to [email] now"),
        ("from 192.168.1.77:8080", "from [ip]:8080"),
        ("from 2001:db8::8a2e:370:7334", "from [ip]"),
        ("postgres://ann:hunter2@db.local/x", "postgres://[credentials]@db.local/x"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer [token]"),
        ("API_KEY=abcdef1234567890", "API_KEY=[secret]"),
        ('"password": "correct1horse"', '"password": "[secret]"'),
        ("ghp_" + "a1" * 18, "[token]"),
        ("github_pat_" + "A1_" * 20, "[token]"),
        ("AKIA" + "ABCDEFGH12345678", "[token]"),
        ("hf_" + "a" * 34, "[token]"),
        ("sk-ant-" + "a1-" * 12, "[token]"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_DEF-123456", "[token]"),
        (
            "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\nbnNz\n-----END OPENSSH PRIVATE KEY-----\nafter",
            "[private key]\nafter",
        ),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE cut off", "[private key]"),
    ],
)
def test_what_is_private_is_replaced(text: str, expected: str):
    assert redact(text) == expected


HEX = "0123456789abcdef"
MIXED = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0"


@pytest.mark.parametrize(
    "token",
    [
        f"glrt-{MIXED[:20]}", f"xapp-1-A0123-4567-{HEX}", "ABIAABCDEFGH12345678", f"SK{HEX * 2}", f"{HEX * 2}-us12",
        f"sq0csp-{MIXED}", f"110201543:A{MIXED[:34]}", f"M{MIXED[:23]}.Cl2FMQ.{MIXED[:27]}", f"dop_v1_{HEX * 4}",
        f"AKCp8{MIXED * 2}", f"dckr_pat_{MIXED[:27]}", f"lin_api_{MIXED}", f"shpat_{HEX * 2}",
        f"AGE-SECRET-KEY-1{'QPZRY9X8GF' * 6}"[:74], f"nvapi-{MIXED * 2}", f"gsk_{MIXED * 2}", f"rubygems_{HEX * 3}",
        f"dapi{HEX * 2}", f"glpat-{MIXED[:27]}.01.{HEX[:9]}", f"r8_{MIXED[:37]}", f"ntn_{MIXED}", f"xai-{MIXED * 2}",
        f"pplx-{MIXED}12345678", f"GOCSPX-{MIXED[:28]}", f"abc8Q~{MIXED[:34]}", f"dp.st.prd.{MIXED}",
        f"hvs.{MIXED * 2}",
        f"{MIXED[:14]}.atlasv1.{MIXED * 2}"[:90], f"pul-{HEX * 3}"[:44], f"sntryu_{HEX * 4}",
        f"glsa_{HEX * 2}_{HEX[:8]}",
        f"NRAK-{'ABC123XYZ' * 3}", f"PMAK-{HEX}{HEX[:8]}-{HEX * 2}ab", f"whsec_{MIXED[:32]}", f"key-{HEX * 2}",
        f"FlyV1 fm2_{MIXED * 2}", f"secret_{MIXED}abc", f"sha256~{MIXED}abc", f"xkeysib-{HEX * 4}-{MIXED[:16]}",
    ],
)  # fmt: skip
def test_tokens_of_the_well_known_kinds(token: str):
    assert redact(f"it says {token}.") == "it says [token]."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("machine api.wandb.ai login user password 1d80e1ed51", "machine api.wandb.ai login user password [secret]"),
        ("curl -s -u ann:VB75jjy63 https://example.com", "curl -s -u ann:[secret] https://example.com"),
        ("Cookie: session=Qz0eRQO3; theme=dark\nnext", "Cookie: [secret]\nnext"),
        ('{"username":"ann","key":"5260ebfdc409e7349f28ca442f72d781"}', '{"username":"ann","key":"[secret]"}'),
        ('"auth": "bm90IGEgc2VjcmV0IQ=="', '"auth": "[secret]"'),
        ("password: hunter2", "password: [secret]"),
        (f"https://discord.com/api/webhooks/1234567/{MIXED}", "https://discord.com/api/webhooks/[token]"),
        (f"https://x.blob.example/y?ss=b&sig={MIXED}%3D", "https://x.blob.example/y?ss=b&sig=[token]"),
    ],
)
def test_secrets_that_their_surroundings_tell(text: str, expected: str):
    assert redact(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"PWD=/home/ann/{TAIL}", f"PWD=[home]/{TAIL}"),
        (f"pwd: C:\\Users\\ann\\{TAIL}", f"pwd: [home]\\{TAIL}"),
        ("pwd=hunter2", "pwd=[secret]"),
        ("password=/hunter2", "password=[secret]"),
        *(
            (text, text)
            for text in (
                "panicked at r8_quantized_matmul_kernel_launch_unchecked_inner",
                'Err` value: Io("hf_hub_download_model_from_the_repository")',
                "called figd_get_the_layers_of_a_frame_by_their_name",
                "glc_global_lock_contention_counter_exceeded_64_times",
            )
        ),
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str, expected: str):
    assert redact(text) == expected


@pytest.mark.parametrize(
    "seed",
    [
        "secret_",
        "password:",
        "a_token=",
        "api_key",
        "curl -u a",
        "login a password ",
        "cookie: a",
        "a@a.",
        "::a",
        "1//0",
    ],
)
def test_no_text_takes_more_than_its_length(seed: str):
    """What anybody may write into an issue is looked at in a time that grows with it; a square would be minutes."""

    def seconds(size: int) -> float:
        text = seed * (size // len(seed))
        began = time.process_time()
        redact(text)
        return time.process_time() - began

    assert seconds(65_536) < 3


def test_of_an_address_with_a_token_the_address_stays():
    told = redact(f"https://hooks.slack.com/services/T01ABCDEF/B01ABCDEF/{MIXED[:24]} AccountKey={'Ab1/' * 21}Ab==")
    assert told == "https://hooks.slack.com/services/[token] AccountKey=[token]"


@pytest.mark.parametrize(
    "text",
    [
        "thread 'main' panicked at src/main.rs:4:5:",
        "called `Result::unwrap()` on an `Err` value: Os { code: 2, kind: NotFound }",
        "burn 0.17.0, cubecl 0.5.0-pre.3, CUDA 12.4.1.0-rc1",
        "std::rc::Rc<core::cell::RefCell<T>>, a::b::c1::d2",
        "listening on 127.0.0.1:8000 and [::1]:8000, 0.0.0.0",
        "/rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/library/core/src/panicking.rs:75:14",
        "546cacb55fe00168854d19bdf0a5d79bd8060e03",
        "<B as burn_tensor::ops::TensorOps<B>>::matmul @ line 4",
        "at 12:30:45 the token count was 4096, secret: none",
        "https://github.com/tracel-ai/burn/blob/546cacb55fe00168854d19bdf0a5d79bd8060e03/src/x.rs#L56",
        "/homes/x and ./home/y, my/Users/z",
    ],
)
def test_what_is_not_private_stays(text: str):
    assert redact(text) == text


@given(st.text())
def test_redacting_again_changes_nothing(text: str):
    once = redact(text)
    assert redact(once) == once


class Kind(StrEnum):
    ONE = "one"


@dataclass(frozen=True, slots=True)
class Inner:
    path: str
    kind: Kind = Kind.ONE
    names: frozenset[str] = frozenset({"b", "a"})


def test_any_plain_value_becomes_redacted_json():
    value = {"inner": Inner("/home/ann/x.rs"), "list": ("a@b.de", None, 1.5, True), "odd": "\ud800\x00"}
    expected = {
        "inner": {"path": "[home]/x.rs", "kind": "one", "names": ["a", "b"]},
        "list": ["[email]", None, 1.5, True],
        "odd": "?\ufffd",
    }
    assert redact_json(value) == expected


@given(st.recursive(st.none() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)))
def test_redacted_json_can_be_stored_anywhere(value: object):
    text = json.dumps(redact_json(value), ensure_ascii=False)
    text.encode("utf-8")
    assert "\\u0000" not in text or "\\u0000" in json.dumps(value)


def test_a_value_that_is_not_plain_is_a_mistake():
    with pytest.raises(TypeError):
        redact_json(object())
