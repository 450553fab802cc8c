/* json.c: records as JSON. A list is {"at", "count", "items"}, a record {"at", and its fields}. */
#include "dump/dump.h"

#include "info/info.h"

typedef struct cli_tree {
    cli_json *json;
    bool blobs;
    uint64_t lists; /* bit n: the n-th open level is a list */
    unsigned depth;
} cli_tree;

static void dump_json_descend(cli_tree *tree, bool list)
{
    const uint64_t bit = UINT64_C(1) << (tree->depth++ & 63);
    tree->lists = list ? tree->lists | bit : tree->lists & ~bit;
}

static void dump_json_list(void *user, cli_label label, uint32_t count, uint64_t offset)
{
    cli_tree *tree = user;
    json_object(tree->json, label.name);
    json_uint(tree->json, "at", offset);
    json_uint(tree->json, "count", count);
    json_array(tree->json, "items");
    dump_json_descend(tree, true);
}

static void dump_json_record(void *user, cli_label label, uint64_t offset)
{
    cli_tree *tree = user;
    json_object(tree->json, label.name);
    json_uint(tree->json, "at", offset);
    dump_json_descend(tree, false);
}

static void dump_json_end(void *user, uint32_t left_out)
{
    cli_tree *tree = user;
    (void)left_out; /* "count" has it */
    if (tree->lists >> (--tree->depth & 63) & 1)
        json_end(tree->json);
    json_end(tree->json);
}

static void dump_json_value(void *user, cli_label label, const trilo_value *value)
{
    cli_tree *tree = user;
    if (value->kind == TRILO_VALUE_KIND_BLOB) {
        uint32_t width, height;
        json_object(tree->json, label.name);
        json_uint(tree->json, "at", value->offset);
        json_uint(tree->json, "size", value->as.blob.size);
        json_text(tree->json, "sniff", info_image_kind(trilo_image_probe(value->as.blob, &width, &height)));
        if (tree->blobs)
            json_hex(tree->json, "hex", value->as.blob);
        json_end(tree->json);
    } else if (value->kind == TRILO_VALUE_KIND_TEXT)
        json_str(tree->json, label.name, (trilo_str){(const char *)value->as.blob.data, value->as.blob.size});
    else if (value->count == 1) {
        if (!label.name)
            json_pack(tree->json);
        if (value->kind == TRILO_VALUE_KIND_UINT)
            json_uint(tree->json, label.name, value->as.u[0]);
        else if (value->kind == TRILO_VALUE_KIND_INT)
            json_int(tree->json, label.name, value->as.i[0]);
        else
            json_float(tree->json, label.name, value->as.f[0]);
    } else if (value->kind == TRILO_VALUE_KIND_UINT)
        json_uints(tree->json, label.name, value->as.u, value->count);
    else if (value->kind == TRILO_VALUE_KIND_INT)
        json_ints(tree->json, label.name, value->as.i, value->count);
    else
        json_floats(tree->json, label.name, value->as.f, value->count);
}

void dump_records_json(const cli_dump *dump, cli_json *json)
{
    cli_tree tree = {.json = json, .blobs = dump->blobs};
    const cli_walker walker = {&tree, dump_json_list, dump_json_record, dump_json_end, dump_json_value};
    json_text(json, "format", trilo_format_get(trilo_document_format(dump->input->document))->name);
    json_uint(json, "version", trilo_document_version(dump->input->document));
    json_object(json, "records");
    dump_walk(dump, &walker);
    json_end(json);
}
