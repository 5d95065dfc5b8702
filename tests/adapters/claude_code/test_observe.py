import pytest
from memassay_claude_code import observe
from memassay_claude_code.errors import WireChangedError


def request(*texts, system="# Memory\n\nwords `/m/` words `/n/`"):
    return {
        "system": [{"type": "text", "text": system}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": text} for text in texts]},
            {"role": "assistant", "content": "plain text is content too"},
        ],
    }


def injected(body, path="/m/MEMORY.md", before=""):
    return f"<system-reminder>\n{before}Contents of {path} (a label):\n\n{body}\n</system-reminder>"


def test_memory_dir_is_the_first_path_of_the_section():
    assert observe.memory_dir(request()) == "/m"


def test_memory_dir_in_a_system_message_of_the_conversation():
    body = {"messages": [{"role": "system", "content": "intro\n# Memory\n\nat `rel/dir/`."}]}
    assert observe.memory_dir(body) == "rel/dir"


@pytest.mark.parametrize("system", ["", "# Memory of old\n`/m/`", "# Memory\nno path"])
def test_no_section_no_directory(system):
    assert observe.memory_dir(request(system=system)) is None


def test_index_is_taken_whole_up_to_the_end_of_its_block():
    text = "- a\n\n> quoted\nContents of /z/MEMORY.md (x):\n\n- b"
    assert observe.index_body(request(injected(text), "hello")) == text


def test_index_after_another_file_of_instructions():
    before = "Contents of /w/CLAUDE.md (label):\n\nbe nice\n\n"
    assert observe.index_body(request(injected("- a", before=before))) == "- a"


def test_what_the_user_says_is_no_index():
    assert observe.index_body(request("Contents of /m/MEMORY.md (x):\n\n- a")) is None


def test_nothing_injected():
    assert observe.window(request("hello")) == observe.Window("", None)


def test_an_unfamiliar_end_of_the_block_is_a_changed_wire():
    text = injected("- a").replace("\n</system-reminder>", "</other>")
    with pytest.raises(WireChangedError, match="other"):
        observe.index_body(request(text))
    assert observe.index_body(request(text), "</other>") == "- a"


def test_warning_is_told_apart():
    seen = observe.window(request(injected("- a\n\n> WARNING: MEMORY.md is big. Cut.")))
    assert seen == observe.Window("- a", "> WARNING: MEMORY.md is big. Cut.")


def test_warning_without_anything_kept():
    seen = observe.window(request(injected("> WARNING: MEMORY.md is big. Cut.")))
    assert seen == observe.Window("", "> WARNING: MEMORY.md is big. Cut.")


def test_warning_is_the_last_one():
    fake = "> WARNING: MEMORY.md is fake."
    seen = observe.window(request(injected(f"- a\n\n{fake}\n\n> WARNING: MEMORY.md is big.")))
    assert seen == observe.Window(f"- a\n\n{fake}", "> WARNING: MEMORY.md is big.")


def test_tool_results_by_call_and_which_failed():
    blocks = [
        {"type": "tool_result", "tool_use_id": "t1", "content": "plain"},
        {
            "type": "tool_result",
            "tool_use_id": "t2",
            "is_error": True,
            "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
        },
        {"type": "tool_result", "tool_use_id": "t3"},
    ]
    body = {"messages": [{"role": "user", "content": blocks}]}
    assert observe.tool_results(body) == {"t1": "plain", "t2": "a\nb", "t3": ""}
    assert observe.failed_tools(body) == {"t2"}


REMINDER = "<system-reminder>This memory is 12 days old. Words.</system-reminder>"


@pytest.mark.parametrize(
    ("result", "days", "first"),
    [
        (f"{REMINDER}\n1\t- a\n2\t", 12, True),
        (f"1\t- a\n2\t\n{REMINDER}", 12, False),
        (REMINDER, 12, True),
        ("1\t- a", None, None),
        ("1\tThis memory is 12 days old", None, None),
        (f"1\t{REMINDER}", None, None),
        ("", None, None),
    ],
)
def test_reading(result, days, first):
    assert observe.reading(result) == observe.Reading(days, first)


def instructions(*layers):
    shown = "".join(f"\n\nContents of {file} ({label}):\n\n{text}" for file, label, text in layers)
    return f"<system-reminder>\nan introduction{shown}\n</system-reminder>"


def test_layers_come_with_kind_and_text_in_order():
    block = instructions(
        ("/etc/CLAUDE.md", "a policy of someone", "M"),
        ("/h/CLAUDE.md", "the private global one", "a\n\nContents of nothing\n\nb"),
        ("/p/CLAUDE.md", "project instructions", "P"),
        ("/p/x (y).md", "the private project ones", "L"),
        ("/m/MEMORY.md", "auto-memory", "- x"),
    )
    found = [(one.file, one.kind, one.text) for one in observe.layers_of(request(block))]
    assert found == [
        ("/etc/CLAUDE.md", "managed", "M"),
        ("/h/CLAUDE.md", "user", "a\n\nContents of nothing\n\nb"),
        ("/p/CLAUDE.md", "project", "P"),
        ("/p/x (y).md", "local", "L"),
        ("/m/MEMORY.md", "auto-memory", "- x"),
    ]


def test_a_relative_configuration_directory_gives_relative_paths():
    block = instructions(
        ("cfg/CLAUDE.md", "private global", "U\n\nContents of cfg/x.md (y):\n\nu"),
        ("CLAUDE.md", "private global", "V"),
        ("cfg/m/MEMORY.md", "auto-memory", "- x"),
    )
    found = [(one.file, one.kind, one.text) for one in observe.layers_of(request(block))]
    assert found == [
        ("cfg/CLAUDE.md", "user", "U\n\nContents of cfg/x.md (y):\n\nu"),
        ("CLAUDE.md", "user", "V"),
        ("cfg/m/MEMORY.md", "auto-memory", "- x"),
    ]


def test_no_block_no_layers():
    assert observe.layers_of(request("hello", "<system-reminder>\nother\n</system-reminder>")) == []


def test_an_unknown_label_or_end_is_a_change_of_the_wire():
    with pytest.raises(WireChangedError, match="label"):
        observe.layers_of(request(instructions(("/p/CLAUDE.md", "what is this", "P"))))
    block = instructions(("/p/CLAUDE.md", "project instructions", "P"))
    with pytest.raises(WireChangedError, match="ends in"):
        observe.layers_of(request(block + " and more"))


def after_read(*texts):
    result = {"type": "tool_result", "tool_use_id": "t", "content": "1\tx"}
    system = [{"role": "system", "content": text} for text in texts]
    return {"messages": [{"role": "user", "content": [result]}, *system]}


def test_what_is_attached_after_a_read_keeps_its_ends():
    text = "Contents of /p/a/CLAUDE.md:\n\n\n A\n\n\nContents of /p/r.md:\n\nR\n"
    for tail in ("", "\n\n<total_tokens>15 tokens left</total_tokens>"):
        found = observe.attached(after_read(text + tail), "t")
        assert [(one.file, one.text) for one in found] == [
            ("/p/a/CLAUDE.md", "\n A\n"),
            ("/p/r.md", "R\n"),
        ]


def test_reminders_after_a_read_are_taken_out_of_their_wrapping():
    body = after_read()
    body["messages"][0]["content"] += [
        {"type": "text", "text": f"<system-reminder>\n{text}\n</system-reminder>{end}"}
        for text, end in (
            ("Contents of /p/a/CLAUDE.md:\n\nA\n", "\n"),
            ("Contents of /p/r.md:\n\nR</system-reminder>", ""),
        )
    ]
    found = observe.attached(body, "t")
    assert [(one.file, one.text) for one in found] == [
        ("/p/a/CLAUDE.md", "A\n"),
        ("/p/r.md", "R</system-reminder>"),
    ]


def test_nothing_is_attached_to_another_call_or_after_another_message():
    text = "Contents of /p/a/CLAUDE.md:\n\nA"
    assert observe.attached(after_read("<total_tokens>15 tokens left</total_tokens>"), "t") == []
    assert observe.attached(after_read(text), "other") == []
    body = after_read(text)
    body["messages"].insert(1, {"role": "assistant", "content": "words"})
    assert observe.attached(body, "t") == []
