from pathlib import Path

import pytest

from kb.errors import KnowledgeBaseError
from kb.family import Member, Rename, load_family


def family(tmp_path: Path, text: str):
    (tmp_path / "repos.yaml").write_text(text)
    return load_family(tmp_path)


def test_a_block_may_be_empty_and_fields_have_defaults(tmp_path: Path):
    first, second = family(tmp_path, "a/b:\nc/d:\n  branch: dev\n  foreign: [wgpu]\n")
    assert first == Member("a/b")
    assert second == Member("c/d", branch="dev", foreign=("wgpu",))
    assert second.name == "d"


def test_a_renamed_crate_stays_in_its_repository_unless_another_is_named(tmp_path: Path):
    text = "a/b:\n  renamed:\n    - {from: x, to: y, since: v1.0.0}\n    - {from: z, to: z, repo: c/d, since: v2.0.0}\n"
    assert family(tmp_path, text)[0].renamed == (Rename("x", "y", "v1.0.0", "a/b"), Rename("z", "z", "v2.0.0", "c/d"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no repositories"),
        ("- a/b\n", "no repositories"),
        ("burn:\n", "burn: not a repository; write owner/name"),
        ("a/b: main\n", "a/b: not a block of fields"),
        ("a/b:\n  brach: dev\n", "a/b: unknown field brach"),
        ("a/b:\n  foreign: wgpu\n", "foreign is no list"),
        ("a/b:\n  tags: '('\n", "tags is no regular expression"),
        ("a/b:\n  tags: 'v.*'\n", "no group `version`"),
        ("a/b:\n  renamed: [{from: x}]\n", "needs `from`, `to` and `since`"),
    ],
)
def test_what_cannot_be_used_is_named_with_the_remedy(tmp_path: Path, text: str, words: str):
    with pytest.raises(KnowledgeBaseError, match=r"repos\.yaml") as raised:
        family(tmp_path, text)
    assert words in str(raised.value)
