import pytest
from memassay_claude_code.errors import CannotWitnessError
from memassay_claude_code.ops_index import (
    fits_batch,
    index_backfill,
    index_read,
    index_window,
    sanitise,
    sanitise_many,
)


def test_index_window(bench):
    assert index_window(bench(), {"text": "- a\n"}) == {"kept": "- a", "warning": None}


def test_index_window_with_a_warning(bench):
    text = "".join(f"- {n}\n" for n in range(201))
    seen = index_window(bench(), {"text": text})
    assert seen["kept"] == "\n".join(f"- {n}" for n in range(200))
    assert seen["warning"] == "> WARNING: MEMORY.md is 201 lines. Fake."


def test_an_index_that_holds_the_warnings_words_is_not_taken_for_warned(bench):
    text = "- a\n\n> WARNING: MEMORY.md is my favourite."
    assert index_window(bench(), {"text": text}) == {"kept": text, "warning": None}
    seen = index_window(bench(), {"text": text + "\n- b" * 200})
    assert seen["kept"].startswith(text)
    assert seen["warning"] == "> WARNING: MEMORY.md is 203 lines. Fake."


def test_a_text_that_no_file_can_hold(bench):
    with pytest.raises(CannotWitnessError, match="surrogate"):
        index_window(bench(), {"text": "\ud83d"})


TEXTS = ["", " a ", "<system-reminder>", "a\u200bb", "\n\n", "~~~\n<!-- c -->", "x" * 5000]


def test_sanitise_together_is_as_sanitise_alone(bench):
    one = bench()
    many = [{"text": text} for text in TEXTS]
    together = sanitise_many(one, many)
    assert together == [sanitise(one, args) for args in many]
    assert together[2] == {"text": r"<\system-reminder>"}
    assert together[3] == {"text": "ab"}


@pytest.mark.parametrize("text", ["a\r", "\udc00", "x" * 22_001, "\n" * 180, "a zq8x b"])
def test_texts_that_cannot_be_shown(bench, text):
    with pytest.raises(CannotWitnessError):
        sanitise(bench(), {"text": text})


def test_how_much_fits_together():
    assert fits_batch([{"text": "x" * 10_000}, {"text": "x" * 11_000}])
    assert not fits_batch([{"text": "x" * 11_000}, {"text": "😀" * 5_600}])
    assert fits_batch([{"text": "x"}] * 60)
    assert not fits_batch([{"text": "x"}] * 61)
    assert not fits_batch([{"text": None}])


@pytest.fixture
def memory(nothing_left):
    path = nothing_left / "case" / "mem"
    path.mkdir(parents=True)
    return path


def test_index_read(bench, memory):
    (memory / "MEMORY.md").write_text("- a\n")
    assert index_read(bench(), {"memory_dir": str(memory)}) == {"kept": "- a", "warning": None}


def test_index_read_while_disabled(bench, memory):
    (memory / "MEMORY.md").write_text("- a\n")
    seen = index_read(bench(), {"memory_dir": str(memory), "enabled": False})
    assert seen == {"kept": "", "warning": None}


def test_index_read_of_a_missing_directory_does_not_leave_one(bench, memory):
    missing = memory / "a" / "b"
    assert index_read(bench(), {"memory_dir": str(missing)}) == {"kept": "", "warning": None}
    assert list(memory.iterdir()) == []


def test_index_read_will_not_guess_about_the_warnings_words(bench, memory):
    (memory / "MEMORY.md").write_text("> WARNING: MEMORY.md is mine\n")
    with pytest.raises(CannotWitnessError):
        index_read(bench(), {"memory_dir": str(memory)})


def test_index_backfill(bench, memory):
    (memory / "a.md").write_text("x")
    args = {"memory_dir": str(memory)}
    assert index_backfill(bench(), args) == {"created": True, "text": "- [a](a.md)\n"}
    assert index_backfill(bench(), args) == {"created": False, "text": None}


def test_index_backfill_with_nothing_to_make_it_from(bench, memory):
    seen = index_backfill(bench(), {"memory_dir": str(memory)})
    assert seen == {"created": False, "text": None}


def test_a_dangling_link_is_no_index_that_was_made(bench, memory):
    (memory / "a.md").write_text("x")
    (memory / "MEMORY.md").symlink_to("nowhere")
    seen = index_backfill(bench(), {"memory_dir": str(memory)})
    assert seen == {"created": False, "text": None}
