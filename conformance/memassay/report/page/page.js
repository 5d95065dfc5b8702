"use strict";
// Adds to a page that is whole without it: a filter, links that open what they lead to, copying.
(() => {
  const form = document.getElementById("filter");
  const words = document.getElementById("words");
  const chapter = document.getElementById("chapter");
  const found = document.getElementById("found");
  const said = document.getElementById("said");
  const all = (selector, within) => [...(within || document).querySelectorAll(selector)];
  const shown = (element) => !element.closest("[hidden]");

  // Copying: a button beside each line to run a case again, made when the case is first opened.
  const addButtons = (details) => {
    if (!details.open || !details.matches(".case") || details.querySelector(".copy")) return;
    for (const line of all("dd.again", details)) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "copy";
      button.textContent = "Copy";
      button.setAttribute("aria-label", "Copy the line that runs this case again");
      line.append(" ", button);
    }
  };
  const copy = async (line) => {
    try {
      await navigator.clipboard.writeText(line.textContent);
      return true;
    } catch {
      getSelection().selectAllChildren(line);
      return document.execCommand("copy");
    }
  };
  document.addEventListener("toggle", (event) => addButtons(event.target), true);
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    const done = await copy(button.parentElement.querySelector("code"));
    button.textContent = done ? "Copied" : "Press Ctrl+C";
    said.textContent = done ? "Copied" : "Selected; copy it with your keyboard";
    setTimeout(() => { button.textContent = "Copy"; said.textContent = ""; }, 2000);
  });
  all("details.case[open]").forEach(addButtons);

  // Paper gets everything that the filter leaves.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not([open])").filter(shown);
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
  });

  // Filtering.
  const boxes = form ? all("input[name=outcome]", form) : [];
  const cases = all(".case");
  const groups = all(".group");
  const sections = all(".of-chapter, section.told");
  const texts = new Map();
  const text = (element) => {
    if (!texts.has(element)) texts.set(element, element.textContent.toLowerCase());
    return texts.get(element);
  };
  const heads = new Map(groups.map((group) => [group, all(
    ":scope > summary, :scope > h3, :scope > p, :scope > .inside > .reasons", group)]));
  const number = (count, what) =>
    `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
  let before = null; // which rules were open before there was a word to look for

  const apply = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const outcomes = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const only = chapter ? chapter.value : "";
    let kept = 0;
    for (const group of groups) {
      const own = heads.get(group).map(text).join(" ");
      const missing = wanted.filter((word) => !own.includes(word));
      const inside = all(".case", group);
      let left = 0;
      for (const one of inside) {
        const fits = outcomes.has(one.dataset.outcome)
          && (!only || one.dataset.chapter === only)
          && missing.every((word) => text(one).includes(word));
        one.hidden = !fits;
        left += fits;
      }
      // A declaration without a case of its own goes by its words alone.
      group.hidden = inside.length ? !left : Boolean(missing.length || only);
      kept += left;
    }
    for (const section of sections) {
      section.hidden = !all(".group", section).some((group) => !group.hidden);
    }
    if (wanted.length && !before) before = new Map(groups.map((group) => [group, group.open]));
    if (before) {
      for (const group of groups) {
        if (group.matches("details")) group.open = wanted.length ? true : before.get(group);
      }
    }
    if (!wanted.length) before = null;
    found.textContent = kept === cases.length
      ? number(kept, "case")
      : `${kept.toLocaleString("en")} of ${number(cases.length, "case")}`;
  };

  const unchecked = () => boxes.filter((box) => !box.checked).map((box) => box.value);
  const remember = () => {
    const state = new URLSearchParams();
    if (words.value) state.set("q", words.value);
    if (chapter && chapter.value) state.set("chapter", chapter.value);
    if (unchecked().length) state.set("without", unchecked().join(","));
    try {
      history.replaceState(null, "", `#${state}`);
    } catch { /* a page in a sandbox has no history of its own */ }
  };
  const recall = (hash) => {
    const state = new URLSearchParams(hash);
    words.value = state.get("q") || "";
    if (chapter) chapter.value = state.get("chapter") || "";
    const without = (state.get("without") || "").split(",");
    for (const box of boxes) box.checked = !without.includes(box.value);
    apply();
  };

  // Links: `#case-...` opens what it leads to; `#q=...` is a filter to share. No id has a `=` in it.
  const follow = () => {
    let hash = location.hash.slice(1);
    if (form && hash.includes("=")) {
      recall(hash);
      return form.parentElement.scrollIntoView();
    }
    try {
      hash = decodeURIComponent(hash);
    } catch { /* not encoded */ }
    const target = hash && document.getElementById(hash);
    if (!target) return undefined;
    if (form && !shown(target)) recall("");
    for (let at = target; at; at = at.parentElement) {
      if (at.matches("details")) at.open = true;
    }
    target.scrollIntoView();
    return undefined;
  };
  // A second click on a link does not change the hash.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && link.hash === location.hash) follow();
  });
  addEventListener("hashchange", follow);

  if (form) {
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    let waiting;
    form.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => { apply(); remember(); }, 120);
    });
    const set = (open) => {
      for (const details of all("#findings details")) {
        if (shown(details)) details.open = open;
      }
    };
    document.getElementById("open-all").addEventListener("click", () => set(true));
    document.getElementById("close-all").addEventListener("click", () => set(false));
    apply();
  }
  follow();
})();
