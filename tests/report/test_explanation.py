from attrs import evolve

from memassay.report.explanation import case_rows, explain, heading, rule_rows


def texts(rows, label):
    """The texts of the rows under a label, those below it that have none of their own included."""
    found, here = [], False
    for row in rows:
        here = row.label == label or (here and not row.label)
        if here:
            found.append(row.text)
    return found


def test_a_rule_is_explained_with_all_its_cases(mini):
    document = explain(mini, mini.rules["CUT-1"])
    assert document["asked"] == "CUT-1"
    assert [case["id"] for case in document["cases"]] == [
        "cut-at",
        "cut-past",
        "cut-pair",
        "cut-long",
    ]
    assert heading(document) == (
        "CUT-1 · MUST · cutting",
        "At most ten UTF-16 code units are kept.",
    )


def test_a_case_is_explained_with_its_rule(mini):
    document = explain(mini, mini.rules["CUT-1"], mini.cases["cut-past"])
    assert document["asked"] == "cut-past"
    assert [case["id"] for case in document["cases"]] == ["cut-past"]


def test_what_is_known_about_a_rule(mini):
    rows = list(rule_rows(explain(mini, mini.rules["CUT-1"])))
    assert texts(rows, "constants") == ["cut_max_units = 10 utf16-units"]
    assert texts(rows, "evidence") == [
        "observed in client 2.1.296: M1, M2",
        'stated in seed.txt "Core behaviors 3"',
    ]
    assert texts(rows, "disputed") == [
        "observed: Ten units are kept.",
        "stated: Ten bytes are kept.",
    ]
    assert texts(rows, "mistakes") == ["counts UTF-8 bytes", "counts code points"]
    assert texts(rows, "rule") == ["spec/2.1.296/cutting.yaml:6"]


def test_other_kinds_of_evidence_and_an_exclusion(mini):
    assert texts(rule_rows(explain(mini, mini.rules["CUT-2"])), "evidence") == [
        "published https://example.org/changelog"
    ]
    assert texts(rule_rows(explain(mini, mini.rules["CUT-3"])), "evidence") == [
        "derived from CUT-1"
    ]
    assert texts(rule_rows(explain(mini, mini.rules["CUT-4"])), "no cases") == [
        "Nobody can see it from outside."
    ]


def test_what_a_case_asks_and_expects(mini):
    (case,) = explain(mini, mini.rules["LST-1"], mini.cases["lst-three"])["cases"]
    rows = list(case_rows(case))
    assert texts(rows, "input") == ["dir: <TREE>/memory"]
    assert texts(rows, "tree")[0] == 'memory/b.md: "beta"'
    assert texts(rows, "expects") == [
        'names: ["a.md", "b.md", "link.md"]',
        "afterwards everything: untouched",
    ]


def in_cells(rule, *cells):
    """The rule with its first cases in the cells of a table."""
    placed = [evolve(case, cell=cell) for case, cell in zip(rule.cases, cells, strict=False)]
    return evolve(rule, cases=(*placed, *rule.cases[len(cells) :]))


def test_cases_that_stand_in_cells_make_a_table(mini):
    rule = in_cells(
        mini.rules["CUT-1"], {"units": "ten", "kept": "ten"}, {"units": "eleven", "kept": "ten"}
    )
    document = explain(mini, rule)
    assert document["table"] == {
        "columns": ["units", "kept"],
        "rows": [
            {"cell": ["ten", "ten"], "case": "cut-at"},
            {"cell": ["eleven", "ten"], "case": "cut-past"},
        ],
    }
    assert texts(case_rows(document["cases"][1]), "cell") == ["units: eleven, kept: ten"]


def test_one_case_of_a_table_is_shown_without_it(mini):
    rule = in_cells(mini.rules["CUT-1"], {"units": "ten"})
    document = explain(mini, rule, rule.cases[0])
    assert document["table"] is None
    assert document["cases"][0]["cell"] == {"units": "ten"}


def test_a_rule_without_cells_has_no_table(mini):
    assert explain(mini, mini.rules["CUT-1"])["table"] is None
