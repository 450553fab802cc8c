# lib.sh: what every case may use. Sourced by run.sh.

# run COMMAND...: runs it and prints its exit code behind its output.
run() {
    code=0
    "$@" || code=$?
    echo "=> $code"
}

# json: is standard input JSON, all of it?
json() {
    if command -v node > /dev/null; then
        node -e 'JSON.parse(require("fs").readFileSync(0, "utf8"))'
    else
        python3 -c 'import json, sys; json.loads(sys.stdin.buffer.read().decode("utf-8"))'
    fi
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
