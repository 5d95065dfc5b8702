"""What the properties of the judge are tried on."""

from hypothesis import strategies as st

from memassay.judge.matchers import MATCHERS
from memassay.judge.verdict import Mismatch, Outcome, Position, Verdict

RESERVED = {*MATCHERS, "$bytes", "$zlib", "$plain"}


def _whole(text):
    """Join the halves of surrogate pairs: no JSON text holds both halves apart."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


texts = st.text(
    st.characters() | st.sampled_from("\ud83d\ude00\n\r\t<TREE>-SLUG😀é\u0301\u200b"), max_size=12
).map(_whole)
numbers = st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)
leaves = st.none() | st.booleans() | numbers | texts
any_keys = texts | st.sampled_from(sorted(RESERVED))


def json_of(keys):
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
        max_leaves=8,
    )


json_values = json_of(any_keys)
"""Any JSON value, mappings that look like signs and matchers included."""

plain_json = json_of(texts.filter(lambda key: key not in RESERVED))
"""JSON values in which nothing is a matcher or a sign."""

long_texts = st.builds(lambda text, times: text * times, texts, st.integers(0, 400))

positions = st.builds(Position, st.integers(0, 10**6), st.integers(1, 10**6), st.integers(1, 10**6))
mismatches = st.builds(
    Mismatch,
    texts,
    long_texts,
    json_values | long_texts,
    json_values | long_texts,
    st.none() | positions,
)


@st.composite
def verdicts(draw, case="x-case"):
    return Verdict(
        case=case,
        rule="X-1",
        chapter="x",
        level=draw(st.sampled_from(["MUST", "SHOULD", "MAY"])),
        outcome=draw(st.sampled_from([o for o in Outcome if o is not Outcome.NOT_RUN])),
        result=draw(st.none() | st.dictionaries(any_keys, json_values | long_texts, max_size=3)),
        error=draw(st.none() | st.fixed_dictionaries({"code": texts, "message": long_texts})),
        mismatches=tuple(draw(st.lists(mismatches, max_size=3))),
        reason=draw(st.none() | long_texts),
        stderr=draw(st.none() | long_texts),
        nulls=draw(st.dictionaries(st.sampled_from(["nothing", "echo"]), st.booleans())),
    )
