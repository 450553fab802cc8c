"""Which tests run which lines of the library: with that `tools/mutate` leaves out the tests that cannot notice a fault.

A build of its own (lines/seen.cmake) notes which basic blocks each test enters. A test that does not run a line gives the
same result whatever is written there. What is kept holds for the sources as they are, and is made again when one changes."""
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import subprocess

import test_map

WORK = os.path.join(test_map.BUILD, "mutate")
BUILD = os.path.join(WORK, "lines")
KEPT = os.path.join(WORK, "coverage.json")
SUITES = {"cli": "cases", "cli_corpus": "corpus"}  # tests of the program: their folders below tests/cli
LIMIT = 600  # CPU seconds that no test takes
TRACE = "__sanitizer_cov_trace_pc"


def sources_hash():
    """Of everything that decides what a test runs."""
    names = subprocess.run(["git", "ls-files", "-z", "src", "include", "cli", "tests", "cmake", "CMakeLists.txt",
                            "tools/lines", "tools/line_map.py"], cwd=test_map.ROOT, stdout=subprocess.PIPE,
                           text=True).stdout.split("\0")
    total = hashlib.sha256()
    for name in filter(None, names):
        path = os.path.join(test_map.ROOT, name)
        total.update(name.encode() + b"\0")
        if os.path.isfile(path):
            with open(path, "rb") as file:
                total.update(hashlib.sha256(file.read()).digest())
    return total.hexdigest()


def case_costs(folder):
    """CPU seconds of each case, and those before the first one, from the files that tests/cli/run.sh leaves there: user and
    system time of the shell and of its children, before and after. A case that was skipped has no second half."""
    costs, started = {}, []
    for name in os.listdir(folder):
        if name.endswith(".times"):
            with open(os.path.join(folder, name)) as file:
                used = [60 * int(m) + float(s) for m, s in re.findall(r"(\d+)m([\d.]+)s", file.read())]
            started.append(sum(used[:4]))
            costs[name[:-6]] = max(sum(used[4:8]) - started[-1], 0)
    return costs, min(started, default=0)


def blocks_of(program):
    """The basic blocks of the library in a program: (file, line) of what runs after each call of TRACE, by the place
    that the call returns to, counted from the start of the program."""
    text = subprocess.run(["nm", program], stdout=subprocess.PIPE, text=True).stdout
    start = int(re.search(r"^(\w+) \w __executable_start$", text, re.M).group(1), 16)
    found, block, line, called = {}, None, None, False
    prefix = os.path.join(test_map.ROOT, "src") + "/"
    entry = set()  # what a function does before its first block
    with subprocess.Popen(["objdump", "-dl", "--no-show-raw-insn", program], stdout=subprocess.PIPE, text=True) as listing:
        for row in listing.stdout:
            if row.startswith(" "):
                if called:
                    block = found.setdefault(int(row.split(":", 1)[0], 16) - start, entry)
                    entry, called = set(), False
                called = TRACE in row
                if line and not called:  # the call itself may have the line of the block before it
                    (entry if block is None else block).add(line)
            elif row.startswith(prefix):
                path, number = row.split(" ", 1)[0].rsplit(":", 1)
                line = ("src/" + path[len(prefix):], int(number))
            elif row.startswith("/"):
                line = None
            elif row.endswith(">:\n"):  # another function
                block, line, called, entry = None, None, False, set()
    return found


def run(command, env, name):
    """Runs a test in a folder of its own: does it pass, and what it prints."""
    folder = os.path.join(BUILD, "run", name)
    os.makedirs(folder)
    done = subprocess.run(["prlimit", f"--cpu={LIMIT}", *command], cwd=folder, env=dict(os.environ, TMPDIR=folder, **env),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          errors="replace")
    shutil.rmtree(folder, ignore_errors=True)
    return done.returncode == 0, done.stdout


def collect(tests, workers):
    """Runs all of the tests, and those of the program, once: a bit for each test, in the number of each line that has code."""
    program, tests_program = os.path.join(BUILD, "trilobite"), os.path.join(BUILD, "tests/trilobite-tests")
    options = ["-DTRILO_SHARED=OFF", "-DTRILO_HOT_OPTIONS=", "-DCMAKE_C_FLAGS_RELEASE=-O1",
               "-DCMAKE_PROJECT_INCLUDE=" + os.path.join(test_map.ROOT, "tools/lines/seen.cmake")]
    if not test_map.build("release", "trilobite-cli", "trilobite-tests", folder=BUILD, options=options):
        return None
    shutil.rmtree(os.path.join(BUILD, "run"), ignore_errors=True)
    notes = os.path.join(BUILD, "seen")
    shutil.rmtree(notes, ignore_errors=True)
    cases = {f"{suite}/{name}": suite for suite, folder in SUITES.items()
             for name in os.listdir(os.path.join(test_map.ROOT, "tests/cli", folder))}
    for name in [*tests, *cases]:
        path = os.path.join(notes, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.truncate(os.path.getsize(program if name in cases else tests_program))
    unknown = set()  # tests that fail in this build: what they would run is not known

    def run_suite(suite):
        _, text = run([os.path.join(test_map.ROOT, "tests/cli/run.sh"), program, SUITES[suite]],
                      {"NOTES": os.path.join(notes, suite)}, suite)
        if not re.search(r"^\d+ passed", text, re.M):  # it did not come to its end
            unknown.update(name for name in cases if cases[name] == suite)
        unknown.update(f"{suite}/{name}" for name in re.findall(r"^FAIL (\S+)", text, re.M))

    def run_test(name):
        inputs = [os.path.join(test_map.ROOT, "tests/fuzz/corpus", name[5:])] if name.startswith("fuzz.") else []
        if not run([tests_program, name, *inputs], {"TRILOBITE_LINES": os.path.join(notes, name)}, name)[0]:
            unknown.add(name)

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        jobs = [pool.submit(run_suite, suite) for suite in SUITES] + [pool.submit(run_test, name) for name in tests]
        for job in jobs:
            job.result()
    lines, names = {}, [*tests, *cases]
    for which, of_program in ((tests, tests_program), (cases, program)):
        blocks = blocks_of(of_program)
        runs = dict.fromkeys(blocks, 0)
        for name in which:
            with open(os.path.join(notes, name), "rb") as file:
                for hit in re.finditer(b"\1", file.read()):
                    runs[hit.start()] |= 1 << names.index(name)
        for place, there in blocks.items():
            for path, line in there:
                of_file = lines.setdefault(path, {})
                of_file[str(line)] = of_file.get(str(line), 0) | runs[place]
    shutil.rmtree(notes)
    return {"tests": names, "unknown": sorted(unknown),
            "lines": {path: {line: f"{which:x}" for line, which in of_file.items()} for path, of_file in lines.items()}}


def statement_around(code, line):
    """First and last line of the statement that a line is in. Of a long statement only some lines may have instructions,
    and an operator in one line decides whether the next one runs, so they count as one."""
    start, depth, rows = 1, 0, code.split("\n")
    for number, row in enumerate(map(str.rstrip, rows), 1):
        if start == number and not row:
            start += 1
            continue
        is_block = re.search(r"(?:^\s*|[):] |\b(?:else|do|struct|union|enum) |\b(?:struct|union|enum) \w+ )\{$", row)
        inside = row[:-1] if is_block else row
        depth += sum(map(inside.count, "([{")) - sum(map(inside.count, ")]}"))
        is_head = row.endswith(")") and re.match(r"\s*(?:\} )?(?:else )?(?:if|for|while|switch)\b", rows[start - 1])
        is_label = re.fullmatch(r"\s*(?:case\b.*|\w+):", row)
        if is_block or row.startswith(("{", "}")) or \
                (depth <= 0 and (row.endswith((";", "}")) or is_head or is_label or row.strip() in ("else", "do"))):
            if number >= line:
                break
            start, depth = number + 1, 0
    return start, number


def function_around(code, line):
    """First and last line of the body that a line is in, or None. A body starts and ends in the first column."""
    rows = code.split("\n")
    start = next((i for i in range(line - 1, -1, -1) if rows[i][:1] in ("{", "}")), None)
    if start is None or rows[start] != "{":
        return None
    end = next((i for i in range(line, len(rows)) if rows[i][:1] == "}"), len(rows) - 1)
    return start + 1, end + 1


class LineMap:
    def __init__(self, kept):
        self.tests, self.unknown = kept["tests"], set(kept["unknown"])
        self.lines = {path: {int(line): int(which, 16) for line, which in of_file.items()}
                      for path, of_file in kept["lines"].items()}

    def tests_of(self, path, code, line):
        """Names of the tests that run a line of a text without comments, a set; None when that says nothing: outside of
        functions there are tables and constants, which code anywhere may look at. The label of a `case` also matters to
        values that do not come to it."""
        known = self.lines.get(path, {})
        body = function_around(code, line)
        if body is None:
            return None
        first, last = statement_around(code, line)
        if re.match(r"\s*(?:case|default)\b", code.split("\n")[line - 1]) or not any(first <= at <= last for at in known):
            first, last = body
            if not any(first <= at <= last for at in known):
                return None
        which = 0
        for at, runs in known.items():
            if first <= at <= last:
                which |= runs
        return {name for i, name in enumerate(self.tests) if which >> i & 1} | self.unknown  # of these it is not known


def load(tests, workers):
    """What was kept, or a new one; None when that cannot be built."""
    key = sources_hash()
    try:
        with open(KEPT) as file:
            kept = json.load(file)
    except (OSError, ValueError):
        kept = {}
    if kept.get("key") != key or not set(tests) <= set(kept["tests"]):
        print("finding out which tests run which lines", flush=True)
        kept = collect(tests, workers)
        if kept is None:
            return None
        with open(KEPT, "w") as file:
            json.dump({"key": key, **kept}, file)
    if kept["unknown"]:
        print(f"run for every line, as they fail with counters: {' '.join(kept['unknown'])}", flush=True)
    return LineMap(kept)
