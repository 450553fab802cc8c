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
