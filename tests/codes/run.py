#!/usr/bin/env python3
"""run.py PROGRAM: does every code of a finding have an input that shows it?

`list` has a line for each code that `trilobite check --codes` documents:
  CODE: COMMAND       with a file of inputs/, the command prints the code
  CODE: case NAME     tests/cli/cases/NAME expects it
  CODE: test FILE     the library cannot be brought there by a file alone: tests/FILE expects it

A code without a line, a line without a code, and a command that does not print its code are failures. So is a limit of
the readers (limits.py) that is not refused with exit code 5 and its message."""
import os, re, shutil, subprocess, sys, tempfile
import limits

PROGRAM, HERE = os.path.abspath(sys.argv[1]), os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
CODE = re.compile(r"(?<![A-Z0-9-])[A-Z0-9]+(?:-[A-Z0-9]+)+(?![A-Z0-9-])")


def run(*words):
    result = subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True)
    return (result.stdout + result.stderr).decode(errors="replace")


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def codes_in_case(name):
    folder = os.path.join(TESTS, "cli", "cases", name)
    return set(code for file in ("stdout", "stderr") if os.path.exists(os.path.join(folder, file))
               for code in CODE.findall(read(os.path.join(folder, file))))


def limit_failures():
    for message, command in limits.cases():
        result = subprocess.run([PROGRAM, *command.split()], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        said = result.stdout + result.stderr
        if result.returncode != 5 or message not in said:
            yield "the limit \"%s\" is not shown by: %s (exit code %d)\n%s" % (message, command, result.returncode, said[:300])


def main():
    documented = re.findall(r"^\| `([^`]+)` \|", run("check", "--codes"), re.M)
    listed, failures, printed, kinds = {}, [], {}, {"case": 0, "test": 0, "input": 0}
    for line in read(os.path.join(HERE, "list")).splitlines():
        code, _, how = line.partition(": ")
        listed[code] = how
    for code in documented:
        if code not in listed:
            failures.append("%s has no input; add one to tests/codes/list" % code)
    for code, how in listed.items():
        kind, _, name = how.partition(" ")
        if code not in documented:
            failures.append("%s is no code" % code)
        elif kind == "case":
            shown = codes_in_case(name)
        elif kind == "test":
            shown = set(CODE.findall(read(os.path.join(TESTS, name))))
        else:
            kind = "input"
            if how not in printed:
                printed[how] = set(CODE.findall(run(*how.split())))
            shown = printed[how]
        kinds[kind] += 1
        if code in documented and code not in shown:
            failures.append("%s is not shown by: %s" % (code, how))
    failures += limit_failures()
    for failure in failures:
        print("FAIL " + failure)
    print("%d codes: %d with an input, %d in a case of the program, %d in a test of the library; %d failures" % (
        len(documented), kinds["input"], kinds["case"], kinds["test"], len(failures)))
    return len(failures) > 0


with tempfile.TemporaryDirectory() as work:
    shutil.copytree(os.path.join(HERE, "inputs"), os.path.join(work, "inputs"))
    os.chdir(os.path.join(work, "inputs"))
    result = main()
    os.chdir("/")
sys.exit(result)
