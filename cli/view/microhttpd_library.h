/* microhttpd_library.h: the functions of libmicrohttpd, loaded when `view` starts: it brings a library for TLS with it,
 * which no other command should have to load. */
#ifndef TL_CLI_VIEW_MICROHTTPD_LIBRARY_H
#define TL_CLI_VIEW_MICROHTTPD_LIBRARY_H

#include <microhttpd.h>
#include <stdbool.h>

#define MICROHTTPD_FUNCTIONS(F)                                                                                        \
    F(MHD_add_response_header)                                                                                         \
    F(MHD_create_response_from_buffer)                                                                                 \
    F(MHD_create_response_from_buffer_with_free_callback_cls)                                                          \
    F(MHD_create_response_from_callback)                                                                               \
    F(MHD_destroy_response)                                                                                            \
    F(MHD_get_daemon_info)                                                                                             \
    F(MHD_get_fdset2)                                                                                                  \
    F(MHD_get_timeout)                                                                                                 \
    F(MHD_lookup_connection_value)                                                                                     \
    F(MHD_queue_response)                                                                                              \
    F(MHD_resume_connection)                                                                                           \
    F(MHD_run)                                                                                                         \
    F(MHD_start_daemon)                                                                                                \
    F(MHD_stop_daemon)                                                                                                 \
    F(MHD_suspend_connection)

typedef struct microhttpd_library {
#define MICROHTTPD_MEMBER(name) __typeof__(name) *name;
    MICROHTTPD_FUNCTIONS(MICROHTTPD_MEMBER)
#undef MICROHTTPD_MEMBER
} microhttpd_library;

/* False: it is not installed, or lacks a function. It stays loaded. */
bool microhttpd_load(microhttpd_library *library);

#endif
