#include "convert/convert.h"

#include "buffer.h"
#include "output.h"
#include "paths.h"
#include "ui/report.h"

#include <stdlib.h>
#include <string.h>

/* Counts what goes through to the sink behind it. */
typedef struct cli_meter {
    trilo_write_fn *sink;
    void *user;
    uint64_t size;
} cli_meter;

static bool measure(void *user, const void *bytes, size_t size)
{
    cli_meter *meter = user;
    meter->size += size;
    return meter->sink(meter->user, bytes, size);
}

/* Compression works on documents: what was encoded becomes one. */
static bool compress(const cli_conversion *conversion, const cli_buffer *plain, cli_meter *meter, trilo_error *err)
{
    const trilo_load_opts opts = {.memory = conversion->write.memory, .format = conversion->write.format};
    trilo_document *document = trilo_document_open(plain->bytes, plain->size, &opts, err);
    const bool ok = document && trilo_document_write(document, &conversion->rewrite, measure, meter, err);
    trilo_document_free(document);
    return ok;
}

static bool encode(const cli_conversion *conversion, cli_meter *meter, trilo_error *err)
{
    cli_buffer plain = {0};
    if (conversion->rewrite.compress == 0)
        return trilo_model_write(&conversion->result, &conversion->write, measure, meter, err);
    const bool ok = trilo_model_write(&conversion->result, &conversion->write, buffer_keep, &plain, err) &&
                    compress(conversion, &plain, meter, err);
    free(plain.bytes);
    return ok;
}

/* What lies beside the output is written when its own bytes are known to be fine, and before it is replaced. */
static bool fill(void *context, trilo_write_fn *sink, void *sink_user, trilo_error *err)
{
    cli_conversion *conversion = context;
    cli_meter meter = {sink, sink_user, 0};
    const bool ok = conversion->exact
                        ? trilo_document_write(conversion->input.document, &conversion->rewrite, measure, &meter, err)
                        : encode(conversion, &meter, err);
    conversion->size = meter.size;
    return ok && (conversion->losses == 0 || !args_has(conversion->args, OPT_STRICT)) &&
           convert_write_companions(conversion) && convert_write_depfile(conversion);
}

exit_code convert_write(cli_conversion *conversion)
{
    trilo_error err = {0};
    conversion->subject = strcmp(conversion->out, "-") == 0 ? "<stdout>" : conversion->out;
    if (strcmp(conversion->out, "-") != 0) {
        conversion->write.name = path_last(conversion->out);
        conversion->write.companion = companions_keep;
        conversion->write.companion_user = &conversion->companions;
        if (conversion->exact)
            convert_collect_companions(conversion);
    }
    if (output_fill(conversion->out, fill, conversion, &err))
        return EXIT_FINE;
    convert_remove_companions(conversion);
    if (conversion->losses > 0 && args_has(conversion->args, OPT_STRICT) && err.code == TRILO_CODE_OK)
        return EXIT_FINDINGS;
    if (conversion->failure != EXIT_FINE)
        return conversion->failure;
    const trilo_finding finding = report_finding_of(&err);
    convert_fail(conversion, &finding);
    return exit_of(err.code);
}
