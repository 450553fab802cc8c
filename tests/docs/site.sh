#!/bin/sh
# site.sh SOURCE_DIR: is the site of the documents made, and does every link lead somewhere?
set -eu
command -v python3 >/dev/null || { echo "skip: there is no python3"; exit 77; }
python3 "$1/tools/make_site" "$1" site
python3 "$1/tests/docs/site.py" site "$1"/*.md "$1"/docs/*.md "$1"/docs/*/*.md
