import type { Tally, VenueEvent } from './venue.ts';

/** An event and the line of the file it came with. */
export interface NumberedEvent {
  event: VenueEvent;
  line: number;
}

/** How late an event may arrive and still be sorted. */
const windowMs = 10_000;

/**
 * Sorts events by exchange time; events of the same millisecond stay in order of arrival. An event more than ten
 * seconds late gets the time that the others have reached. Counts the events that it moved.
 */
export async function* inTimeOrder(events: AsyncIterable<NumberedEvent>, tally: Tally): AsyncGenerator<NumberedEvent> {
  let waiting: NumberedEvent[] = [];
  let released = 0;
  let releasedTime = Number.NEGATIVE_INFINITY;
  let newest = Number.NEGATIVE_INFINITY;
  for await (const numbered of events) {
    const { event } = numbered;
    if (event.time < releasedTime) {
      tally.add('events more than ten seconds late, moved forward');
      event.time = releasedTime;
    }
    let place = waiting.length;
    while (place > released && waiting[place - 1]!.event.time > event.time) place -= 1;
    if (place < waiting.length) tally.add('events received out of time order, sorted');
    waiting.splice(place, 0, numbered);
    newest = Math.max(newest, event.time);
    while (waiting[released]!.event.time < newest - windowMs) {
      const next = waiting[released]!;
      released += 1;
      releasedTime = next.event.time;
      yield next;
    }
    if (released > 4096) {
      waiting = waiting.slice(released);
      released = 0;
    }
  }
  yield* waiting.slice(released);
}
