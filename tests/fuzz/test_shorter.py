from memassay.fuzz.drawn import Drawn
from memassay.fuzz.shorter import shorter_ones
from memassay.spec.builders import Context, build


def test_shorter_questions_are_shorter_and_sound():
    drawn = Drawn({"text": {"concat": ["ab", {"repeat": "c", "times": 9}]}})
    texts = [
        build(one.args["text"], Context.portable(None)) for one in shorter_ones(drawn, {"text"})
    ]
    assert all(len(text) < 11 for text in texts)
    assert {"ab", "ccccccccc", "accccccccc", "abc", "abcccc", "abcccccccc"} <= set(texts)
    assert list(shorter_ones(Drawn({"text": "a"}), {"text"})) == []


def test_a_shorter_directory_keeps_the_memory_directory():
    tree = {
        "m": {"dir": True},
        "m/a.md": {"file": "ab", "age": "1h"},
        "m/x": {"files": {"from": 0, "to": 4, "name": "{n}.md", "text": "", "age_step": "1s"}},
    }
    trees = [
        one.tree for one in shorter_ones(Drawn({"memory_dir": {"path": "m"}}, tree), {"memory_dir"})
    ]
    assert all(one is not None and "m" in one for one in trees)
    assert any(one is not None and "m/a.md" not in one for one in trees)
    assert {one["m/x"]["files"]["to"] for one in trees if one and "m/x" in one} == {0, 2, 3, 4}


def test_arguments_of_a_directory_get_shorter_too():
    args = {
        "cwd": {"path": "p"},
        "env": {"A": "1", "B": {"path": "x"}},
        "settings": {"user": {"k": ["a", "b"], "t": True}},
        "read_files": [{"path": "p/a"}, {"path": "p/b"}],
    }
    found = [
        one.args for one in shorter_ones(Drawn(args, {"p": {"dir": True}}), {"cwd", "settings"})
    ]
    assert all(one["cwd"] == {"path": "p"} for one in found)
    assert {"env": {"B": {"path": "x"}}} in [{"env": one.get("env")} for one in found]
    assert any("env" not in one for one in found)
    assert all("cwd" in one and "settings" in one for one in found)
    assert any(one["settings"] == {} for one in found)
    assert any(one["settings"] == {"user": {"k": ["b"], "t": True}} for one in found)
    assert any(one.get("read_files") == [{"path": "p/b"}] for one in found)


def test_events_lose_their_texts_and_not_their_types():
    events = [{"type": "edit", "text": "ab"}, {"type": "request"}]
    found = [one.args["events"] for one in shorter_ones(Drawn({"events": events}), {"events"})]
    assert [{"type": "edit", "text": "b"}, {"type": "request"}] in found
    assert [{"type": "request"}] in found
    assert all(event["type"] in {"edit", "request"} for one in found for event in one)
