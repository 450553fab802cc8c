/* One thread: libmicrohttpd is driven from the loop of server_run.
 *
 * A page of another site may send requests here, and with a name that its owner points to 127.0.0.1 even as if it were
 * of the same site (DNS rebinding). So: the path begins with a token that cannot be guessed, the Host header must be
 * ours, and no response may be read by other sites (no CORS headers). What is served is compared with a list.
 */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE

#include "view/server.h"

#ifdef TRILO_WITH_MICROHTTPD
#include "alloc.h"
#include "view/microhttpd_library.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    SERVER_CONNECTIONS = 512, /* further connections wait; below FD_SETSIZE */
    SERVER_TIMEOUT = 20,      /* seconds without a byte from a client */
    SERVER_HEARTBEAT = 10     /* seconds; a page that was closed is noticed when something is sent to it */
};

/* A page that waits for changes. */
typedef struct view_listener {
    struct view_listener *next, **link;
    view_server *server;
    struct MHD_Connection *connection;
    uint64_t version; /* the last one that it was sent */
    bool beat;        /* send it anything */
    bool suspended;
} view_listener;

struct view_server {
    microhttpd_library http;
    cli_buffer page;
    const view_models *models;
    struct MHD_Daemon *daemon;
    view_listener *listeners;
    uint64_t listed; /* the version that a page last got a list of */
    bool stopping;
    time_t beat; /* when the listeners last got something */
    char token[VIEW_TOKEN], address[VIEW_ADDRESS], hosts[2][32];
};

/* ---- responses ---- */

static const char type_html[] = "text/html; charset=utf-8", type_json[] = "application/json",
                  type_bytes[] = "application/octet-stream", type_text[] = "text/plain; charset=utf-8",
                  type_events[] = "text/event-stream";

/* As the page sets it itself; it may load nothing but what is below its own address. */
static const char policy[] =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; "
    "style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static enum MHD_Result send_response(const view_server *server, struct MHD_Connection *connection, unsigned status,
                                     const char *type, struct MHD_Response *response)
{
    if (!response)
        return MHD_NO;
    server->http.MHD_add_response_header(response, "Content-Type", type);
    server->http.MHD_add_response_header(response, "Content-Security-Policy", policy);
    server->http.MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    server->http.MHD_add_response_header(response, "Cache-Control", "no-store");
    server->http.MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    server->http.MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    const enum MHD_Result result = server->http.MHD_queue_response(connection, status, response);
    server->http.MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_page(const view_server *server, struct MHD_Connection *connection)
{
    return send_response(
        server, connection, MHD_HTTP_OK, type_html,
        server->http.MHD_create_response_from_buffer(server->page.size, server->page.bytes, MHD_RESPMEM_PERSISTENT));
}

static enum MHD_Result send_list(view_server *server, struct MHD_Connection *connection)
{
    cli_buffer list = {0};
    server->listed = server->models->version;
    models_put_list(server->models, &list);
    return send_response(server, connection, MHD_HTTP_OK, type_json,
                         server->http.MHD_create_response_from_buffer(list.size, list.bytes, MHD_RESPMEM_MUST_FREE));
}

static enum MHD_Result refuse(const view_server *server, struct MHD_Connection *connection, unsigned status,
                              const char *text)
{
    return send_response(
        server, connection, status, type_text,
        server->http.MHD_create_response_from_buffer(strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_PERSISTENT));
}

static void release_model(void *model)
{
    models_release(model);
}

static enum MHD_Result send_file(const view_server *server, struct MHD_Connection *connection, const char *url)
{
    const trilo_bundle_file *file;
    view_model *model = models_find(server->models, url, &file);
    if (!model)
        return refuse(server, connection, MHD_HTTP_NOT_FOUND, "There is no such file.\n");
    struct MHD_Response *response = server->http.MHD_create_response_from_buffer_with_free_callback_cls(
        file->bytes.size, (void *)(uintptr_t)(file->bytes.size ? file->bytes.data : (const uint8_t *)""), release_model,
        model);
    if (!response)
        models_release(model);
    return send_response(server, connection, MHD_HTTP_OK, type_bytes, response);
}

/* ---- events ---- */

static ssize_t read_events(void *user, uint64_t position, char *out, size_t room)
{
    view_listener *listener = user;
    const view_server *server = listener->server;
    int size = 0;
    (void)position;
    if (server->stopping)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (listener->version != server->models->version)
        size = snprintf(out, room, "id: %" PRIu64 "\ndata: {\"version\":%" PRIu64 "}\n\n", server->models->version,
                        server->models->version);
    else if (listener->beat)
        size = snprintf(out, room, ":\n\n");
    listener->version = server->models->version;
    listener->beat = false;
    if (size > 0 && (size_t)size < room)
        return size;
    server->http.MHD_suspend_connection(listener->connection);
    listener->suspended = true;
    return 0;
}

static void forget_listener(void *user)
{
    view_listener *listener = user;
    *listener->link = listener->next;
    if (listener->next)
        listener->next->link = listener->link;
    free(listener);
}

/* A new page has the version that was listed last; one whose connection was lost sends that of its last event. Changes
 * since then are sent at once. */
static enum MHD_Result send_events(view_server *server, struct MHD_Connection *connection)
{
    const char *last = server->http.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Last-Event-ID");
    view_listener *listener = need(NULL, 1, sizeof *listener);
    *listener = (view_listener){.next = server->listeners,
                                .link = &server->listeners,
                                .server = server,
                                .connection = connection,
                                .version = last ? strtoull(last, NULL, 10) : server->listed};
    if (listener->next)
        listener->next->link = &listener->next;
    server->listeners = listener;
    struct MHD_Response *response =
        server->http.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 256, read_events, listener, forget_listener);
    if (!response)
        forget_listener(listener);
    return send_response(server, connection, MHD_HTTP_OK, type_events, response);
}

static void wake_listeners(view_server *server, bool beat)
{
    for (view_listener *listener = server->listeners; listener; listener = listener->next) {
        listener->beat |= beat;
        if (listener->suspended)
            server->http.MHD_resume_connection(listener->connection);
        listener->suspended = false;
    }
}

void server_notify(view_server *server)
{
    wake_listeners(server, false);
    server->http.MHD_run(server->daemon); /* resumed connections do not shorten the next wait */
}

/* ---- requests ---- */

static bool is_own_host(const view_server *server, struct MHD_Connection *connection)
{
    const char *host = server->http.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    return host && (strcmp(host, server->hosts[0]) == 0 || strcmp(host, server->hosts[1]) == 0);
}

/* All characters are compared, so that the time does not reveal how many are right. */
static bool has_token(const view_server *server, const char *url)
{
    unsigned differs = 0;
    if (strlen(url) < VIEW_TOKEN + 1)
        return false;
    for (size_t i = 0; i + 1 < VIEW_TOKEN; i++)
        differs |= (unsigned)(url[1 + i] ^ server->token[i]);
    return differs == 0 && url[0] == '/' && url[VIEW_TOKEN] == '/';
}

static enum MHD_Result answer(void *user, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *http, const char *upload, size_t *upload_size, void **state)
{
    static int started;
    view_server *server = user;
    (void)http;
    (void)upload;
    if (!*state) { /* the first call is for the headers: a body, which is ignored, comes later */
        *state = &started;
        return MHD_YES;
    }
    if (*upload_size > 0) {
        *upload_size = 0;
        return MHD_YES;
    }
    if (!is_own_host(server, connection))
        return refuse(server, connection, MHD_HTTP_FORBIDDEN, "This server is known by another name.\n");
    if (!has_token(server, url))
        return refuse(server, connection, MHD_HTTP_NOT_FOUND, "There is nothing here.\n");
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return refuse(server, connection, MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET and HEAD are supported.\n");
    const char *below = url + VIEW_TOKEN + 1;
    if (*below == '\0')
        return send_page(server, connection);
    if (strcmp(below, "files.json") == 0)
        return send_list(server, connection);
    return strcmp(below, "events") == 0 ? send_events(server, connection) : send_file(server, connection, below);
}

/* URLs stay as they were sent: they are compared, never decoded. */
static size_t keep_escapes(void *user, struct MHD_Connection *connection, char *text)
{
    (void)user;
    (void)connection;
    return strlen(text);
}

/* ---- starting and stopping ---- */

static bool make_token(char token[VIEW_TOKEN])
{
    unsigned char bits[(VIEW_TOKEN - 1) / 2];
    const int source = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    size_t count = 0;
    for (ssize_t got = 1; source >= 0 && got > 0 && count<sizeof bits; count += got> 0 ? (size_t)got : 0)
        got = read(source, bits + count, sizeof bits - count);
    const bool ok = count == sizeof bits;
    if (source >= 0)
        close(source);
    for (size_t i = 0; ok && i < sizeof bits; i++)
        snprintf(token + 2 * i, 3, "%02x", bits[i]);
    return ok;
}

static volatile sig_atomic_t ended;

static void note_end(int signal_number)
{
    (void)signal_number;
    ended = 1;
}

static void server_free(view_server *server)
{
    if (server->daemon)
        server->http.MHD_stop_daemon(server->daemon);
    free(server->page.bytes);
    free(server);
}

static void server_put_page(view_server *server, const page_html *page)
{
    buffer_keep(&server->page, page->head.data, page->head.size);
    page_put(&server->page, "<script type=\"application/json\" id=\"trilobite-view\">"
                            "{\"files\":\"files.json\",\"events\":\"events\"}</script>");
    buffer_keep(&server->page, page->tail.data, page->tail.size);
}

static void catch_end_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction action = {.sa_handler = note_end};
    sigset_t signals;
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before;
        sigaddset(&signals, numbers[i]);
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* as with nohup */
            sigaction(numbers[i], &action, NULL);
    }
    sigprocmask(SIG_BLOCK, &signals, NULL); /* they arrive while server_run waits, at no other time */
}

view_server *server_start(const page_html *page, const view_models *models, const char **why)
{
    view_server *server = need(NULL, 1, sizeof *server);
    struct sockaddr_in loopback = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    *server = (view_server){.models = models};
    if (!microhttpd_load(&server->http)) {
        *why = "cannot start: " TRILO_MICROHTTPD_FILE
               " is not installed; \"trilobite page FILE -o FILE.html\" writes a page that any browser opens";
        server_free(server);
        return NULL;
    }
    if (!make_token(server->token)) {
        *why = "cannot start: there are no random numbers for the address";
        server_free(server);
        return NULL;
    }
    server->daemon = server->http.MHD_start_daemon(
        MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, server, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&loopback,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)SERVER_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)SERVER_TIMEOUT, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
        MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        server->daemon ? server->http.MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (!info) {
        *why = "cannot start: no port of 127.0.0.1 can be opened";
        server_free(server);
        return NULL;
    }
    snprintf(server->hosts[0], sizeof server->hosts[0], "127.0.0.1:%u", (unsigned)info->port);
    snprintf(server->hosts[1], sizeof server->hosts[1], "localhost:%u", (unsigned)info->port);
    snprintf(server->address, sizeof server->address, "http://%s/%s/", server->hosts[0], server->token);
    server_put_page(server, page);
    catch_end_signals();
    return server;
}

void server_stop(view_server *server)
{
    server->stopping = true;
    wake_listeners(server, true); /* a daemon with suspended connections cannot be stopped */
    server->http.MHD_run(server->daemon);
    server_free(server);
}

const char *server_address(const view_server *server)
{
    return server->address;
}

bool server_run(view_server *server, int other, uint64_t milliseconds)
{
    fd_set reads, writes, errors;
    int most = other;
    MHD_UNSIGNED_LONG_LONG due;
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    FD_ZERO(&errors);
    if (server->http.MHD_get_fdset2(server->daemon, &reads, &writes, &errors, &most, FD_SETSIZE) != MHD_YES)
        return false;
    if (other >= 0)
        FD_SET(other, &reads);
    if (server->http.MHD_get_timeout(server->daemon, &due) == MHD_YES && due < milliseconds)
        milliseconds = due;
    const struct timespec wait = {(time_t)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000000};
    sigset_t none;
    sigemptyset(&none);
    if (pselect(most + 1, &reads, &writes, &errors, &wait, &none) < 0 && errno != EINTR)
        return false;
    const time_t now = time(NULL);
    if (now - server->beat >= SERVER_HEARTBEAT || now < server->beat) {
        server->beat = now;
        wake_listeners(server, true);
    }
    server->http.MHD_run(server->daemon);
    return !ended;
}
#else
typedef int server_needs_a_library; /* a source file must not be empty */
#endif
