import json

from memassay.report.exhibit import exhibit, lines, shortened


def show(mini, case_id, *, full=False):
    case = mini.cases[case_id]
    return list(lines(exhibit(case), case, full=full))


def test_the_request_is_one_line_ready_to_paste(mini):
    assert json.loads(_request(show(mini, "cut-pair"))) == {
        "cmd": "run",
        "id": 1,
        "op": "cut",
        "args": {"text": "-" + "😀" * 8},
    }


def test_bytes_are_in_wire_form(mini):
    assert exhibit(mini.cases["lst-bytes"])["request"]["args"] == {
        "content": {"$bytes": "//4AQQ=="}
    }


def test_the_tree_stands_for_itself_or_is_a_real_place(mini):
    case = mini.cases["lst-three"]
    assert exhibit(case)["request"]["args"] == {"dir": "<TREE>/memory"}
    assert exhibit(case)["root"] == "<TREE>"
    assert exhibit(case, "/w")["request"]["args"] == {"dir": "/w/memory"}
    assert exhibit(mini.cases["cut-at"])["root"] is None


def test_long_texts_are_shortened_unless_all_is_asked_for(mini):
    short, full = show(mini, "cut-long"), show(mini, "cut-long", full=True)
    assert any("--full" in line for line in short)
    assert not any("--full" in line for line in full)
    whole = "\n".join(f"- entry {n:03} of the index" for n in range(1, 301))
    assert json.loads(_request(full))["args"]["text"] == whole
    assert json.loads(_request(short))["args"]["text"] == whole[:100] + "… 7,399 units more"


def test_shortened_counts_units_not_code_points():
    assert shortened("😀" * 100) == ("😀" * 100, 0)  # exactly 200 units
    assert shortened("😀" * 101) == ("😀" * 100 + "… 2 units more", 1)
    assert shortened({"a": ["x" * 201, 1], "b": "y" * 300})[1] == 2


def test_every_comment_is_one(mini):
    shown = show(mini, "lst-three")
    assert all(line.startswith("#") for line in shown[: shown.index(_request(shown))])


def _request(lines):
    return next(line for line in lines if line.startswith('{"cmd"'))
