# fixtures_gltf.sh: glTF files of our own, text and binary. Sourced by run.sh; needs u32, f32, zeros and png.

# u16 N...: little-endian 16-bit numbers.
u16() {
    for n in "$@"; do
        # shellcheck disable=SC2059
        printf "$(printf '\\%03o\\%03o' $((n % 256)) $((n / 256)))"
    done
}

# corners: the buffer of a right triangle. Positions at 0, indices at 36, times 0 and 1 at 44, a way from 0 to 2 along x
# at 52, joints at 76, weights at 88: 136 bytes.
corners() {
    f32 0 0 0 1 0 0 0 1 0
    u16 0 1 2 0
    f32 0 1 0 0 0 2 0 0
    zeros 12
    f32 1 0 0 0 1 0 0 0 1 0 0 0
}

# gltf [KEY TEXT]...: the text of a triangle. Keys: asset, primitive, node and more (further members of those, or of the
# file), materials, nodes (further ones), root (the nodes of the scene), uri (of the buffer; "": it is in the .glb),
# positions (the accessor).
gltf() {
    asset='"version":"2.0","generator":"by hand"' primitive='' node='' more='' materials='' nodes='' root=0 uri=corners.bin
    positions='"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]'
    while [ $# -gt 0 ]; do
        eval "$1=\$2"
        shift 2
    done
    [ -z "$materials" ] || more="\"materials\":[$materials],$more" primitive=",\"material\":0$primitive"
    [ -z "$uri" ] || uri="\"uri\":\"$uri\","
    cat <<END
{"asset":{$asset},"scene":0,"scenes":[{"nodes":[$root]}],
"nodes":[{"name":"Tri","mesh":0$node}$nodes],
"meshes":[{"name":"tri","primitives":[{"attributes":{"POSITION":0},"indices":1$primitive}]}],
$more
"accessors":[{$positions},{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"},
{"bufferView":2,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},
{"bufferView":3,"componentType":5126,"count":2,"type":"VEC3"},
{"bufferView":4,"componentType":5121,"count":3,"type":"VEC4"},
{"bufferView":5,"componentType":5126,"count":3,"type":"VEC4"}],
"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6},
{"buffer":0,"byteOffset":44,"byteLength":8},{"buffer":0,"byteOffset":52,"byteLength":24},
{"buffer":0,"byteOffset":76,"byteLength":12},{"buffer":0,"byteOffset":88,"byteLength":48}],
"buffers":[{$uri"byteLength":136}]}
END
}

# glb TEXT BUFFER: both files as one.
glb() {
    text=$(wc -c < "$1") size=$(wc -c < "$2")
    fill=$(((4 - text % 4) % 4))
    printf 'glTF' && u32 2 $((28 + text + fill + size)) $((text + fill)) && printf 'JSON' && cat "$1"
    printf '%*s' $fill '' && u32 "$size" && printf 'BIN\000' && cat "$2"
}

# fast64 [TEXTURE]: a material with the settings of the N64: the texture, or white, times shade; lit, bilinear, only the
# front. In the text, A stands for the first input of the combiner.
fast64() {
    input=6 tile=''
    if [ -n "${1:-}" ]; then
        input=1
        tile=",\"tex0\":{\"tex\":{\"name\":\"$1\"},\"S\":{\"low\":0,\"high\":3,\"mask\":2,\"shift\":0},"
        tile="$tile\"T\":{\"low\":0,\"high\":1,\"mask\":1,\"shift\":0}}"
    fi
    cat <<END
{"name":"Brick","extras":{"f3d_mat":{
"combiner1":{"A":$input,"B":8,"C":4,"D":7,"A_alpha":7,"B_alpha":7,"C_alpha":7,"D_alpha":6},
"combiner2":{"A":0,"B":8,"C":16,"D":0,"A_alpha":7,"B_alpha":7,"C_alpha":7,"D_alpha":0},
"set_prim":1,"prim_color":[1,1,1,1],"set_env":0,"env_color":[1,1,1,1],"set_blend":0,"blend_color":[0,0,0,1],
"draw_layer":{"sm64":1,"oot":0},"rdp_settings":{"g_mdsft_cycletype":0,"g_cull_back":1,"g_cull_front":0,"g_fog":0,
"g_lighting":1,"g_mdsft_text_filt":2,"g_tex_gen":0,"set_rendermode":0}$tile}}}
END
}

# clip NAME [TARGET]: an animation; the target is the member "node" of its channel, with a comma behind.
clip() {
    printf '"animations":[{%s"samplers":[{"input":2,"output":3}],"channels":[{"sampler":0,"target":{%s"path":' \
        "${1:+\"name\":\"$1\",}" "${2-\"node\":1,}"
    printf '"translation"}}]}],'
}

# rigged CLIPS [JOINT]: the triangle on a joint, node 1, whose members may be given.
rigged() {
    sed 's/"POSITION":0/"POSITION":0,"JOINTS_0":4,"WEIGHTS_0":5/' <<END
$(gltf materials "$(fast64)" node ',"skin":0' nodes ",{${2-\"name\":\"Bone\"}}" root 0,1 more "\"skins\":[{\"joints\":[1]}],$1")
END
}

# two_objects: the triangle of three nodes: Water, which is blended, Rock and Leaf, which is cut out.
two_objects() {
    gltf materials '{"name":"Water","alphaMode":"BLEND"},{"name":"Rock"},{"name":"Leaf","alphaMode":"MASK"}' root 0,1,2 \
        nodes ',{"name":"Rock","mesh":1},{"name":"Leaf","mesh":2}' | sed '
        s/"name":"Tri"/"name":"Water"/
        s/^"meshes":.*/"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0}]},/
        s/^\("meshes.*\)/\1{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":1}]},/
        s/^\("meshes.*\)/\1{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":2}]}],/'
}

make_gltf_fixtures() {
    corners > corners.bin
    gltf materials "$(fast64)" > tri.gltf
    gltf materials "$(fast64)" uri '' > glb.txt && glb glb.txt corners.bin > tri.glb && rm glb.txt
    gltf materials '{"name":"Red","pbrMetallicRoughness":{"baseColorFactor":[1,0,0,1]}}' > plain.gltf
    gltf materials "$(fast64 brick.ci4.png)" > brick.gltf
    gltf materials "$(fast64 | sed 's/"sm64":1/"sm64":4/; s/"g_lighting":1/"g_lighting":0/')" > cutout.gltf
    gltf materials "$(fast64)" node ',"translation":[5000,0,0]' > far.gltf
    gltf primitive ',"mode":0' > points.gltf
    gltf positions '"componentType":5126,"count":3,"type":"VEC3"' > noview.gltf
    gltf asset '"version":"1.0"' > one.gltf
    gltf uri nothere.bin > nobin.gltf
    gltf more '"extensionsRequired":["EXT_stranger"],"extensionsUsed":["EXT_stranger"],' > stranger.gltf
    gltf primitive ',"extensions":{"KHR_draco_mesh_compression":{"bufferView":0,"attributes":{"POSITION":0}}}' more '
"extensionsUsed":["KHR_draco_mesh_compression"],"extensionsRequired":["KHR_draco_mesh_compression"],' > draco.gltf
    { head -c 88 corners.bin && f32 0.5 0.5 0.5 1 1 0.5 0 1 0 0 0 0.5; } > colors.bin
    gltf uri colors.bin | sed 's/"POSITION":0/"POSITION":0,"COLOR_0":5/' > colors.gltf
    gltf nodes ',{"name":"Other","mesh":0}' | sed 's/"scenes":\[/&{"name":"Hidden","nodes":[1]},/; s/"scene":0/"scene":1/' \
        > scenes.gltf
    two_objects > order.gltf
    rigged "$(clip Walk)" > walk.gltf
    mkdir tex && png > tex/wood.png
    gltf materials '{"name":"Wood","pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}' more '
"textures":[{"source":0}],"images":[{"name":"wood","uri":"tex/wood.png"}],' > images.gltf
    echo '{"asset":{"version":"2.0"}}' > bare.gltf
    head -c 300 tri.glb > cut.glb
    : > empty.glb
}
