import pytest


@pytest.mark.parametrize("field", ["title", "summary", "meaning"])
def test_the_text_of_another_entry_is_found_whatever_its_case_and_marks(changed, by_id, hits, field):
    own, other = by_id["KB-0011"], by_id["KB-0024"]
    text = getattr(other.entry, field).upper().replace("`", "")
    start = own.text.index(f"{field}: ")
    end = own.text.index("\n", start) + 1
    while own.text[end] == " ":
        end = own.text.index("\n", end) + 1
    tree = changed("KB-0011", (own.text[start:end], f"{field}: '{text.replace(chr(39), '')}'\n"))
    assert [hit.path for hit in hits(tree, "same_prose")] == [(field,)]
