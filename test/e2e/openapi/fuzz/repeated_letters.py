"""
Draws a repeated class of letters of a pattern, such as the name in a URN, as one text. hypothesis does so for texts without a
pattern; for one with a pattern it makes and records two choices for each letter. To draw these took most of the time that fuzzing
took, and half of it was for nothing: large bodies had more choices than a test case may have, and were thrown away.
"""

from hypothesis import strategies
from hypothesis.strategies._internal import regex
from hypothesis.strategies._internal.lazy import unwrap_strategies
from hypothesis.strategies._internal.strings import OneCharStringStrategy

REPEATS = (regex.sre.MIN_REPEAT, regex.sre.MAX_REPEAT, regex.sre.POSSESSIVE_REPEAT)

letter_by_letter = regex._strategy


def as_one_text(codes, context, is_unicode, *, alphabet):
    if isinstance(codes, tuple) and codes[0] in REPEATS and is_unicode:
        least, most, repeated = codes[1]
        letters = letters_of(repeated, context, alphabet) if most > 1 else None
        if letters is not None:
            return strategies.text(letters, min_size=least, max_size=None if most == regex.sre.MAXREPEAT else most)
    return letter_by_letter(codes, context, is_unicode, alphabet=alphabet)


def letters_of(repeated, context, alphabet):
    """The class of letters that is repeated, or nothing where something else is."""
    try:
        strategy = unwrap_strategies(as_one_text(repeated, context, True, alphabet=alphabet))
    except regex.IncompatibleWithAlphabet:
        return None
    return strategy if isinstance(strategy, OneCharStringStrategy) else None


regex._strategy = as_one_text
