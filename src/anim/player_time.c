/* Advancing time, and the events that this causes. */
#include "anim/player.h"
#include "base/strict_float.h"

void trilo_player_set_markers(trilo_player *player, uint32_t clip, const trilo_marker *markers, uint32_t marker_count)
{
    if (clip < player->model->clip_count)
        player->markers[clip] = (tl_markers){markers, markers ? marker_count : 0};
}

static void send_event(trilo_player *player, const trilo_event *event)
{
    if (player->opts.on_event)
        player->opts.on_event(player->opts.on_event_user, player, event);
}

/* A span of time within the clip. Markers at `from` were sent with the span before, unless `with_from`. */
typedef struct time_span {
    double from, to;
    bool with_from;
} time_span;

static bool span_contains(const time_span *s, double time)
{
    if (s->with_from && time == s->from)
        return true;
    return s->from <= s->to ? time > s->from && time <= s->to : time < s->from && time >= s->to;
}

/* In the order in which they are passed. */
static void send_markers(trilo_player *player, const trilo_event *of, const time_span *s)
{
    const tl_markers m = player->markers[of->clip];
    for (uint32_t i = 0; i < m.count; i++) {
        const uint32_t number = s->from <= s->to ? i : m.count - 1 - i;
        trilo_event event = *of;
        event.kind = TRILO_EVENT_KIND_MARKER;
        event.marker = number;
        if (span_contains(s, m.markers[number].seconds))
            send_event(player, &event);
    }
}

static void send_step_events(trilo_player *player, uint32_t layer, const tl_playback *playback, bool first)
{
    const tl_clock_step step = playback->step;
    const double end = step.backwards ? 0 : playback->clock.duration, begin = playback->clock.duration - end;
    trilo_event event = {.kind = TRILO_EVENT_KIND_LOOPED, .layer = layer, .clip = playback->clip, .marker = TRILO_NONE};
    const bool marked = playback->kind == TL_PLAYBACK_CLIP && player->markers[playback->clip].count > 0;
    if (marked)
        send_markers(player, &event, &(time_span){step.from, step.rounds > 0 ? end : step.to, first});
    if (step.rounds > 0) {
        event.rounds = step.rounds;
        send_event(player, &event);
        event.rounds = 0;
        if (marked)
            send_markers(player, &event, &(time_span){begin, step.to, true});
    }
    event.kind = TRILO_EVENT_KIND_ENDED;
    if (step.ended)
        send_event(player, &event);
}

void tl_player_advance_layers(trilo_player *player, double seconds)
{
    for (uint32_t i = 0; i < player->layer_count; i++) {
        tl_layer *layer = &player->layers[i];
        tl_playback *playback = &layer->now;
        if (layer->fade > 0) {
            layer->old.step = tl_clock_advance(&layer->old.clock, seconds);
            layer->faded += seconds > 0 ? seconds : -seconds;
            if (layer->faded >= layer->fade) {
                layer->old = (tl_playback){.kind = TL_PLAYBACK_NONE};
                layer->fade = layer->faded = 0;
            }
        }
        if (playback->kind != TL_PLAYBACK_CLIP && playback->kind != TL_PLAYBACK_STREAM)
            continue;
        const bool first = !playback->begun;
        playback->step = tl_clock_advance(&playback->clock, seconds);
        playback->begun = playback->begun || playback->step.moved;
        if (playback->step.moved) {
            const tl_playback played = *playback; /* the callback may play something else */
            send_step_events(player, i, &played, first);
        }
    }
}
