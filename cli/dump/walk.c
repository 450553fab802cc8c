#include "dump/dump.h"

#include "trilobite/pyrite64.h"

enum { DEEPEST = 64 };

typedef struct cli_level {
    bool list;
    uint32_t next, count; /* elements seen; elements there are */
} cli_level;

typedef struct cli_walk {
    const cli_walker *walker;
    uint32_t limit;
    unsigned depth, hidden; /* levels open; of these, levels that are left out */
    cli_level levels[DEEPEST];
} cli_walk;

/* Counts an element of a list. False when it is not to be shown. */
static bool walk_arrive(cli_walk *walk, const char *name, cli_label *label)
{
    *label = (cli_label){name, 0};
    if (walk->hidden > 0 || walk->depth == 0 || !walk->levels[walk->depth - 1].list)
        return walk->hidden == 0;
    label->name = NULL;
    label->index = walk->levels[walk->depth - 1].next++;
    return label->index < walk->limit;
}

/* Opens a level. False when it is left out, because it is beyond the limit or too deep. */
static bool walk_descend(cli_walk *walk, const char *name, cli_label *label, cli_level level)
{
    if (!walk_arrive(walk, name, label) || walk->depth == DEEPEST) {
        walk->hidden++;
        return false;
    }
    walk->levels[walk->depth++] = level;
    return true;
}

static void list_begin(void *user, const char *name, uint32_t count, uint64_t offset)
{
    cli_walk *walk = user;
    cli_label label;
    if (walk_descend(walk, name, &label, (cli_level){true, 0, count}))
        walk->walker->list(walk->walker->user, label, count, offset);
}

static void record_begin(void *user, const char *name, uint64_t offset)
{
    cli_walk *walk = user;
    cli_label label;
    if (walk_descend(walk, name, &label, (cli_level){false, 0, 0}))
        walk->walker->record(walk->walker->user, label, offset);
}

static void walk_end(void *user)
{
    cli_walk *walk = user;
    if (walk->hidden > 0) {
        walk->hidden--;
        return;
    }
    const cli_level *level = &walk->levels[--walk->depth];
    walk->walker->end(walk->walker->user, level->count > walk->limit ? level->count - walk->limit : 0);
}

static void walk_field(void *user, const char *name, const trilo_value *value)
{
    cli_walk *walk = user;
    cli_label label;
    if (walk_arrive(walk, name, &label))
        walk->walker->value(walk->walker->user, label, value);
}

void dump_walk(const cli_dump *dump, const cli_walker *walker)
{
    cli_walk walk = {.walker = walker, .limit = dump->limit};
    const trilo_visitor visitor = {&walk, list_begin, walk_end, record_begin, walk_end, walk_field};
    if (dump->collision.size > 0)
        trilo_pyrite64_collision_visit(dump->collision, 0, &visitor);
    else
        trilo_document_visit(dump->input->document, &visitor);
}
