"""A reader of the page, stricter than a browser: whatever is not closed in order is an error."""

from html.parser import HTMLParser

from attrs import define, field

VOID = {"input", "link", "meta"}


@define
class Element:
    """One element: its name, its attributes, and what is in it."""

    name: str
    attributes: dict
    children: list = field(factory=list)
    texts: list = field(factory=list)

    def __iter__(self):
        """Iterate over this element and all in it, in the page's order."""
        yield self
        for child in self.children:
            yield from child

    def all(self, name, **attributes):
        wanted = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
        return [
            element
            for element in self
            if element.name == name and wanted.items() <= element.attributes.items()
        ]

    def one(self, name, **attributes):
        (element,) = self.all(name, **attributes)
        return element

    def by_id(self, name):
        (element,) = [one for one in self if one.attributes.get("id") == name]
        return element

    @property
    def text(self):
        """All text in it, as it stands there."""
        return "".join(part if isinstance(part, str) else part.text for part in self.texts)

    def has(self, name):
        return name in self.attributes


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = Element("document", {})
        self.open = [self.root]

    def handle_starttag(self, tag, attrs):
        assert len(attrs) == len(dict(attrs)), f"an attribute of <{tag}> is there twice"
        element = Element(tag, dict(attrs))
        self.open[-1].children.append(element)
        self.open[-1].texts.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, _):
        raise AssertionError(f"<{tag}/> is no HTML")

    def handle_endtag(self, tag):
        assert self.open[-1].name == tag, f"</{tag}> closes <{self.open[-1].name}>: {self.getpos()}"
        self.open.pop()

    def handle_data(self, data):
        self.open[-1].texts.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")


def read_html(text):
    """Return the document element; everything has to be closed, and no id is there twice."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert [element.name for element in reader.open] == ["document"]
    html = reader.root.one("html")
    ids = [one.attributes["id"] for one in html if one.has("id")]
    assert len(ids) == len(set(ids))
    assert not any(set(name) & set(" \t\n") or not name for name in ids)
    return html
