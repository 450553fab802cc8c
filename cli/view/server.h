/* server.h: serves the page and the models to a browser on this machine. */
#ifndef TL_CLI_VIEW_SERVER_H
#define TL_CLI_VIEW_SERVER_H

#include "view/models.h"

enum { VIEW_TOKEN = 33, VIEW_ADDRESS = 96 };

typedef struct view_server view_server;

/* Starts on a free port of the loopback interface. `page` and `models` must outlive the server. NULL: *why says why. */
view_server *server_start(const page_html *page, const view_models *models, const char **why);
void server_stop(view_server *server);

/* "http://127.0.0.1:43210/0123456789abcdef0123456789abcdef/" */
const char *server_address(const view_server *server);

/* Notifies every open page that the models have a new version. */
void server_notify(view_server *server);

/* Serves pending requests, and waits at most that long for the next, or until `other` (-1: none) is readable or a
 * signal of the program's end arrives; false then. */
bool server_run(view_server *server, int other, uint64_t milliseconds);

#endif
