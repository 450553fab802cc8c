# lib.sh: what every case may use. Sourced by run.sh.

# run COMMAND...: runs it and prints its exit code behind its output.
run() {
    code=0
    "$@" || code=$?
    echo "=> $code"
}

# json [FILE]...: are these, or is standard input, JSON, all of it? Names those that are not. One process for all of them:
# to start node costs more than to parse.
json() {
    if command -v node > /dev/null; then
        node -e 'let bad = 0
            for (const name of process.argv.length > 1 ? process.argv.slice(1) : [0])
                try { JSON.parse(require("fs").readFileSync(name, "utf8")) }
                catch (error) { bad = 1; console.error(name + ": " + error.message) }
            process.exit(bad)' -- "$@"
    else
        python3 -c 'import json, sys
bad = 0
for name in sys.argv[1:] or [0]:
    try:
        json.loads(open(name, "rb").read().decode("utf-8"))
    except ValueError as error:
        bad = 1
        print(name, error, file=sys.stderr)
sys.exit(bad)' "$@"
    fi
}

# some: of the lines of standard input every CLI_STEP-th (run.sh), for commands that do the same with each of many files.
some() {
    awk -v step="$CLI_STEP" 'NR % step == 1 % step'
}

# t3dm_files: the real T3DM models that have a version.
t3dm_files() {
    find "$CORPUS/t3dm" "$CORPUS/t3dm-versions" "$CORPUS/dca" -name '*.t3dm' | grep -v /unversioned/ | sort
}

# sorted_triangles: the output of "dump --triangles", a triangle a line, whatever their order and their first corners are.
sorted_triangles() {
    awk '
        /^    at/ { corner[n++] = $0 }
        n == 3 {
            first = 0
            for (i = 1; i < 3; i++) if (corner[i] < corner[first]) first = i
            print corner[first] corner[(first + 1) % 3] corner[(first + 2) % 3]
            n = 0
        }' | sort
}

# triangles [OPTION]... FILE: what a model draws.
triangles() {
    trilobite dump --triangles "$@" | sorted_triangles
}
