/* print.c: results for people and for programs. */
#include "harness.h"

#include <trilobite/core.h>

/* Three digits and a prefix: "4.48 GB/s". */
static void print_rate(FILE *out, const bench_row *row)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T"};
    double rate = row->amount / row->seconds;
    size_t prefix = 0;
    while (rate >= 1000.0 && prefix < 4) {
        rate /= 1000.0;
        prefix++;
    }
    char text[48];
    snprintf(text, sizeof text, "%.*f %s%s/s",
             rate < 10.0    ? 2
             : rate < 100.0 ? 1
                            : 0,
             rate, prefixes[prefix], row->unit);
    fprintf(out, " %16s", text);
}

static void print_memory(FILE *out, const bench_row *row)
{
    char text[64] = "";
    if (row->memory_known && row->memory_anon >= 0)
        snprintf(text, sizeof text, "%.1f / %.1f kB", (double)row->memory_hook / 1e3, (double)row->memory_anon / 1e3);
    else if (row->memory_known)
        snprintf(text, sizeof text, "%.1f / ? kB", (double)row->memory_hook / 1e3);
    fprintf(out, " %18s", text);
}

static void print_row(FILE *out, const bench_row *row)
{
    if (row->skipped) {
        fprintf(out, "%-26s skipped: %s\n", row->name, row->skipped);
        return;
    }
    fprintf(out, "%-26s %4u %10.3f ms", row->name, row->runs, 1e3 * row->seconds);
    print_rate(out, row);
    if (row->ratio > 0.0) {
        fprintf(out, " %7.2f %-6s", row->ratio, row->ratio_to);
        print_memory(out, row);
    }
    fprintf(out, "%s%s\n", row->target ? "  " : "", row->target ? row->target : "");
}

static void print_sizes(const bench *b, FILE *out)
{
    fprintf(out, "\n%-26s %-18s %10s %10s %7s  %s\n", "subject/model", "what", "ours", "theirs", "share", "target");
    for (size_t i = 0; i < b->size_count; i++) {
        const bench_size *size = &b->sizes[i];
        fprintf(out, "%-26s %-18s %10.0f %10.0f %7.3f  %s\n", size->name, size->what, size->ours, size->theirs,
                size->ours / size->theirs, size->target ? size->target : "");
    }
}

void bench_print_table(const bench *b, FILE *out)
{
    fprintf(out, "%-26s %4s %13s %16s %14s %18s  %s\n", "subject/task", "runs", "best", "rate", "times as fast",
            "hook / anonymous", "target");
    for (size_t i = 0; i < b->row_count; i++)
        print_row(out, &b->rows[i]);
    if (b->size_count > 0)
        print_sizes(b, out);
}

static void print_json_row(FILE *out, const bench_row *row)
{
    if (row->skipped) {
        fprintf(out, "    {\"name\": \"%s\", \"skipped\": \"%s\"}", row->name, row->skipped);
        return;
    }
    fprintf(out, "    {\"name\": \"%s\", \"runs\": %u, \"seconds\": %.9g, \"amount\": %.17g, \"unit\": \"%s\", ",
            row->name, row->runs, row->seconds, row->amount, row->unit);
    fprintf(out, "\"rate\": %.9g", row->amount / row->seconds);
    if (row->ratio > 0.0)
        fprintf(out, ", \"ratio_to_%s\": %.4g", row->ratio_to, row->ratio);
    if (row->memory_known)
        fprintf(out, ", \"memory_hook\": %zu", row->memory_hook);
    if (row->memory_known && row->memory_anon >= 0)
        fprintf(out, ", \"memory_anonymous\": %ld", row->memory_anon);
    if (row->target)
        fprintf(out, ", \"target\": \"%s\"", row->target);
    fputc('}', out);
}

/* Names, units, targets and reasons are ours and need no escapes. */
void bench_print_json(const bench *b, FILE *out)
{
    fprintf(out, "{\n  \"schema\": \"trilobite-bench-1\",\n  \"version\": \"%s\",\n  \"failed\": %s,\n  \"results\": [",
            trilo_version(), b->failed ? "true" : "false");
    for (size_t i = 0; i < b->row_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        print_json_row(out, &b->rows[i]);
    }
    fputs("\n  ],\n  \"sizes\": [", out);
    for (size_t i = 0; i < b->size_count; i++) {
        const bench_size *size = &b->sizes[i];
        fprintf(out, "%s    {\"name\": \"%s\", \"what\": \"%s\", \"ours\": %.17g, \"theirs\": %.17g}", i ? ",\n" : "\n",
                size->name, size->what, size->ours, size->theirs);
    }
    fputs("\n  ]\n}\n", out);
}
