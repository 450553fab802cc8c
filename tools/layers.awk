# layers.awk: the layers of the tree, shared by lint_layers (includes) and lint_symbols (calls).
#
#   base <- layout <- n64 <- model <- {formats/X, import, container, image, optimize, anim, query, raster} <- api <- cli, samples
#
# A file may use the layers to the left of its own, and its own folder. There are two exceptions: formats and `image` may
# use `container`, and the folders `encode`, `animation` and `tune` of a format may use `optimize`. A public header belongs
# to the lowest layer that needs its types, and counts as a file of that layer.

BEGIN {
    rank["base"] = 0; rank["layout"] = 1; rank["n64"] = 2; rank["model"] = 3; rank["api"] = 5
    rank["container"] = rank["image"] = rank["optimize"] = rank["import"] = rank["anim"] = rank["query"] = rank["raster"] = 4

    owner["core"] = owner["error"] = owner["format"] = owner["io"] = owner["memory"] = "base"
    owner["visitor"] = "layout"
    owner["n64"] = owner["cost"] = "n64"
    owner["model"] = owner["visibility"] = owner["image"] = owner["pose"] = owner["stream"] = "model"
    owner["load"] = owner["document"] = owner["write"] = "model" # the options and types of struct tl_format
    owner["t3dm"] = owner["pyrite64"] = "formats/t3dm"; owner["nlm"] = "formats/nlm"
    owner["model64"] = "formats/model64"; owner["gltf"] = "formats/gltf"
    owner["clip"] = owner["player"] = "anim"; owner["query"] = "query"; owner["render"] = "raster"
    owner["sprite"] = "image"; owner["rom"] = "container"
    owner["assets"] = owner["batch"] = owner["bundle"] = owner["compare"] = owner["materials"] = owner["project"] = owner["file"] = owner["convert"] = owner["optimize"] = "api"
}

# "base/arena.h" is of layer base, "formats/nlm/nlm_read.h" of layer formats/nlm, "trilobite/query.h" of layer query.
function layer_of(path, part) {
    split(path, part, "/")
    if (part[1] == "trilobite") {
        sub(/[.]h$/, "", part[2])
        return part[2] in owner ? owner[part[2]] : "trilobite/" part[2]
    }
    return part[1] == "formats" ? part[1] "/" part[2] : part[1]
}

function rank_of(layer) {
    if (layer in rank) return rank[layer]
    return layer ~ /^formats\/[a-z0-9_]+$/ ? 4 : -1
}

# May a file (its path below src) use something of that layer?
function may_use(file, layer, own) {
    own = layer_of(file)
    if (layer == own || rank_of(layer) < rank_of(own)) return 1
    if ((own ~ /^formats\// || own == "image") && layer == "container") return 1
    return file ~ "^formats/[a-z0-9_]+/(encode|animation|tune)/" && layer == "optimize"
}
