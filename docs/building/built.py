"""What came out: no page loads anything from elsewhere, and every link inside the site leads somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "object": "data"}


class Page(HTMLParser):
    """The ids of a page, what it links to, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the tag holds."""
        given = {name: value or "" for name, value in attrs}
        self.ids.update(value for name, value in given.items() if name in ("id", "name"))
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and given.get("rel") not in ("canonical", "next", "prev", "search", "author"):
            self.loads.append(given.get("href", ""))
        if tag in LOADS and LOADS[tag] in given:
            self.loads.append(given[LOADS[tag]])


def faults(folder: Path) -> list[str]:
    """A sentence for every load from elsewhere, and for every link or load that leads nowhere."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    return [
        f"{path.relative_to(folder.resolve())}: {fault}"
        for path, page in pages.items()
        for fault in _faults_of(path, page, pages)
    ]


def _faults_of(path: Path, page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    for target in page.loads:
        parts = urlsplit(target)
        if parts.scheme not in ("", "data") or parts.netloc:
            yield f"loads {target} from elsewhere"
        elif parts.scheme == "" and parts.path and not (path.parent / unquote(parts.path)).exists():
            yield f"loads {target}, which is not there"
    for target in page.links:
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            continue
        other = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not other.exists():
            yield f"links to {target}, which is not there"
        elif parts.fragment and other in pages and unquote(parts.fragment) not in pages[other].ids:
            yield f"links to {target}, and there is no such place on that page"
