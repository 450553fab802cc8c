# fixtures_t3dm.sh: T3DM models of our own, byte by byte. Sourced by run.sh.

# b32 N..., b16 N..., b8 N...: big-endian numbers; negative ones in two's complement.
b32() {
    for n in "$@"; do
        b8 $((n >> 24 & 255)) $((n >> 16 & 255)) $((n >> 8 & 255)) $((n & 255))
    done
}
b16() {
    for n in "$@"; do
        b8 $((n >> 8 & 255)) $((n & 255))
    done
}
b8() {
    for n in "$@"; do
        # shellcheck disable=SC2059
        printf "$(printf '\\%03o' "$n")"
    done
}

ONE=$((0x3F800000)) # 1.0 as the bits of a float

# texture_hash PATH: as the console has it.
texture_hash() {
    h=$((0x7E81C0E9)) text=$1
    while [ -n "$text" ]; do
        c=${text%"${text#?}"} text=${text#?}
        h=$(((h >> 8 | (h & 255) << 24) ^ $(printf %d "'$c")))
    done
    echo $h
}

# leaf_object NAME BONE: an object of one part: two triangles of a square of 64.
leaf_object() {
    b32 "$1" && b16 1 2 && b32 0 0 0 && b16 0 0 0 64 64 0
    b32 0 && b16 4 0 && b32 0 && b16 6 "$2" && b32 0 0
}

# leaf_vertices: red, green, blue and white corners that face z.
leaf_vertices() {
    b16 0 0 0 15 64 0 0 15 && b32 $((0xFF0000FF)) $((0x00FF00FF)) && b16 0 0 1024 0
    b16 64 64 0 15 0 64 0 15 && b32 $((0x0000FFFF)) $((0xFFFFFFFF)) && b16 1024 1024 0 1024
}

leaf_indices() {
    b8 0 1 2 0 2 3 0 0
}

# axis: one whole texture of 32 texels.
axis() {
    b32 0 $((0x41F80000)) && b8 5 0 0 0
}

# leaf_material NAME PATH HASH: shade times prim, or texture times shade when there is a path.
leaf_material() {
    if [ "$2" = 0 ]; then
        b32 $((0x41FE83)) $((0x88FFFDFE))
    else
        b32 $((0x127E24)) $((0x88FFFDFE))
    fi
    b32 8192 0 12288 1 0 $(($2 ? 23 : 21)) # bilinear; depth, shaded, cull back
    b8 0 1 1 0 10 20 30 255 0 0 0 0 0 0 0 0
    b32 "$1" 0 "$2" "$3" 0 && b16 32 32 && axis && axis
    b32 0 0 0 0 && b16 1 1 && axis && axis
}

# leaf: one object, one material, nothing else: 352 bytes.
leaf() {
    printf 'T3M\004' && b32 4 && b16 4 6 && b32 1 2 3 340 0 && b16 0 0 0 64 64 0
    b32 $((0x4F000040)) $((0x56000080)) $((0x490000C0)) $((0x4D0000C8)) 0 # O V I M, and padding
    leaf_object 7 65535 && b32 0 0
    leaf_vertices && leaf_indices && leaf_material 1 0 0
    printf 'Sgreen\000Leaf\000'
}

# textured_leaf: the same with rom:/leaf.sprite.
textured_leaf() {
    leaf | head -c 200
    leaf_material 1 12 "$(texture_hash rom:/leaf.sprite)"
    printf 'Sgreen\000Leaf\000rom:/leaf.sprite\000'
}

# tiles: two squares side by side, each with the whole texture. They share two vertices if one moves by a repeat.
tiles() {
    printf 'T3M\004' && b32 4 && b16 8 12 && b32 1 2 3 412 0 && b16 0 0 0 128 64 0
    b32 $((0x4F000040)) $((0x56000080)) $((0x49000100)) $((0x4D000110)) 0 # O V I M, and padding
    b32 7 && b16 1 4 && b32 0 0 0 && b16 0 0 0 128 64 0
    b32 0 && b16 8 0 && b32 0 && b16 12 65535 && b32 0 0 0 0
    for left in 0 64; do
        right=$((left + 64))
        b16 $left 0 0 15 $right 0 0 15 && b32 -1 -1 && b16 0 0 1024 0
        b16 $right 64 0 15 $left 64 0 15 && b32 -1 -1 && b16 1024 1024 0 1024
    done
    b8 0 1 2 0 2 3 4 5 6 4 6 7 && b32 0
    leaf_material 1 13 "$(texture_hash rom:/leaf.sprite)"
    printf 'Sgreen\000Tiles\000rom:/leaf.sprite\000'
}

# sway STREAM: the leaf on a bone that moves by 64 along x in one second.
sway() {
    printf 'T3M\004' && b32 6 && b16 4 6 && b32 2 3 4 428 0 && b16 0 0 0 64 64 0
    b32 $((0x4F000048)) $((0x41000080)) $((0x560000A0)) $((0x490000E0)) $((0x4D0000E8)) $((0x53000178)) 0 # O A V I M S
    leaf_object 12 0
    b32 17 $ONE 2 && b16 0 1 && b32 22 && b16 0 && b8 0 0 && b32 $ONE 0
    leaf_vertices && leaf_indices && leaf_material 6 0 0 && b32 0
    b16 1 0 && b32 1 && b16 65535 0 && b32 $ONE $ONE $ONE 0 0 0 $ONE 0 0 0
    printf 'Sstem\000green\000Leaf\000sway\000rom:/%s\000' "$1"
}

# sway_keys: its two keys, 14 bytes.
sway_keys() {
    b16 0 0 0 0 60 0 64
}

# dca3: standard input, 352 bytes of it, as LZ4 that copies nothing: level 1.
dca3() {
    printf 'DCA3' && b16 1 259 && b32 355 352 33 && b8 240 255 82 && cat
}

make_t3dm_fixtures() {
    leaf > leaf.t3dm
    tiles > tiles.t3dm
    textured_leaf > textured.t3dm
    sway sway.0.sdata > sway.t3dm
    sway_keys > sway.0.sdata
    dca3 < leaf.t3dm > packed.t3dm
    { printf 'T3DM' && tail -c +5 leaf.t3dm; } > legacy.t3dm
    { printf 'T3M\011' && tail -c +5 leaf.t3dm; } > future.t3dm
    { head -c 196 leaf.t3dm && b8 9 && tail -c +198 leaf.t3dm; } > slot.t3dm
    { head -c 347 leaf.t3dm && printf 'L\001\377f\000'; } > named.t3dm
    head -c 150 leaf.t3dm > cut.t3dm
    head -c 9 sway.0.sdata > short.0.sdata
    sway short.0.sdata > lame.t3dm
}
