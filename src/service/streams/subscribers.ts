/** Above this many waiting bytes, only what must not be dropped is sent: prints, final candles, account frames. */
export const busyBytes = 1024 * 1024;

/** Maximum number of events in one frame, so that no frame is larger than clients accept. */
export const maxEventsPerFrame = 500;

/** One subscription, as its feeds see it. */
export interface Subscriber {
  /** Routes events at the client; unique within the service. */
  readonly handle: string;
  /** Bytes waiting to be read there. */
  readonly buffered: number;
  send(text: string): void;
  /** The events of a new subscription, for readers that missed events that are sent only once. */
  present(): readonly string[];
}

/** A subscription's events as frames; `tail` is what `frameTails` made of them. */
export function eventsFrame(handle: string, tail: string): string {
  return `{"op":"events","sub":"${handle}"${tail}`;
}

/** The part of an events frame that is the same for every subscription. */
export function frameTails(events: readonly string[]): string[] {
  const tails: string[] = [];
  for (let at = 0; at < events.length; at += maxEventsPerFrame)
    tails.push(`,"events":[${events.slice(at, at + maxEventsPerFrame).join(',')}]}`);
  return tails;
}

/** All subscribers of the same topic: frames are built once for all of them. */
export class Audience {
  readonly subscribers = new Set<Subscriber>();
  /** Events for the next flush, and those of them that must not be dropped. */
  #events: string[] = [];
  #lasting: string[] = [];
  /** Readers that were too slow for what may be dropped. */
  readonly #behind = new Set<Subscriber>();

  add(event: string, isLasting: boolean): void {
    this.#events.push(event);
    if (isLasting) this.#lasting.push(event);
  }

  leave(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
    this.#behind.delete(subscriber);
  }

  /**
   * Sends to all. A slow reader gets the events that must not be dropped, and the current state once it has caught up.
   */
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
