# fixtures.sh: makes the input files of the tests in the current directory, byte by byte, so that every expected value
# is known by hand. Sourced by run.sh.

# u32 N...: little-endian 32-bit numbers; -1 is all ones.
u32() {
    for n in "$@"; do
        [ "$n" != -1 ] || n=4294967295
        # shellcheck disable=SC2059
        printf "$(printf '\\%03o\\%03o\\%03o\\%03o' \
            $((n % 256)) $((n / 256 % 256)) $((n / 65536 % 256)) $((n / 16777216)))"
    done
}

# f32 X...: the few 32-bit floats that are needed.
f32() {
    for x in "$@"; do
        case $x in
        0) printf '\000\000\000\000' ;;
        0.5) printf '\000\000\000\077' ;;
        -0.5) printf '\000\000\000\277' ;;
        1) printf '\000\000\200\077' ;;
        -1) printf '\000\000\200\277' ;;
        2) printf '\000\000\000\100' ;;
        4) printf '\000\000\200\100' ;;
        10) printf '\000\000\040\101' ;;
        nan) printf '\000\000\300\177' ;;
        *) echo "fixtures: no such float: $x" >&2 && exit 1 ;;
        esac
    done
}

# header VERSION ANIMATED: the hash of nothing, "LDOM", and the two numbers.
header() {
    u32 2166136261
    old_header "$@"
}

# old_header VERSION ANIMATED: the same without the hash.
old_header() {
    printf 'LDOM'
    u32 "$1" "$2"
}

# vertex X Y Z [BONE]: white, facing z, all its weight on the bone.
vertex() {
    f32 "$1" "$2" "$3" 1 1 1 0 0 1 0 0
    if [ $# -gt 3 ]; then
        u32 "$4" -1 -1 -1
        f32 1 0 0 0
    else
        u32 -1 -1 -1 -1
        f32 0 0 0 0
    fi
}

# A square of 4 x 4 that was scaled into a unit box, from its bounds to the end of its vertices.
square() {
    f32 0 0 0 4 4 0
    u32 1 4 6
    vertex -0.5 -0.5 0
    vertex 0.5 -0.5 0
    vertex 0.5 0.5 0
    vertex -0.5 0.5 0
}

# jpeg: not a picture, but the head of one of 64 x 32 pixels: 41 bytes.
jpeg() {
    printf '\377\330\377\340\000\020JFIF\000\001\001\000\000\001\000\001\000\000'
    printf '\377\300\000\021\010\000\040\000\100\003\001\042\000\002\021\001\003\021\001\377\331'
}

# png: the same for a PNG of 4 x 2 pixels: 33 bytes.
png() {
    printf '\211PNG\r\n\032\n\000\000\000\015IHDR\000\000\000\004\000\000\000\002\010\002\000\000\000\360\312\352\064'
}

# identity: a 4 x 4 matrix.
identity() {
    f32 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1
}

# A triangle on one bone (index 0, node 7) that moves by 2 along x in one second; node 3 is its parent.
animated() {
    header 2 1
    f32 0 0 0 1 1 0
    u32 1 3 3
    vertex 0 0 0 0
    vertex 1 0 0 0
    vertex 0 1 0 0
    u32 0 1 2 0
    f32 10 # ticks, ten of them a second
    u32 10 1 7
    identity
    u32 0
    u32 1 7 0 2 1 1
    f32 0 0 0 0 10 2 0 0
    f32 0 0 0 0 1
    f32 0 1 1 1
    u32 2 3
    identity
    u32 1 7 7
    identity
    u32 0
}

# patches Z...: triangles above each other, each a mesh with a texture of its own.
patches() {
    header 2 0
    f32 0 0 0 1 1 0
    u32 $#
    for z in "$@"; do
        u32 3 3 && vertex 0 0 "$z" && vertex 1 0 "$z" && vertex 0 1 "$z" && u32 0 1 2 41 && jpeg
    done
}

make_fixtures() {
    { header 2 0 && square && u32 0 1 2 0 2 3 0; } > quad.nlm
    { old_header 2 0 && square && u32 0 1 2 0 2 3 0; } > old.nlm
    { header 2 0 && square && u32 0 1 2 0 2 9 0; } > index.nlm
    { header 3 0 && square && u32 0 1 2 0 2 3 0; } > version.nlm
    { header 2 0 && square && u32 0 1 2 0 2 3 41 && jpeg; } > textured.nlm
    { cat quad.nlm && printf 'rest'; } > trailing.nlm
    { header 2 0 && f32 0 0 0 0 1 0 && u32 1 2 4 && vertex 0 -0.5 0 && vertex 0 0.5 0 && u32 0 1 1 0 0; } > wire.nlm
    { header 2 0 && f32 0 0 0 1 1 0 && u32 1 1 0 && vertex nan 0 0 && u32 0; } > nan.nlm
    animated > walk.nlm
    patches -1 -0.5 0 0.5 1 2 > patches.nlm
    head -c 100 quad.nlm > cut.nlm
    : > empty.nlm
    echo 'This is no model.' > letter.nlm
    png > picture.png
    cp quad.nlm "$(printf 'red\033[31m\001.nlm')"
    echo 'what was there' > kept.nlm
    make_t3dm_fixtures
    make_model64_fixtures
    make_gltf_fixtures
}
