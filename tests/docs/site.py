#!/usr/bin/env python3
"""site.py SITE [README...]: is every link of the site, and of the documents as GitHub shows them, one to something that is
there? Targets are files and anchors; addresses on the network are not visited."""
import html.parser
import pathlib
import re
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if "id" in values:
            if values["id"] in self.anchors:
                self.links.append(f"#{values['id']} is there twice")
            self.anchors.add(values["id"])
        self.links += [values[key] for key in ("href", "src") if values.get(key)]


def check_site(site):
    pages = {path: Page(path) for path in site.rglob("*.html")}
    count = 0
    for path, page in pages.items():
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            target, _, anchor = urllib.parse.unquote(link).partition("#")
            to = (path.parent / target).resolve() if target else path
            if not to.exists():
                yield f"{path}: {link} is not there"
            elif anchor and to.suffix == ".html" and anchor not in pages[to].anchors:
                yield f"{path}: {link} has no such section"
    print(f"{len(pages)} pages, {count} links")


SITE_ONLY = {"api.md", "json.md", "changelog.md", "contributing.md", "security.md"}  # made by tools/make_site


def check_markdown(path):
    text = re.sub(r"(?s)```.*?```", "", path.read_text())
    for link in re.findall(r"\]\(([^)\s#]+)[^)]*\)", re.sub(r"`[^`]*`", "", text)):
        if not re.match(r"[a-z]+:", link) and not (path.parent / link).exists() and link.split("/")[-1] not in SITE_ONLY:
            yield f"{path}: {link} is not there"


problems = list(check_site(pathlib.Path(sys.argv[1]).resolve()))
for name in sys.argv[2:]:
    problems += check_markdown(pathlib.Path(name))
for problem in problems:
    print("FAIL", problem)
sys.exit(1 if problems else 0)
