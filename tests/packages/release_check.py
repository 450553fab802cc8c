"""release_check.py FOLDER PROGRAM: the bill of materials of a release names every file, and what is linked into the static
program; the libraries in it say their versions themselves."""
import hashlib
import json
import os
import re
import sys

folder, program = sys.argv[1:]
names = set(os.listdir(folder)) - {"SHA256SUMS"}
bill = next(name for name in names if name.endswith(".spdx.json"))
with open(os.path.join(folder, bill), encoding="utf-8") as file:
    document = json.load(file)
with open(program, "rb") as file:
    code = file.read()

# What SPDX 2.3 demands of a document and of a package
assert document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0" and document["SPDXID"] == "SPDXRef-DOCUMENT"
assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["creationInfo"]["created"])
assert re.fullmatch(r"[a-z]+:[^\s#]+", document["documentNamespace"]) and document["name"]
packages = {package["SPDXID"]: package for package in document["packages"]}
assert len(packages) == len(document["packages"])
for key, package in packages.items():
    assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", key) and package["name"] and package["versionInfo"] and package["downloadLocation"]
for relation in document["relationships"]:
    for end in (relation["spdxElementId"], relation["relatedSpdxElement"]):
        assert end in packages or end == "SPDXRef-DOCUMENT", end

# Every file with its hash
files = {package["packageFileName"]: package for package in packages.values() if "packageFileName" in package}
assert set(files) == names - {bill}, set(files) ^ names
for name, package in files.items():
    with open(os.path.join(folder, name), "rb") as file:
        assert hashlib.sha256(file.read()).hexdigest() == package["checksums"][0]["checksumValue"], name


def related(part, how):
    key = next(package["SPDXID"] for name, package in files.items() if part in name)
    rows = (packages[r["relatedSpdxElement"]] for r in document["relationships"]
            if r["spdxElementId"] == key and r["relationshipType"] == how)
    return {row["name"]: re.match(r"(?:\d+:)?([\d.]*\d)", row["versionInfo"])[1] for row in rows}


static = related("-linux-", "STATIC_LINK")
print("static program:", static)
assert {"libc6-dev", "libpng-dev", "zlib1g-dev", "libturbojpeg0-dev", "liblz4-dev", "wasi-libc"} <= set(static), static
assert re.search(rb"libpng version ([\d.]+)", code)[1].decode() == static["libpng-dev"]
assert re.search(rb"inflate ([\d.]+) ", code)[1].decode() == static["zlib1g-dev"]
assert re.search(rb"glibc ([\d.]+)", code) is None or re.search(rb"glibc ([\d.]+)", code)[1].decode() == static["libc6-dev"]
assert set(related(".html", "STATIC_LINK")) == {"wasi-libc", "libclang-rt-14-dev-wasm32"}
for part in ("libtrilobite0.2", ".whl"):
    assert {"libc6", "libspng0", "libturbojpeg0", "liblz4-1"} <= set(related(part, "DYNAMIC_LINK")), part
