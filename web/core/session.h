/* session.h: what the exports of the WebAssembly module share. */
#ifndef TL_WEB_SESSION_H
#define TL_WEB_SESSION_H

#include "render/render.h"

#include "trilobite/query.h"

#define WEB_EXPORT(name) __attribute__((export_name(name)))

WEB_EXPORT("watch_progress") void watch_progress(int on);
WEB_EXPORT("session_open") int session_open(int argc, char **argv);
WEB_EXPORT("session_bytes") const double *session_bytes(void);
WEB_EXPORT("session_draw") const uint8_t *session_draw(int argc, char **argv);
WEB_EXPORT("session_fade") void session_fade(uint32_t clip, double seconds, double weight);
WEB_EXPORT("session_probe") const double *session_probe(uint32_t x, uint32_t y);
WEB_EXPORT("session_node") const char *session_node(uint32_t node, int32_t *parent);
WEB_EXPORT("session_view") const double *session_view(void);
WEB_EXPORT("session_ray") const double *session_ray(double x, double y, double z, double dx, double dy, double dz);
WEB_EXPORT("session_mask") const uint8_t *session_mask(int kind, uint32_t index, uint32_t second);
WEB_EXPORT("session_bounds") const double *session_bounds(int kind, uint32_t index, uint32_t second);
WEB_EXPORT("session_color_batches") bool session_color_batches(int heat);
WEB_EXPORT("session_key_times") uint32_t session_key_times(uint32_t clip, double *times, uint32_t room);
WEB_EXPORT("session_key_time") double session_key_time(uint32_t clip, uint32_t channel, uint32_t key);
WEB_EXPORT("session_texture") const double *session_texture(uint32_t texture);
WEB_EXPORT("session_texture_as") const double *session_texture_as(uint32_t texture, int texels);
WEB_EXPORT("session_uvs") bool session_uvs(uint32_t material, uint32_t width, uint32_t height, uint8_t (*pixels)[4]);

#endif
