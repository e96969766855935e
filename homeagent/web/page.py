"""What can be read on a page, as Markdown, text or HTML, without what is not shown.

Whoever wrote a page may have written it to take hours or all memory: `homeagent/web/reading.py` runs this in a process
of its own, with limits.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urljoin

LONGEST = 20_000
"""Characters of a page that are given."""
_SECONDS = 10
_MEMORY = 1_500_000_000
_FEWEST = 200
"""Characters under which a part that calls itself the main one is not believed."""
_NO_TEXT = (
    *(
        "script",
        "style",
        "noscript",
        "template",
        "iframe",
        "frame",
        "object",
        "embed",
        "svg",
        "canvas",
        "math",
        "audio",
    ),
    *(
        "video",
        "source",
        "track",
        "picture",
        "img",
        "map",
        "input",
        "button",
        "select",
        "textarea",
        "datalist",
        "dialog",
    ),
    *("link", "meta", "base"),
)
_AROUND = (
    "nav",
    "footer",
    "aside",
    "[role=navigation]",
    "[role=banner]",
    "[role=contentinfo]",
    "[role=search]",
    "form",
)
_HIDDEN = "[hidden], [aria-hidden=true], .sr-only, .visually-hidden, .screen-reader-text"
_UNSEEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0?\.?0+(?![.\d])|font-size\s*:\s*0?\.?\d?(?:px|em|%|pt)?"
    r"\s*(?:;|!|$)|(?:left|top|right|bottom|text-indent|margin-left)\s*:\s*-\d{3,}|clip(?:-path)?\s*:\s*(?:rect\(\s*[01]|inset\((?:50|100)%)"
    r"|(?:width|height|max-height)\s*:\s*[01](?:px)?\s*(?:;|!|$)|transform\s*:\s*scale\(\s*0|(?<![-\w])color\s*:\s*transparent",
    re.I,
)
_WHITE = re.compile(r"(?<![-\w])color\s*:\s*(?:white|#fff(?:fff)?|rgba?\(\s*255\s*,\s*255\s*,\s*255)", re.I)
_RULE = re.compile(r"([^{}@]{1,300})\{([^{}]{1,2000})\}")
_MOST_RULES = 300
_BLANKS = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_META = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.I)
_NOT_TEXT = frozenset({"unicode_escape", "raw_unicode_escape", "idna", "punycode", "utf_7", "undefined"})
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def read(body: bytes, content_type: str, charset: str | None, url: str, format: str) -> dict[str, Any]:
    """``title``, ``content``, ``charset`` (the one it was read with) and whether it is ``cut``."""
    text, used = decoded(body, charset)
    if "html" not in content_type:
        return {"title": "", "content": text[:LONGEST], "cut": len(text) > LONGEST, "charset": used}
    from selectolax.lexbor import LexborHTMLParser

    page = LexborHTMLParser(text)
    named = page.css_first("title")
    title = " ".join(named.text().split())[:300] if named else ""
    _take_out(page)
    main = _main(page)
    cut = _shorten(main)
    content = _in_format(main, url, format)
    return {"title": title, "content": content[:LONGEST], "cut": cut or len(content) > LONGEST, "charset": used}


def decoded(body: bytes, charset: str | None) -> tuple[str, str]:
    """The text, and the charset that it was read with: what marks itself or is whole UTF-8 is that, whatever a header
    says; else the header's, the page's own, the likeliest."""
    for mark, name in _MARKS:
        if body.startswith(mark):
            return body.decode(name, "replace"), name.removesuffix("-sig")
    try:
        return body.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        pass
    told = _META.search(body[:4096])
    for given in (charset, told[1].decode("ascii", "replace") if told else None):
        if given and (codec := _text_codec(given)) and codec != "utf-8":
            return body.decode(codec, "replace"), codec
    name = _guessed(body)
    return body.decode(name, "replace"), name


def _guessed(body: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(body[:100_000]).best()
    return (_text_codec(str(best.encoding)) if best else None) or "windows-1252"


def _text_codec(name: str) -> str | None:
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    known = codec.name.replace("-", "_")
    return codec.name if codec._is_text_encoding and known not in _NOT_TEXT else None


def _take_out(page: Any) -> None:
    """What is not shown to people, and what is no text."""
    from selectolax.lexbor import SelectolaxError

    hiding = list(_hiding(page))
    _drop(page.css(", ".join(_NO_TEXT)))
    _drop(page.css(_HIDDEN))
    for selector in hiding:
        with contextlib.suppress(SelectolaxError):  # whatever a page calls a selector
            _drop(page.css(selector))
    _drop(node for node in page.css("[style]") if _is_unseen(str(node.attributes.get("style") or "")))
    _drop(node for node in list(page.root.traverse()) if node.is_comment_node)


def _drop(nodes: Iterable[Any]) -> None:
    """Take nodes out; what stood in them stays valid until the page goes."""
    for node in nodes:
        if node.tag not in ("html", "body"):
            node.remove()


def _hiding(page: Any) -> Iterator[str]:
    """Selectors of the page's own style sheets that hide what they fit."""
    found = 0
    for style in page.css("style"):
        for rule in _RULE.finditer(style.text()):
            if found < _MOST_RULES and _UNSEEN.search(rule[2]) and ":" not in rule[1]:
                found += 1
                yield rule[1].strip()


def _is_unseen(style: str) -> bool:
    return bool(_UNSEEN.search(style) or (_WHITE.search(style) and "background" not in style.casefold()))


def _main(page: Any) -> Any:
    """The part that a page says is the main one, where that holds something; without what stands around it."""
    body = page.body or page.root
    articles = page.css("article")
    for part in (*page.css("main, [role=main]")[:1], *(articles if len(articles) == 1 else ())):
        if len(part.text().strip()) >= _FEWEST:
            body = part
            break
    whole = len(body.text())
    _drop(node for node in body.css(", ".join(_AROUND)) if len(node.text()) < whole / 2)
    return body


def _shorten(main: Any) -> bool:
    """Drop what stands behind as much as is given: the rest would be worked on for nothing. Whether there was more."""
    left, last = LONGEST, None
    for number, node in enumerate(main.traverse(include_text=True)):
        left -= len(node.text(deep=False)) if node.is_text_node else 0
        if left < 0 or number > LONGEST:
            last = node
            break
    cut = last is not None
    while last is not None and last != main:
        behind = last.next
        while behind is not None:
            after = behind.next
            behind.remove()
            behind = after
        last = last.parent
    return cut


def _in_format(main: Any, url: str, format: str) -> str:
    for node in main.css("*"):
        target = node.attributes.get("href") if node.tag == "a" else None
        for name in list(node.attributes):
            del node.attrs[name]
        if target and (whole := _absolute(url, target)):
            node.attrs["href"] = whole
    if format == "text":
        return _tidy(main.text(separator="\n"))
    if format == "html":
        return str(main.html)
    from markdownify import MarkdownConverter

    return _tidy(MarkdownConverter(heading_style="ATX", bullets="-").convert(main.html))


def _absolute(url: str, target: str) -> str | None:
    try:
        whole = urljoin(url, target.strip())
    except ValueError:
        return None
    return whole if whole.startswith(("http://", "https://")) and len(whole) <= 300 else None


def _tidy(text: str) -> str:
    return _BLANKS.sub("\n\n", "\n".join(line.rstrip() for line in text.splitlines())).strip()


def main() -> None:
    """Reads a line of JSON and a page from standard input; writes what `read` gives as JSON."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    sys.setrecursionlimit(5_000)
    asked = json.loads(sys.stdin.buffer.readline())
    sys.stdout.write(json.dumps(read(sys.stdin.buffer.read(), **asked)))


if __name__ == "__main__":
    main()
