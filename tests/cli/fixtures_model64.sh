# fixtures_model64.sh: models of the N64 "Model" format, byte by byte. Sourced by run.sh; needs b8, b16 and b32.

HALF=$((0x3F000000)) TWO=$((0x40000000)) # 0.5 and 2.0 as the bits of a float; ONE is there

# zeros N: that many bytes of 0.
zeros() {
    head -c "$1" /dev/zero
}

# model_header MAIN_SIZE VERTEX_SIZE: the main section stands behind it, the vertex section behind that.
model_header() {
    printf 'Model' && zeros 11 && b32 32 "$1" $((32 + $1)) "$2"
}

# point X Y Z S T RGBA: a vertex.
point() {
    b16 "$1" "$2" "$3" 0 "$4" "$5" && b32 "$6"
}

# end: of a display list.
end() {
    b32 $((0xDF000000)) 0
}

# box: a cube of one metre, without texture coordinates and colours.
box() {
    model_header 224 0
    b32 96 32 0 0 0 0 128 0
    b32 $((0x01008010)) $((0x01000000)) # 8 vertices into slots 0 to 7
    b32 $((0x06000204)) $((0x00040600)) $((0x06040806)) $((0x00080402)) $((0x060A0006)) $((0x00000A02))
    b32 $((0x060C0608)) $((0x00060C0A)) $((0x060C080E)) $((0x00020E08)) $((0x060E0A0C)) $((0x000E020A))
    end
    point -32 -32 32 0 0 0 && point 32 -32 32 0 0 0 && point -32 32 32 0 0 0 && point -32 32 -32 0 0 0
    point 32 32 32 0 0 0 && point -32 -32 -32 0 0 0 && point 32 32 -32 0 0 0 && point 32 -32 -32 0 0 0
}

# square_at X: the vertices of a square of 64: red, green, blue and white corners, a whole texture of 32 texels.
square_at() {
    point "$1" 0 0 0 0 $((0xFF0000FF)) && point $(($1 + 64)) 0 0 2048 0 $((0x00FF00FF))
    point $(($1 + 64)) 64 0 2048 2048 $((0x0000FFFF)) && point "$1" 64 0 0 2048 $((0xFFFFFFFF))
}

# square_list: its two triangles.
square_list() {
    b32 $((0x01004008)) $((0x01000000)) $((0x06000204)) $((0x00000406)) && end
}

# slide: the square, which slides by 128 along x in three frames; its second clip shows the first frame again.
slide() {
    model_header 208 192
    b32 144 112 0 0 0 2 64
    b32 "$ONE" 3 52 "$ONE" 1 88
    b32 0 $TWO 0 $HALF $TWO 64 "$ONE" 0 128
    b32 0 "$ONE" 0
    zeros 12 && square_list && zeros 8
    square_at 0
    square_at 0 && square_at 64 && square_at 128
}

# second: the square in the second slot, and nothing in the first.
second() {
    model_header 128 0
    b32 64 0 32 0 0 0 64 0
    square_list && zeros 8 && square_at 0
}

# twice: the square, whose first triangle is drawn again before the second one; its last corner has another texture
# coordinate by then.
twice() {
    model_header 144 0
    b32 80 32 0 0 0 0 64 0
    b32 $((0x01004008)) $((0x01000000)) $((0x05000204)) 0 $((0x02140006)) $((0x00000200))
    b32 $((0x06000204)) $((0x00000406)) && end && zeros 8
    square_at 0
}

# crowd N: the square and N - 4 vertices that nothing draws, with a clip of one frame.
crowd() {
    model_header $((96 + 16 * $1)) $((16 * $1))
    b32 96 64 0 0 0 1 $((16 * $1)) && b32 "$ONE" 1 40 0 "$ONE" 0
    zeros 12 && square_list && zeros 8
    square_at 0 && zeros $((16 * ($1 - 4)))
    square_at 0 && zeros $((16 * ($1 - 4)))
}

make_model64_fixtures() {
    box > box.model
    slide > slide.model
    second > second.model
    twice > twice.model
    crowd 650 > crowd.model
    { head -c 74 box.model && b8 18 && tail -c +76 box.model; } > slot.model # a corner from slot 9, where nothing is
    { head -c 21 box.model && b8 1 && tail -c +23 box.model; } > long.model # a main section that is not all there
    { head -c 5 box.model && printf x && tail -c +7 box.model; } > padded.model
}
