import { quantity } from '../../base/text/format.ts';
import type { Mandate } from './mandate.ts';

/** A moment by two clocks, ms: how long the machine has run, and the time of day, which can be set. */
export interface Moment {
  readonly uptime: number;
  readonly wall: number;
}

/** The state that armed keys depend on, as last received. */
export interface ArmedContext {
  /** The account and the market on the screen. */
  readonly account: string | undefined;
  readonly market: string;
  /** Both streams deliver. */
  readonly isCurrent: boolean;
  /** The account may trade. */
  readonly isActive: boolean;
  readonly isLocked: boolean;
  /** How far the nearest price at which the account or a position ends is from the mark, as a share of the mark. */
  readonly endAway: number | undefined;
  /** The preview of an order fits on the screen. */
  readonly isLargeEnough: boolean;
}

/** How often the service is pinged, ms. */
export const pingEveryMs = 1_000;
/** How long an answer may take, ms. */
export const answerMs = 1_000;
/** Without a key for this long, keys are disarmed, ms. */
const idleMs = 60_000;
/** The same if the terminal does not report its focus. */
const unwatchedIdleMs = 10_000;
/** This close to the end of the account or a position, keys are disarmed. */
const nearEnd = 0.005;
/** The checks come four times a second; if none came for so long, perp was stopped, ms. */
const longestPause = 1_500;
/** How far the two clocks may drift apart before one of them was set, ms. */
const clockStep = 1_000;

/**
 * Keys that trade without asking, under a mandate. They are disarmed by the first of many reasons, for good: only the
 * user arms them again. Time is an argument.
 */
export class Armed {
  readonly mandate: Mandate;
  readonly #from: Moment;
  readonly #durationMs: number;
  #checkedAt: number;
  #inputAt: number;
  /** When the ping was sent that has no answer yet. */
  #askedAt: number | undefined;
  #answeredAt: number;
  #reportsFocus: boolean;
  #reason: string | undefined;
  readonly #sentAt: number[] = [];

  /** `reportsFocus`: the terminal has reported its focus before. */
  constructor(mandate: Mandate, at: Moment, reportsFocus: boolean) {
    this.mandate = mandate;
    this.#from = at;
    this.#durationMs = mandate.until - at.wall;
    this.#checkedAt = at.uptime;
    this.#inputAt = at.uptime;
    this.#answeredAt = at.uptime;
    this.#reportsFocus = reportsFocus;
  }

  /** Why it is disarmed; undefined while it is armed. */
  get reason(): string | undefined {
    return this.#reason;
  }

  get reportsFocus(): boolean {
    return this.#reportsFocus;
  }

  /** When its orders were sent, Unix ms. */
  get sentAt(): readonly number[] {
    return this.#sentAt;
  }

  /** The rest of the agreed time, ms. */
  leftMs({ uptime }: Moment): number {
    return Math.max(0, this.#durationMs - (uptime - this.#from.uptime));
  }

  /** The time of day by the clock that can't be set, Unix ms: what the mandate's expiry is compared with. */
  timeAt({ uptime }: Moment): number {
    return this.#from.wall + (uptime - this.#from.uptime);
  }

  /** When the keys are disarmed if none is pressed, ms from now. */
  idleLeftMs({ uptime }: Moment): number {
    return Math.max(0, this.#inputAt + this.#idleMs - uptime);
  }

  disarm(reason: string): void {
    this.#reason ??= reason;
  }

  /** The user pressed a key or a button. */
  touched({ uptime }: Moment): void {
    this.#inputAt = uptime;
  }

  /** The terminal reported its focus. */
  focused(hasFocus: boolean): void {
    this.#reportsFocus = true;
    if (!hasFocus) this.disarm('the terminal lost focus');
  }

  /** A ping was sent; nothing happens while another one has no answer. */
  asked({ uptime }: Moment): void {
    this.#askedAt ??= uptime;
  }

  answered({ uptime }: Moment): void {
    this.#askedAt = undefined;
    this.#answeredAt = uptime;
  }

  /** An order was sent. */
  sent(at: Moment): void {
    this.#sentAt.push(this.timeAt(at));
    if (this.#sentAt.length > 1_000) this.#sentAt.shift();
  }

  /** Whether keys may trade now; if not, `reason` says why. Call it several times a second, and before each order. */
  check(now: Moment, around: ArmedContext): boolean {
    if (this.#reason === undefined) this.#reason = this.#wrongNow(now, around);
    this.#checkedAt = now.uptime;
    return this.#reason === undefined;
  }

  get #idleMs(): number {
    return this.#reportsFocus ? idleMs : unwatchedIdleMs;
  }

  #wrongNow(now: Moment, around: ArmedContext): string | undefined {
    const { uptime, wall } = now;
    const elapsed = uptime - this.#from.uptime;
    const { accounts, markets } = this.mandate;
    const reasons: readonly (readonly [isWrong: boolean, reason: string])[] = [
      [this.leftMs(now) <= 0, 'the agreed time is up'],
      [Math.abs(wall - this.#from.wall - elapsed) > clockStep, "this machine's clock was set"],
      [uptime - this.#checkedAt > longestPause, 'perp was stopped for a moment'],
      [uptime - (this.#askedAt ?? uptime) > answerMs, 'the service did not answer within a second'],
      [uptime - this.#answeredAt > pingEveryMs + answerMs + longestPause, 'the service could not be asked'],
      [uptime - this.#inputAt >= this.#idleMs, `no key for ${quantity(this.#idleMs / 1_000)} seconds`],
      [!around.isCurrent, 'a stream was lost'],
      [around.account === undefined || !accounts.includes(around.account), 'the screen shows another account'],
      [!markets.includes(around.market), 'the screen shows another market'],
      [!around.isActive, 'the account has ended'],
      [around.isLocked, 'the account is locked'],
      [around.endAway !== undefined && around.endAway < nearEnd, 'a breach or a liquidation is close'],
      [!around.isLargeEnough, 'the terminal is too small'],
    ];
    return reasons.find(([isWrong]) => isWrong)?.[1];
  }
}

/** A held key repeats after at most this long, and then faster, ms. */
const repeatMs = 700;

/** Tells a key that was pressed from one that is held: a held key counts once. */
export class HeldKeys {
  readonly #lastAt = new Map<string, number>();

  /** Whether this is its own press: nothing of the key came for a while. */
  isPressed(name: string, { uptime }: Moment): boolean {
    const last = this.#lastAt.get(name);
    this.#lastAt.set(name, uptime);
    if (this.#lastAt.size > 64) this.#lastAt.clear();
    return last === undefined || uptime - last >= repeatMs;
  }
}
