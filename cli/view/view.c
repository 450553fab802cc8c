/* `trilobite view`: the page in a browser, which shows every change of the files. */
#define _DEFAULT_SOURCE

#include "view/server.h"
#include "view/watch.h"

#include "ui/json.h"
#include "ui/report.h"

#include <string.h>

#ifdef TRILO_WITH_MICROHTTPD
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* By a grandchild process, which needs no wait. */
static void open_browser(const char *address)
{
#ifdef __APPLE__
    static const char opener[] = "open";
#else
    static const char opener[] = "xdg-open";
#endif
    const pid_t child = fork();
    if (child > 0)
        waitpid(child, NULL, 0);
    if (child != 0)
        return;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    if (fork() == 0) {
        freopen("/dev/null", "w", stdout);
        freopen("/dev/null", "w", stderr);
        execlp(opener, opener, address, (char *)NULL);
    }
    _exit(0);
}

/* False: it could not be printed. */
static bool print_address(const cli_args *args, const char *address)
{
    if (args->json) {
        cli_json json = json_start(args->out.file, "view");
        json_text(&json, "address", address);
        json_finish(&json);
    } else {
        fprintf(args->out.file, "%s\n", address);
    }
    /* another program may wait for it at the other end of a pipe */
    const bool printed = fflush(args->out.file) == 0 && !ferror(args->out.file);
    if (printed && !args->quiet)
        fputs("Ctrl-C ends the server.\n", args->err.file);
    return printed;
}

static exit_code serve(const cli_args *args, const page_html *page, view_models *models)
{
    const char *why;
    view_watch watch;
    view_server *server = server_start(page, models, &why);
    if (!server) {
        report_plain(&args->err, args->program, why);
        return EXIT_LIMIT;
    }
    watch_start(&watch, models);
    const bool printed = print_address(args, server_address(server));
    if (printed && !args_has(args, OPT_NO_BROWSER))
        open_browser(server_address(server));
    while (printed && server_run(server, watch.descriptor, watch_timeout(&watch)))
        if (watch_changed(&watch, models) && models_refresh(models))
            server_notify(server);
    watch_stop(&watch);
    server_stop(server);
    return EXIT_FINE;
}

exit_code view_run(const cli_args *args)
{
    page_html page;
    view_models models;
    for (size_t i = 0; i < args->operand_count; i++)
        if (strcmp(args->operands[i], "-") == 0)
            return args_fail(args, "FILE must be a file: standard input cannot change");
    exit_code code = page_open(&page, args);
    if (code != EXIT_FINE)
        return code;
    code = models_open(&models, args);
    if (code == EXIT_FINE)
        code = serve(args, &page, &models);
    models_close(&models);
    page_close(&page);
    return code;
}
#else
exit_code view_run(const cli_args *args)
{
    report_plain(
        &args->err, args->program,
        "this build has no server, which needs libmicrohttpd; \"trilobite page FILE -o FILE.html\" writes a page "
        "that any browser opens");
    return EXIT_LIMIT;
}
#endif
