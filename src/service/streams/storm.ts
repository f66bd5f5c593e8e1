import type { Ms } from '../../exchange/engine/model.ts';
import { closeCodes } from '../../wire/contract/streams.ts';
import type { StreamKind } from '../weather/survival.ts';
import type { Weather } from '../weather/weather.ts';
import type { AccountHub } from './account-hub.ts';
import type { MarketSession } from './market-session.ts';

/** How long a drained connection is still served, ms of the exchange's clock. */
const drainedMs: Ms = 10_000;
const reason = 'this connection is retired';

/** What the weather does to open streams: drained connections, and subscriptions that end (simulation 6.4). */
export class Storm {
  readonly #weather: Weather;
  readonly #sessions: ReadonlySet<MarketSession>;
  readonly #accounts: AccountHub;
  #position: Ms | null = null;
  /** Connections to close, and when. */
  #retiring: { at: Ms; close: () => void }[] = [];
  readonly #open = new Map<object, StreamKind>();
  readonly #drained = new WeakSet<object>();

  constructor(weather: Weather, sessions: ReadonlySet<MarketSession>, accounts: AccountHub) {
    this.#weather = weather;
    this.#sessions = sessions;
    this.#accounts = accounts;
  }

  pulse(now: Ms): void {
    const from = this.#position ?? now;
    this.#position = now;
    const { survival } = this.#weather;
    const channel = this.#weather.endIn(from, now);
    if (channel !== null)
      for (const session of this.#sessions)
        for (let ended = session.endSubscriptions(channel); ended > 0; ended -= 1) survival.endedSubscription(channel);
    if (this.#weather.drainIn(from, now) !== null) this.#drain(now);
    const due = this.#retiring.filter(({ at }) => at <= now);
    this.#retiring = this.#retiring.filter(({ at }) => at > now);
    for (const { close } of due) close();
  }

  /** Nobody is connected: time passes without weather. */
  pause(): void {
    this.#position = null;
  }

  opened(kind: StreamKind, connection: object): void {
    this.#open.set(connection, kind);
    this.#weather.survival.opened(kind, performance.now());
  }

  closed(kind: StreamKind, connection: object): void {
    if (!this.#open.delete(connection)) return;
    this.#weather.survival.closed(kind, performance.now(), this.#drained.has(connection));
  }

  subscribed(channel: string): void {
    this.#weather.survival.subscribed(channel);
  }

  #drain(now: Ms): void {
    this.#weather.survival.thrown.drains += 1;
    for (const connection of this.#open.keys()) this.#drained.add(connection);
    for (const session of this.#sessions) {
      session.drain();
      this.#retiring.push({ at: now + drainedMs, close: () => session.close(closeCodes.goingAway, reason) });
    }
    this.#accounts.drain();
    const close = this.#accounts.retirement(closeCodes.goingAway, reason);
    this.#retiring.push({ at: now + drainedMs, close });
  }
}
