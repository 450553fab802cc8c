/* findings.h: what a check says, kept so that a test can ask for it. */
#ifndef TL_TEST_FINDINGS_H
#define TL_TEST_FINDINGS_H

#include "support/buffer.h"
#include "trilobite/document.h"

enum { LISTENER_MOST = 32 }; /* more than these are not kept */

typedef struct listener {
    size_t count;
    uint64_t offsets[LISTENER_MOST];
    char rules[LISTENER_MOST][40], paths[LISTENER_MOST][112], texts[LISTENER_MOST][208];
} listener;

void listen(void *listener, const trilo_finding *finding); /* a trilo_finding_fn */
/* Opens a file, which must succeed, and listens to its check. */
trilo_tally listen_to(const buffer *file, const trilo_load_opts *opts, listener *l);
/* The first finding of that rule; the count when there is none. */
size_t heard(const listener *l, const char *rule);
/* There is one, and the first is at that path; `what` is for the message. */
void expect(const listener *l, const char *rule, const char *path, const char *what);

#endif
