"""The page: whole, the same every time, and safe whatever a stranger's adapter says."""

import base64
import hashlib
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from memassay.adapter.messages import Implementation
from memassay.judge.assess import Standing
from memassay.judge.reading import read_stream
from memassay.report.findings import Findings, baseline, summary
from memassay.report.html import html
from memassay.report.rows import NOTHING, Role
from memassay.report.visible import is_hidden, visible
from tests.report.conftest import (
    CRASH,
    EVERYTHING,
    HALF,
    NASTY,
    UNSUPPORTED,
    failing,
    make_run,
)
from tests.report.reading_html import read_html

STREAMS = Path(__file__).parents[2] / "docs" / "research" / "verdicts"
CHROMIUM = next(
    filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome", "chrome"])),
    None,
)


def page(findings, *args):
    return read_html(html(findings, *args))


@pytest.fixture(params=["everything", "fine", "hostile", "cut off", "interrupted", "stale"])
def findings(request, mini):
    if request.param in ("everything", "fine", "hostile"):
        return request.getfixturevalue(request.param)
    if request.param == "stale":
        return Findings.of(make_run(mini, {}, deviations={"CUT-1": "x", "CUT-9": "y"}), mini)
    gone = {"cut-at": None, "cut-pair": HALF}
    return Findings.of(make_run(mini, gone, ending=request.param), mini)


def test_it_is_well_formed_and_every_link_leads_somewhere(findings):
    shown = page(findings)
    for link in shown.all("a"):
        href = link.attributes["href"]
        if href.startswith("#"):
            assert shown.by_id(href[1:])
    for element in shown:
        for name in ("for", "aria-labelledby", "aria-describedby"):
            if element.has(name):
                assert shown.by_id(element.attributes[name])


def test_equal_findings_make_equal_bytes(findings):
    text = html(findings)
    assert text.isascii()
    assert text == html(findings)


def test_it_fetches_nothing(findings):
    shown = page(findings)
    for element in shown:
        assert element.name not in {"img", "iframe", "object", "embed", "base", "video", "audio"}
        for name in ("src", "srcset", "action", "formaction", "poster", "background"):
            assert not element.has(name)
        if element.name == "link":
            assert element.attributes == {"rel": "icon", "href": "data:,"}
        if element.name == "a":
            assert element.attributes["href"].startswith("#")
    style = shown.one("style").text
    assert "url(" not in style
    assert "@import" not in style
    (policy,) = [m for m in shown.all("meta") if m.attributes.get("http-equiv")]
    assert policy.attributes["content"].startswith("default-src 'none'; ")


def test_only_its_own_script_may_run(hostile):
    shown = page(hostile)
    script = shown.one("script").text
    assert "alert" not in script
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = [m for m in shown.all("meta") if m.attributes.get("http-equiv")]
    assert f"script-src 'sha256-{digest}';" in policy.attributes["content"]
    assert not [name for element in shown for name in element.attributes if name.startswith("on")]


def test_what_strangers_write_is_text_with_nothing_hidden_in_it(hostile):
    shown = page(hostile)
    wanted = visible(NASTY)
    assert shown.one("h1").text.startswith(f"{wanted} {wanted} ({wanted}")
    assert wanted in shown.one("title").text
    texts = [piece for element in shown for piece in element.texts if isinstance(piece, str)]
    texts += [value or "" for element in shown for value in element.attributes.values()]
    for text in texts:
        assert not [char for char in text if char != "\n" and is_hidden(char)]
    for label in ("stderr", "skipped", "open"):
        assert label in [dt.text for dt in shown.all("dt")]
    assert sum("alert(1)" in dd.text for dd in shown.all("dd")) > 10


@pytest.mark.parametrize(
    "homepage",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "https://e.org/\u202e",
        "HTTPS//",
        "x y",
        " https://a",
    ],
)
def test_a_homepage_that_is_no_address_is_only_text(mini, homepage):
    who = Implementation("p", homepage=homepage)
    shown = page(Findings.of(make_run(mini, implementation=who), mini))
    assert not [a for a in shown.all("a") if not a.attributes["href"].startswith("#")]
    assert visible(homepage) in [dd.text for dd in shown.all("dd")]


def test_a_homepage_is_the_only_link_that_leads_away(mini):
    who = Implementation("p", homepage='https://example.org/?a="b"&c=<d>')
    shown = page(Findings.of(make_run(mini, EVERYTHING, implementation=who), mini))
    (link,) = [a for a in shown.all("a") if not a.attributes["href"].startswith("#")]
    assert link.attributes["href"] == who.homepage
    assert {"nofollow", "noopener", "noreferrer"} <= set(link.attributes["rel"].split())


def told(shown, anchor):
    """Return what the page says of one case: the lines as the other views have them."""
    return [dd.one("code").text for dd in shown.by_id(anchor).all("dd")]


def test_a_case_says_what_the_other_views_say(everything):
    shown = page(everything)
    for standing in (*Standing,):
        for verdict in everything.verdicts(standing):
            if standing in (Standing.CONFORMING, Standing.UNSUPPORTED):
                assert f'"case-{verdict.case}"' not in html(everything)
                continue
            rows = [row.text for row in everything.rows(verdict) if row.role is not Role.MARK]
            assert told(shown, f"case-{verdict.case}") == rows
            case = shown.by_id(f"case-{verdict.case}")
            assert case.attributes["data-outcome"] == standing.value


def test_the_first_difference_is_marked(everything):
    marks = page(everything).by_id("case-cut-pair").all("mark")
    assert [mark.text for mark in marks] == ['"', "⟨D83D⟩"]


def test_every_case_of_a_great_run_that_did_not_pass_is_there(mini):
    run = read_stream(STREAMS / "claude-code-2.1.220.jsonl")
    shown = page(Findings.of(run, mini))  # the texts are not the point, and reading them is slow
    ids = {element.attributes.get("id") for element in shown}
    failed = {v.case for v in run.verdicts.values() if v.outcome.value in ("fail", "skipped")}
    assert len(failed) > 600
    assert {f"case-{case}" for case in failed} <= ids
    assert {f"rule-{v.rule}" for v in run.verdicts.values() if v.outcome.value == "fail"} <= ids
    # so many are not all laid open, but one of each rule is, as soon as the rule is
    assert not [rule for rule in shown.all("details", class_="rule group") if rule.has("open")]
    for rule in shown.all("details", class_="rule group"):
        assert sum(case.has("open") for case in rule.all("details", class_="case")) == 1


def test_a_rule_says_its_level_text_and_why(everything):
    rule = page(everything).by_id("rule-CUT-1")
    assert rule.has("open")
    assert rule.one("h4").text == "CUT-1 MUST"
    assert "At most ten UTF-16 code units are kept." in rule.text
    assert "Why The client measures with JavaScript's string length." in rule.text
    assert "counts UTF-8 bytes · counts code points" in rule.text


def test_a_rule_under_two_standings_has_two_ids(mini):
    cases = {"lst-three": CRASH, "lst-empty": failing([], ["a.md"], "names")}
    shown = page(Findings.of(make_run(mini, cases), mini))
    assert "lst-three" in shown.by_id("rule-LST-1").text
    assert "lst-empty" in shown.by_id("rule-LST-1:nonconforming").text


def test_score_and_chapters_are_those_of_the_other_views(everything):
    shown = page(everything)
    table = shown.one("table", class_="scores")
    rows = [[cell.text for cell in row.children] for row in table.one("tbody").all("tr")]
    line = ", ".join(f"{name} {share}" for name, share, *_ in rows)
    assert baseline(everything).replace("; ", ", ").startswith(line)
    assert len(rows) == 4

    table = shown.one("table", class_="chapters")
    headings, wanted = summary(everything)
    assert [th.text for th in table.one("thead").all("th")] == headings
    assert {th.attributes["scope"] for th in table.all("th")} == {"col", "row"}
    found = [[cell.text for cell in row.children] for row in table.all("tr")[1:]]
    assert found == [[str(cell) if cell else NOTHING for cell in row] for row in wanted]
    assert "all" in table.one("tfoot").text


def test_a_run_of_one_chapter_has_no_sum(mini):
    cases = {case.id: None for case in mini.chapters["listing"].rules[0].cases}
    run = make_run(mini, {**cases, "lst-bytes": None}, spec_digest="sha256:other", header_cases=7)
    table = page(Findings.of(run, mini)).one("table", class_="chapters")
    assert not table.all("tfoot")
    assert len(table.one("tbody").all("tr")) == 1


def test_how_the_run_ended_is_told_in_words(mini):
    shown = page(Findings.of(make_run(mini, {"cut-at": None}, ending="cut off"), mini))
    assert shown.one("p", class_="verdict exit-3").text == "The stream was cut off"
    assert "Exit code 3: interrupted, cut off" in shown.text
    assert "Of the cases that got an answer, none failed that is not declared." in shown.text
    assert "The stream was cut off: what came after is not known." in shown.text
    assert shown.one("title").text == "mini-port 1.2 (Python): the stream was cut off"


def test_a_run_that_judged_nothing_says_so(mini):
    cases = dict.fromkeys(mini.cases, UNSUPPORTED)
    shown = page(Findings.of(make_run(mini, cases), mini))
    assert "Nothing was judged." in [p.text for p in shown.all("p")]
    (row,) = shown.one("table", class_="scores").one("tbody").all("tr")
    assert [cell.text for cell in row.children] == ["yours", NOTHING, "0", ""]
    assert shown.one("caption").text == "Nothing was judged, of 11 cases that were due."


def test_faults_troubles_deviations_and_what_got_no_answer(everything):
    shown = page(everything)
    assert "about to fall over" in told(shown, "case-lst-three")
    trouble = shown.one("dl", class_="trouble").text
    assert "crash: the process ended" in trouble
    assert "cut-past" in trouble
    assert "oh no" in trouble
    declared = shown.by_id("rule-CUT-2")
    assert "we trim" in declared.text
    assert "1 of 2 cases fail." in declared.text
    assert declared.all("details", id="case-cut-blank")
    assert [h.text for h in shown.all("h3", class_="reason")] == ["not ready"]
    assert [li.text for li in shown.one("ul", class_="ops").all("li")] == ["head 1 case"]


def test_a_stale_deviation_is_marked_in_words(mini):
    shown = page(Findings.of(make_run(mini, {}, deviations={"CUT-1": "x", "CUT-9": "y"}), mini))
    assert "Stale: all of its cases pass; delete the declaration." in shown.by_id("rule-CUT-1").text
    assert "Not put in this run." in shown.by_id("rule-CUT-9").text


def test_a_page_may_be_told_to_be_short(mini):
    text = html(Findings.of(make_run(mini, EVERYTHING), mini), 2)
    shown = read_html(text)
    sections = [one for one in shown.all("section", class_="told") if "skipped" not in one.text]
    assert sum(len(section.all("details", class_="case")) for section in sections) == 2
    assert shown.text.count("more, which this page was told to leave out") == 2


def test_it_is_whole_without_a_script(everything):
    shown = page(everything)
    hidden = [element for element in shown if element.has("hidden")]
    assert [element.attributes.get("id") for element in hidden] == ["filter"]
    assert not shown.all("button", class_="copy")
    assert "details::details-content" in shown.one("style").text.split("@media print")[1]


def test_headings_leave_no_level_out(findings):
    levels = [int(e.name[1]) for e in page(findings) if re.fullmatch("h[1-6]", e.name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_page(everything, snapshot):
    text = html(everything)
    text = re.sub(r"(?s)(<(style|script)>).*?(</\2>)", r"\1…\3", text)
    assert re.sub("sha256-[^']*", "sha256-…", text) == snapshot


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")
class TestInABrowser:
    """What the script does, in headless Chromium: the DOM after the page has settled."""

    def dom(self, tmp_path, findings, fragment):
        file = tmp_path / "page.html"
        file.write_text(html(findings))
        options = [
            *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
            *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
            *(f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"),
        ]
        done = subprocess.run(
            [CHROMIUM, *options, f"{file.as_uri()}#{fragment}"],
            capture_output=True,
            check=True,
            timeout=120,
            encoding="utf-8",
        )
        # Chromium writes the DOM; what it may leave open there is not the page's doing.
        return read_html(done.stdout)

    def shown(self, dom):
        cases = [one for one in dom if "case" in (one.attributes.get("class") or "").split()]
        return {one.attributes["id"] for one in cases if not one.has("hidden")}

    def test_a_word_narrows_rules_and_cases(self, tmp_path, everything):
        dom = self.dom(tmp_path, everything, "q=UTF-16+pair")
        assert self.shown(dom) == {"case-cut-pair"}
        assert dom.by_id("found").text == "1 of 6 cases"
        assert not dom.by_id("filter").has("hidden")
        assert dom.by_id("rule-LST-1").has("hidden")
        assert dom.by_id("rule-CUT-1").has("open")

    def test_an_outcome_and_a_chapter_narrow_them(self, tmp_path, everything):
        dom = self.dom(tmp_path, everything, "without=nonconforming,fault&chapter=cutting")
        assert self.shown(dom) == {"case-cut-advice", "case-cut-blank", "case-cut-hidden"}

    def test_a_link_opens_what_it_leads_to(self, tmp_path, everything):
        dom = self.dom(tmp_path, everything, "case-cut-blank")
        assert dom.by_id("case-cut-blank").has("open")
        assert not dom.by_id("case-lst-empty").has("open")
        assert len(self.shown(dom)) == 6

    def test_a_line_to_run_a_case_again_can_be_copied(self, tmp_path, everything):
        dom = self.dom(tmp_path, everything, "")
        (button,) = dom.by_id("case-cut-pair").all("button", class_="copy")
        assert button.attributes["type"] == "button"
        assert not dom.by_id("case-cut-blank").all("button", class_="copy")

    def test_nothing_of_a_stranger_runs(self, tmp_path, hostile):
        dom = self.dom(tmp_path, hostile, "q=alert")
        assert len(dom.all("script")) == 1
        assert not dom.all("img")
        assert self.shown(dom)
