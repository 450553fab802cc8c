#!/usr/bin/env python3
"""schemas.py SOURCE_DIR FILE...: validates outputs of --json against docs/json.

Each output names its schema: "trilobite-info-1" is info.schema.json. Prints one line for every output that does not
agree, and fails if there is one, if a schema was used by none, or if the sources of the program have a key that is in
none."""
import json
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    print("skip: there is no jsonschema for Python (python3-jsonschema of Debian)")
    sys.exit(77)


def load_validators(folder):
    validators = {}
    for path in sorted(folder.glob("*.schema.json")):
        schema = json.loads(path.read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[schema["$id"]] = jsonschema.Draft202012Validator(schema)
    return validators


def described(schema):
    """The names of all properties, at any depth."""
    if isinstance(schema, list):
        return set().union(*map(described, schema))
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", ())).union(*map(described, schema.values()))


def written(source):
    """The keys that the program writes, by its sources."""
    keys = set()
    for path in (pathlib.Path(source) / "cli").rglob("*.c"):
        keys.update(re.findall(r'json_(?!start)\w+\(\s*&?[\w.>-]+,\s*"(\w+)"', path.read_text()))
    return keys


def main(source, *paths):
    validators = load_validators(pathlib.Path(source) / "docs" / "json")
    used, failed = set(), 0
    for path in paths:
        output = json.loads(pathlib.Path(path).read_text())
        name = output.get("schema")
        used.add(name)
        if name not in validators:
            error = f"no schema is called {name}"
        else:
            found = jsonschema.exceptions.best_match(validators[name].iter_errors(output))
            error = f"{found.json_path}: {found.message[:300]}" if found else None
        if error:
            failed += 1
            print(f"FAIL {path}: {error}")
    for name in sorted(set(validators) - used):
        failed += 1
        print(f"FAIL {name}: no output was validated against it")
    for key in sorted(written(source) - set().union(*(described(v.schema) for v in validators.values()))):
        failed += 1
        print(f"FAIL {key}: the program writes it, but no schema has it")
    print(f"{len(paths)} outputs, {len(validators)} schemas, {failed} failed")
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))
