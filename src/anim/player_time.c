/* Time that passes, and what is told of it. */
#include "anim/player.h"

void trilo_player_set_markers(trilo_player *player, uint32_t clip, const trilo_marker *markers, uint32_t marker_count)
{
    if (clip < player->model->clip_count)
        player->markers[clip] = (tl_markers){markers, markers ? marker_count : 0};
}

static void tell(trilo_player *player, const trilo_event *event)
{
    if (player->opts.on_event)
        player->opts.on_event(player->opts.on_event_user, player, event);
}

/* A stretch of time within the clip. Where it begins has been told before; the begin of the clip has not. */
typedef struct stretch {
    double from, to;
    bool with_from;
} stretch;

static bool within(const stretch *s, double time)
{
    if (s->with_from && time == s->from)
        return true;
    return s->from <= s->to ? time > s->from && time <= s->to : time < s->from && time >= s->to;
}

/* In the order in which they are passed. */
static void tell_markers(trilo_player *player, const trilo_event *of, const stretch *s)
{
    const tl_markers m = player->markers[of->clip];
    for (uint32_t i = 0; i < m.count; i++) {
        const uint32_t number = s->from <= s->to ? i : m.count - 1 - i;
        trilo_event event = *of;
        event.kind = TRILO_EVENT_MARKER;
        event.marker = number;
        if (within(s, m.markers[number].seconds))
            tell(player, &event);
    }
}

static void tell_step(trilo_player *player, uint32_t layer, const tl_playback *voice, bool first)
{
    const tl_clock_step step = voice->step;
    const double end = step.backwards ? 0 : voice->clock.duration, begin = voice->clock.duration - end;
    trilo_event event = {.kind = TRILO_EVENT_LOOPED, .layer = layer, .clip = voice->clip, .marker = TRILO_NONE};
    const bool marked = voice->kind == TL_VOICE_CLIP && player->markers[voice->clip].count > 0;
    if (marked)
        tell_markers(player, &event, &(stretch){step.from, step.rounds > 0 ? end : step.to, first});
    if (step.rounds > 0) {
        event.rounds = step.rounds;
        tell(player, &event);
        event.rounds = 0;
        if (marked)
            tell_markers(player, &event, &(stretch){begin, step.to, true});
    }
    event.kind = TRILO_EVENT_ENDED;
    if (step.ended)
        tell(player, &event);
}

static void pass_fade(tl_layer *layer, double seconds)
{
    if (layer->fade <= 0)
        return;
    layer->old.step = tl_clock_advance(&layer->old.clock, seconds);
    layer->faded += seconds > 0 ? seconds : -seconds;
    if (layer->faded >= layer->fade) {
        layer->old = (tl_playback){.kind = TL_VOICE_NONE};
        layer->fade = layer->faded = 0;
    }
}

void tl_player_pass(trilo_player *player, double seconds)
{
    for (uint32_t i = 0; i < player->layer_count; i++) {
        tl_layer *layer = &player->layers[i];
        tl_playback *voice = &layer->now;
        pass_fade(layer, seconds);
        if (voice->kind != TL_VOICE_CLIP && voice->kind != TL_VOICE_STREAM)
            continue;
        const bool first = !voice->begun;
        voice->step = tl_clock_advance(&voice->clock, seconds);
        voice->begun = voice->begun || voice->step.moved;
        if (voice->step.moved) {
            const tl_playback played = *voice; /* who is told may play something else */
            tell_step(player, i, &played, first);
        }
    }
}
