#include "usage/rules.h"

#include "ui/json.h"

#include "trilobite/error.h"

#include <string.h>

bool rules_judge(const cli_args *args, trilo_finding *finding)
{
    for (size_t i = args->chosen_count; i-- > 0;) {
        const cli_chosen *chosen = &args->chosen[i];
        if (!option_repeats(chosen->option) || strcmp(chosen->value, finding->rule) != 0)
            continue;
        if (chosen->option->id == OPT_WARN)
            finding->severity = TRILO_SEVERITY_WARNING;
        else if (chosen->option->id == OPT_DENY && finding->severity < TRILO_SEVERITY_ERROR)
            finding->severity = TRILO_SEVERITY_ERROR;
        return chosen->option->id != OPT_ALLOW;
    }
    return true;
}

static void rules_put_json(cli_json *json, const trilo_rule *rule)
{
    json_object(json, NULL);
    json_text(json, "code", rule->name);
    json_text(json, "severity", trilo_severity_name(rule->severity));
    json_text(json, "kind", trilo_finding_kind_name(rule->kind));
    json_text(json, "cause", rule->cause);
    json_text(json, "cure", rule->cure);
    json_end(json);
}

void rules_explain(const cli_args *args, const char *code)
{
    const trilo_rule *rule = trilo_rule_find(code);
    FILE *out = args->out.file;
    if (args->json) {
        cli_json json = json_start(out, "check");
        json_array(&json, "rules");
        rules_put_json(&json, rule);
        json_end(&json);
        json_finish(&json);
        return;
    }
    screen_put(&args->out, STYLE_HEAD, rule->name);
    fprintf(out, " (%s, %s)\n", trilo_severity_name(rule->severity), trilo_finding_kind_name(rule->kind));
    fputs("Cause: ", out);
    text_wrap(out, rule->cause, 7, 7);
    fputs("Fix:   ", out);
    text_wrap(out, rule->cure, 7, 7);
}

/* A cell of a Markdown table. */
static void put_cell(FILE *out, const char *text)
{
    fputs(" ", out);
    for (; *text; text++)
        fprintf(out, *text == '|' ? "\\%c" : "%c", *text);
    fputs(" |", out);
}

static void print_markdown(FILE *out)
{
    const trilo_rule *rule;
    const char *last = "";
    fputs(
        "# Findings\n\n"
        "Every finding has a code. A code that is renamed keeps working under its old name. These tables list the "
        "cause and the "
        "fix for each. The kind says what a finding is about: `structure` (a rule of the format, the console or the "
        "library is broken), `loss` (content is missing, left out or approximated), `unsupported` (legal, but "
        "Trilobite or the target format cannot handle it), `advice` (nothing is broken or lost) or `conformance` (the "
        "specification forbids it, but the file can be read: such an error does not stop a conversion).\n",
        out);
    for (size_t i = 0; (rule = trilo_rule_at(i)); i++) {
        /* True if both codes belong to the same format, as "NLM-NAN" and "NLM-VERSION" do. */
        const size_t len = strcspn(last, "-");
        if (!(len == strcspn(rule->name, "-") && memcmp(last, rule->name, len) == 0))
            fprintf(out, "\n## %.*s\n\n| code | severity | kind | cause | fix |\n| --- | --- | --- | --- | --- |\n",
                    (int)strcspn(rule->name, "-"), rule->name);
        last = rule->name;
        fprintf(out, "| `%s` |", rule->name);
        put_cell(out, trilo_severity_name(rule->severity));
        put_cell(out, trilo_finding_kind_name(rule->kind));
        put_cell(out, rule->cause);
        put_cell(out, rule->cure);
        fputc('\n', out);
    }
    const trilo_rule_alias *alias;
    fputs("\n## Renamed codes\n\n"
          "The old codes still work in `--allow`, `--warn`, `--deny` and `--explain`.\n\n"
          "| old | new |\n| --- | --- |\n",
          out);
    for (size_t i = 0; (alias = trilo_rule_alias_at(i)); i++)
        fprintf(out, "| %s | `%s` |\n", alias->old_name, alias->name);
}

void rules_print(const cli_args *args)
{
    const trilo_rule *rule;
    if (!args->json) {
        print_markdown(args->out.file);
        return;
    }
    cli_json json = json_start(args->out.file, "check");
    json_array(&json, "rules");
    for (size_t i = 0; (rule = trilo_rule_at(i)); i++)
        rules_put_json(&json, rule);
    json_end(&json);
    json_finish(&json);
}
