#!/usr/bin/env python3
"""run.py PROGRAM: does every code of a finding have an input that shows it?

`list` has a line for each code that `trilobite check --codes` documents:
  CODE: COMMAND       with a file of inputs/, the command prints the code
  CODE: case NAME     tests/cli/cases/NAME expects it
  CODE: test FILE     the library cannot be brought there by a file alone: tests/FILE expects it
Codes of imports are passed over without Assimp.

A code without a line, a line without a code, and a command that does not print its code are failures. So is a place in
the library that raises the code of a limit and has no line in `limits`, and an input of limits.py that is not refused with
exit code 5 and its message."""
import os, re, shutil, subprocess, sys, tempfile

sys.dont_write_bytecode = True  # nothing is left in the source tree
import limits  # noqa: E402

PROGRAM, HERE = os.path.abspath(sys.argv[1]), os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
CODE = re.compile(r"(?<![A-Z0-9-])[A-Z0-9]+(?:-[A-Z0-9]+)+(?![A-Z0-9-])")


def run(*words):
    result = subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True)
    return (result.stdout + result.stderr).decode(errors="replace")


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def codes_printed(words):
    """The codes in what a command prints, but not in the names of its files."""
    said = run(*words)
    for word in sorted(words, key=len, reverse=True):
        said = said.replace(word, "")
    return set(CODE.findall(said))


def codes_in_case(name):
    folder = os.path.join(TESTS, "cli", "cases", name)
    return set(code for file in ("stdout", "stderr") if os.path.exists(os.path.join(folder, file))
               for code in CODE.findall(read(os.path.join(folder, file))))


def places_of_limits():
    """Every function of the library that refuses something with the code of a limit."""
    for folder, _, files in sorted(os.walk(os.path.join(os.path.dirname(TESTS), "src"))):
        for name in sorted(files):
            path, function = os.path.join(folder, name), None
            for line in read(path).splitlines() if name.endswith(".c") else ():
                start = re.match(r"[a-zA-Z_][\w *]*?\b(\w+)\(", line)
                function = start[1] if start else function
                if "TRILO_CODE_LIMIT" in line:
                    yield "%s %s" % (os.path.relpath(path, os.path.dirname(TESTS)), function)


def limit_failures(kinds):
    """`limits` has a line for each of these places: `input` is one in limits.py, `test FILE` expects it by code, and
    `none` has a reason why there is none."""
    listed = dict(line.split(": ", 1) for line in read(os.path.join(HERE, "limits")).splitlines())
    places, inputs = set(places_of_limits()), set()
    for place in sorted(places - set(listed)):
        yield "the limit in %s has no input; add one to tests/codes/limits" % place
    for place in sorted(set(listed) - places):
        yield "%s has no limit" % place
    for place, message, command in limits.cases():
        inputs.add(place)
        result = subprocess.run([PROGRAM, *command.split()], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        said = result.stdout + result.stderr
        if result.returncode != 5 or message not in said:
            yield "the limit \"%s\" is not shown by: %s (exit code %d)\n%s" % (message, command, result.returncode, said[:300])
    for place, how in listed.items():
        kind, _, rest = how.partition(" ")
        kinds[kind.strip(":")] += 1
        if kind == "input" and place not in inputs:
            yield "the limit in %s has no case in limits.py" % place
        elif kind == "test" and not re.search("TRILO_CODE_LIMIT|IMAGE-LIMIT", read(os.path.join(TESTS, rest))):
            yield "the limit in %s is not expected by %s" % (place, rest)


def main():
    documented = re.findall(r"^\| `([^`]+)` \|", run("check", "--codes"), re.M)
    listed, failures, printed, kinds = {}, [], {}, {"case": 0, "test": 0, "input": 0}
    for line in read(os.path.join(HERE, "list")).splitlines():
        code, _, how = line.partition(": ")
        listed[code] = how
    for code in documented:
        if code not in listed:
            failures.append("%s has no input; add one to tests/codes/list" % code)
    imports = "needs Assimp" not in run("info", "IMPORT-LOST.obj")
    if not imports:
        print("SKIP codes: Assimp is not installed")
    for code, how in listed.items():
        kind, _, name = how.partition(" ")
        if code.startswith("IMPORT-") and not imports:
            continue
        if code not in documented:
            failures.append("%s is no code" % code)
        elif kind == "case":
            shown = codes_in_case(name)
        elif kind == "test":
            shown = set(CODE.findall(read(os.path.join(TESTS, name))))
        else:
            kind = "input"
            if how not in printed:
                printed[how] = codes_printed(how.split())
            shown = printed[how]
        kinds[kind] += 1
        if code in documented and code not in shown:
            failures.append("%s is not shown by: %s" % (code, how))
    limit_kinds = {"input": 0, "test": 0, "none": 0}
    failures += limit_failures(limit_kinds)
    for failure in failures:
        print("FAIL " + failure)
    print("%d codes: %d with an input, %d in a case of the program, %d in a test of the library; %d failures" % (
        len(documented), kinds["input"], kinds["case"], kinds["test"], len(failures)))
    print("%d limits: %d with an input, %d in a test of the library, %d with neither" % (
        sum(limit_kinds.values()), limit_kinds["input"], limit_kinds["test"], limit_kinds["none"]))
    return len(failures) > 0


with tempfile.TemporaryDirectory() as work:
    shutil.copytree(os.path.join(HERE, "inputs"), os.path.join(work, "inputs"))
    os.chdir(os.path.join(work, "inputs"))
    result = main()
    os.chdir("/")
sys.exit(result)
