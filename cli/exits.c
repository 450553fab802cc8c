#include "exits.h"

static const exit_row rows[] = {
    {EXIT_FINE, "success"},
    {EXIT_FINDINGS, "findings of severity error, or warnings under --strict"},
    {EXIT_USAGE, "invalid command line"},
    {EXIT_INPUT, "an input cannot be read or is malformed"},
    {EXIT_OUTPUT, "an output cannot be written"},
    {EXIT_LIMIT, "a limit was exceeded, or something is not supported"},
    {EXIT_BUG, "a bug in trilobite"},
};

const exit_row *exit_row_at(size_t index)
{
    return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

exit_code exit_of(trilo_code code)
{
    switch (code) {
    case TRILO_CODE_OK:
        return EXIT_FINE;
    case TRILO_CODE_EMPTY: /* the input can be read: what it lacks is a finding */
        return EXIT_FINDINGS;
    case TRILO_CODE_TRUNCATED:
    case TRILO_CODE_BAD_VALUE:
    case TRILO_CODE_BAD_REF:
    case TRILO_CODE_CANT_READ:
        return EXIT_INPUT;
    case TRILO_CODE_CANT_WRITE:
        return EXIT_OUTPUT;
    case TRILO_CODE_UNSUPPORTED:
    case TRILO_CODE_LIMIT:
    case TRILO_CODE_NO_MEMORY:
        return EXIT_LIMIT;
    case TRILO_CODE_CANCELLED:
    case TRILO_CODE_MISUSE:
        break;
    }
    return EXIT_BUG;
}

exit_code exit_worse(exit_code a, exit_code b)
{
    return a > b ? a : b;
}
