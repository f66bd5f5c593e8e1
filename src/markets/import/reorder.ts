import type { Tally, VenueEvent } from './venue.ts';

/** How far back in time an event may arrive and still find its place. */
const windowMs = 10_000;

/**
 * Events in order of exchange time; those of one millisecond as they came. An event more than ten seconds late gets the
 * time that the others have reached. What had to move is counted.
 */
export async function* inTimeOrder(events: AsyncIterable<VenueEvent>, tally: Tally): AsyncGenerator<VenueEvent> {
  let waiting: VenueEvent[] = [];
  let released = 0;
  let releasedTime = Number.NEGATIVE_INFINITY;
  let newest = Number.NEGATIVE_INFINITY;
  for await (const event of events) {
    if (event.time < releasedTime) {
      tally.add('events more than ten seconds late, moved forward');
      event.time = releasedTime;
    }
    let place = waiting.length;
    while (place > released && waiting[place - 1]!.time > event.time) place -= 1;
    if (place < waiting.length) tally.add('events received out of time order, sorted');
    waiting.splice(place, 0, event);
    newest = Math.max(newest, event.time);
    while (waiting[released]!.time < newest - windowMs) {
      const next = waiting[released]!;
      released += 1;
      releasedTime = next.time;
      yield next;
    }
    if (released > 4096) {
      waiting = waiting.slice(released);
      released = 0;
    }
  }
  yield* waiting.slice(released);
}
