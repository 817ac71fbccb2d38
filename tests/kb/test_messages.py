"""One message against many templates."""

from kb.messages import MessageMatcher
from kb.model import SiteKey, SiteKind
from kb.template import Fit


def key(function, template, kind=SiteKind.PANIC):
    return SiteKey("o/r", "c", function, kind, template)


SHORT = key("a", "Ordering is bigger than operations")
LONG = key("a", "Ordering is bigger than operations: {} left, {} done")
OTHER = key("b", "Ordering is bigger than operations", SiteKind.EXPECT)


def test_the_fuller_and_longer_fit_comes_first():
    hits = MessageMatcher([SHORT, LONG]).match("Ordering is bigger than operations: 3 left, 4 done")
    assert [(h.template, h.fit) for h in hits] == [(LONG.template, Fit.FULL), (SHORT.template, Fit.PREFIX)]


def test_one_text_at_several_places_names_them_all():
    twice = key("c", SHORT.template)
    hits = MessageMatcher([SHORT, twice]).match("Ordering is bigger than operations")
    assert hits[0].keys == (SHORT, twice)


def test_an_expect_prints_its_error_behind_the_words():
    hits = MessageMatcher([OTHER]).match("Ordering is bigger than operations: Timeout")
    assert [h.fit for h in hits] == [Fit.FULL]


def test_words_count_from_the_start_of_the_message_only():
    assert MessageMatcher([SHORT]).match("It said: Ordering is bigger than operations") == []


def test_too_few_fixed_characters_are_no_evidence():
    assert MessageMatcher([key("a", "Failed {} {}")]).match("Failed 1 2") == ()


def test_no_templates_and_no_text():
    assert MessageMatcher([]).match("anything at all") == ()
    assert MessageMatcher([SHORT]).match("   ") == ()


def test_a_text_of_any_length_mentions_the_words_or_does_not():
    matcher = MessageMatcher([SHORT, key("a", "Reading {} ends at byte {} of them")])
    assert matcher.mentions("a " * 9000 + "it said\nOrdering is\nbigger than  operations, and so on", 20) is True
    assert matcher.mentions("of them, 3 ends at byte 4. Reading", 12) is True
    assert matcher.mentions("it ends at byte 3", 12) is False
    assert matcher.mentions("Ordering is bigger than operations", 40) is False
    assert MessageMatcher([]).mentions("anything at all", 1) is False


def test_a_text_that_was_cut_is_the_longer_sentence_it_begins():
    general, special = key("a", "Unsupported dtype {:?}"), key("b", "Unsupported dtype for `bool_from_data` {:?}")
    matcher = MessageMatcher([general, special])
    assert [h.template for h in matcher.match("Unsupported dtype for `bool_from_d...")] == [special.template]
    assert [h.template for h in matcher.match("Unsupported dtype Float...")] == [general.template]
    assert [h.template for h in matcher.match("Unsupported dtype for all that is holy")] == [general.template]


def test_a_sentence_without_its_full_stop_is_still_the_whole_sentence():
    short = key("a", "The device did not answer. It may be asleep.")
    whole = key("b", "The device did not answer. It may be asleep. Wake it up and try again.", SiteKind.EXPECT)
    said = "The device did not answer. It may be asleep. Wake it up and try again"
    assert [h.template for h in MessageMatcher([short, whole]).match(said)] == [whole.template]
    assert [h.template for h in MessageMatcher([short]).match(said)] == [short.template]


def test_a_text_that_ends_at_a_hole_is_as_good_as_one_that_lacks_its_full_stop():
    old, new = key("a", "Cannot read the lost handle."), key("b", "Cannot read the lost handle {id:?}.")
    hits = MessageMatcher([old, new]).match("Cannot read the lost handle")
    assert {h.template for h in hits} == {old.template, new.template}
