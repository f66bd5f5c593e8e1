import { busyBytes } from './outlet.ts';

/** Events of one frame at most, so that no frame grows beyond what clients take. */
export const mostEventsPerFrame = 500;

/** One subscription, as those who feed it see it. */
export interface Subscriber {
  /** Routes events at the client; no two of a service are alike. */
  readonly handle: string;
  /** Bytes that wait to be read there. */
  readonly buffered: number;
  send(text: string): void;
  /** What it would be told if it subscribed now, for readers who have missed what is told only once. */
  present(): readonly string[];
}

/** A subscription's events as frames; `tail` is what `frameTail` made of them. */
export function eventsFrame(handle: string, tail: string): string {
  return `{"op":"events","sub":"${handle}"${tail}`;
}

/** The part of an events frame that is the same for every subscription. */
export function frameTails(events: readonly string[]): string[] {
  const tails: string[] = [];
  for (let at = 0; at < events.length; at += mostEventsPerFrame)
    tails.push(`,"events":[${events.slice(at, at + mostEventsPerFrame).join(',')}]}`);
  return tails;
}

/** Everybody who asked for the same: what is to be told is put together once for all of them. */
export class Audience {
  readonly subscribers = new Set<Subscriber>();
  /** What is told with the next flush, and of that what must not be dropped. */
  #events: string[] = [];
  #lasting: string[] = [];
  /** Readers that were too busy for what may be dropped. */
  readonly #behind = new Set<Subscriber>();

  add(event: string, isLasting: boolean): void {
    this.#events.push(event);
    if (isLasting) this.#lasting.push(event);
  }

  leave(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
    this.#behind.delete(subscriber);
  }

  /** Tells everybody. A busy reader gets what must not be dropped, and how things stand once it has caught up. */
  flush(): void {
    if (this.#behind.size > 0) this.#catchUp();
    if (this.#events.length === 0) return;
    const whole = frameTails(this.#events);
    const lasting = this.#lasting.length === this.#events.length ? whole : frameTails(this.#lasting);
    const dropsAny = lasting !== whole;
    this.#events = [];
    this.#lasting = [];
    for (const subscriber of this.subscribers) {
      const isBusy = dropsAny && subscriber.buffered > busyBytes;
      if (isBusy) this.#behind.add(subscriber);
      for (const tail of isBusy ? lasting : whole) subscriber.send(eventsFrame(subscriber.handle, tail));
    }
  }

  #catchUp(): void {
    for (const subscriber of this.#behind) {
      if (subscriber.buffered > busyBytes) continue;
      this.#behind.delete(subscriber);
      for (const tail of frameTails(subscriber.present())) subscriber.send(eventsFrame(subscriber.handle, tail));
    }
  }
}
