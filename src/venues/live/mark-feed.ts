import type { Ms } from '../../exchange/engine/model.ts';
import type { EventTimes } from '../../exchange/markets/recorded/line.ts';
import { quoted } from '../../exchange/markets/recorded/recording-error.ts';
import { microseconds, type TapeLine, type TapeLines, type VenuePrices } from '../tape/tape-lines.ts';
import type { FeedServices } from './feed-services.ts';
import type { MarksMessage } from './protocols/venue.ts';

/** How often unchanged prices are written while the venue repeats them: readers measure their age. */
const repeatMs = 5_000;
/** Prices that came this long before a gap ended are still current. */
const currentMs = 5_000;
/**
 * How long the venue may stay silent about its prices before they are requested again, and the interval between
 * requests.
 */
const silentMs = 15_000;
/** Digits that a number of a tape holds exactly. */
const maxDigits = 15;
/** Later than any time that a venue means. */
const latest = Date.UTC(9999, 0);

/** A market's mark and index on their way from the venue to the tape. They never decide whether a market is live. */
export class MarkFeed {
  /** Why there are none; null if there are. */
  problem: string | null = null;
  private readonly priceDecimals: number;
  private readonly lines: TapeLines;
  private readonly services: FeedServices;
  private readonly isLive: () => boolean;
  private known: Partial<Omit<VenuePrices, 'mark'>> & { mark?: string | null } = {};
  /** The fault in the last value of a field. */
  private readonly unusable = new Map<string, string>();
  private times: EventTimes = { exchangeUs: null, receivedUs: null };
  private heardAt: Ms | null = null;
  private askedAt: Ms | null = null;
  /** The last value written, and when, by the monotonic clock; null in a gap. */
  private written: { text: string; at: Ms; content: TapeLine } | null = null;

  /** `isLive`: whether the tape is up to date with the market's book; otherwise nothing is written. */
  constructor(priceDecimals: number, lines: TapeLines, services: FeedServices, isLive: () => boolean) {
    this.priceDecimals = priceDecimals;
    this.lines = lines;
    this.services = services;
    this.isLive = isLive;
  }

  /** Takes what the venue publishes; fields that it leaves out are unchanged, and one that is unusable is unknown. */
  take(message: MarksMessage): void {
    const { mark, index, fundingRate, fundingHours, nextFundingAt } = message;
    const told = { mark, index, fundingRate, fundingHours, nextFundingAt };
    for (const [field, value] of Object.entries(told)) {
      if (value === undefined) continue;
      const usable = value === null ? null : this.usable(field, value);
      if (usable === null && (value !== null || field === 'mark'))
        this.unusable.set(field, `the venue sent a ${field} that is unusable: ${quoted(value)}`);
      else this.unusable.delete(field);
      Object.assign(this.known, { [field]: usable });
    }
    this.problem = this.unusable.values().next().value ?? null;
    this.times = { exchangeUs: microseconds(message.time), receivedUs: this.services.receivedUs() };
    this.heardAt = this.services.uptime();
    this.write();
  }

  /** The book is complete again: prices that came meanwhile count from now on. */
  begin(): void {
    if (this.heardAt !== null && this.services.uptime() - this.heardAt <= currentMs) this.write();
  }

  /** A gap begins: readers forget the prices. */
  lose(): void {
    this.written = null;
  }

  /** The venue was told to send them no longer, or the connection was lost. */
  stop(): void {
    this.lose();
    this.known = {};
    this.unusable.clear();
    this.heardAt = null;
    this.askedAt = null;
  }

  /** Call every second while the market is live: prices that have stopped are requested again. */
  tick(): void {
    const now = this.services.uptime();
    this.askedAt ??= now;
    if (now - Math.max(this.heardAt ?? 0, this.askedAt) < silentMs) return;
    this.askedAt = now;
    this.problem = 'the venue has stopped sending its mark';
    this.services.resubscribe('marks');
  }

  /** The tape's current state, for the start of its next part; null if nothing is current. */
  standing(): TapeLine | null {
    const isOld = this.written === null || this.services.uptime() - this.written.at > silentMs;
    return isOld ? null : this.written!.content;
  }

  /** The venue's own prices as they are now, and how many ms ago it last published them; null: none are known. */
  status(): (VenuePrices & { ageMs: Ms }) | null {
    if (this.heardAt === null || this.known.mark == null) return null;
    return { ...noPrices, ...this.known, mark: this.known.mark, ageMs: this.services.uptime() - this.heardAt };
  }

  /** A value as a tape can hold it; null if it can't. */
  private usable(field: string, value: unknown): string | number | null {
    if (field === 'fundingHours' || field === 'nextFundingAt') {
      const number = typeof value === 'string' && value !== '' ? Number(value) : value;
      return typeof number === 'number' && isWhole(number) ? number : null;
    }
    return typeof value === 'string' && this.fits(field, value) ? shortened(value) : null;
  }

  /** Whether a decimal can be on a tape: prices to half a price unit, and rates. */
  private fits(field: string, decimal: string): boolean {
    if (field === 'fundingRate') return /^-?\d{1,6}(?:\.\d{1,30})?$/.test(decimal);
    const halves = 2 * Number(decimal) * 10 ** this.priceDecimals;
    return /^\d{1,15}(?:\.\d{1,30})?$/.test(decimal) && halves >= 1 && halves < Number.MAX_SAFE_INTEGER / 2;
  }

  private write(): void {
    const { mark } = this.known;
    if (mark == null || !this.isLive()) return;
    const prices = { ...noPrices, ...this.known, mark };
    const [text, now] = [JSON.stringify(prices), this.services.uptime()];
    if (this.written?.text === text && now - this.written.at < repeatMs) return;
    const line = this.lines.marks(prices, this.times);
    const time = this.services.write([line]);
    if (time !== null) this.written = { text, at: now, content: this.lines.marks(prices) };
  }
}

const noPrices = { index: null, fundingRate: null, fundingHours: null, nextFundingAt: null };

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0 && value < latest;
}

/** A decimal without the decimals that a tape can't hold. */
function shortened(decimal: string): string {
  const point = decimal.indexOf('.');
  if (point < 0 || decimal.length <= maxDigits) return decimal;
  return decimal.slice(0, Math.max(point + 2, maxDigits + 1));
}
