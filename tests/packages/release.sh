#!/bin/sh
# `make release`: the same bytes twice, right checksums, and a bill of materials that names what is in the static program.
set -eu
build=$1 work=$2
root=$(cd "$build/.." && pwd)
for tool in dpkg-shlibdeps npm; do command -v $tool > /dev/null || { echo "there is no $tool"; exit 77; }; done
[ -f "$build/web/trilobite.html" ] || { echo "there is no build/web/trilobite.html, make web builds it"; exit 77; }
git -C "$root" rev-parse HEAD > /dev/null || { echo "not a git repository"; exit 77; }

SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH
"$root/tools/build_release"
cp -R "$build/release" first
if [ "${TRILOBITE_TESTS:-}" = full ]; then rm -rf "$build/linux-static"; fi # from the first object file on
"$root/tools/build_release" > sizes.txt
diff -r first "$build/release"
cd first
sha256sum --quiet -c SHA256SUMS
[ "$(ls | grep -vc '^SHA256SUMS$')" = "$(wc -l < SHA256SUMS)" ]
for name in '*-linux-*.tar.xz' 'trilobite_*.deb' 'libtrilobite0.2_*.deb' 'libtrilobite-dev_*.deb' 'trilobite-*[0-9].tgz' \
    '*-amalgamation.tar.xz' '*-python.tar.xz' '*-source.tar.xz' '*-blender.py' '*[0-9].html' '*.spdx.json'; do
    # shellcheck disable=SC2086
    [ -s $name ] || { echo "$name is missing"; exit 1; }
done

echo "--- bill of materials"
tar -xf ./*-linux-*.tar.xz --strip-components=2 --wildcards '*/bin/trilobite'
python3 - ./*.spdx.json trilobite << 'END'
import json
import os
import re
import sys

document = json.load(open(sys.argv[1]))
program = open(sys.argv[2], "rb").read()
packages = {p["SPDXID"]: p for p in document["packages"]}
files = {p["packageFileName"] for p in document["packages"] if "packageFileName" in p}
there = {f for f in os.listdir(".") if not f.endswith(".spdx.json")} - {"SHA256SUMS", "trilobite"}
assert files == there, files ^ there
static = next(i for i, p in packages.items() if "-linux-" in p.get("packageFileName", ""))
linked = {packages[r["relatedSpdxElement"]]["name"]: packages[r["relatedSpdxElement"]]["versionInfo"]
          for r in document["relationships"] if r["spdxElementId"] == static}
print(linked)
assert {"glibc", "libpng1.6", "zlib", "libjpeg-turbo", "lz4", "wasi-libc"} <= set(linked), linked
# The libraries say their versions themselves.
assert re.search(rb"libpng version (\S+)", program)[1].decode() == re.match(r"[\d.]+", linked["libpng1.6"])[0]
assert b"inflate " + re.match(r"(?:\d+:)?(\d+\.\d+\.\d+)", linked["zlib"])[1].encode() in program
END
