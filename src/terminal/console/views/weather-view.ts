import { stretch } from '../../../base/text/format.ts';
import type { WeatherReport } from '../../../wire/contract/simulation.ts';

/** What weather was thrown at a client, and what it did, line by line. */
export function survivalInWords({ thrown, writes, streams, ...rest }: Omit<WeatherReport, 'profile'>): string[] {
  const { repeated_with_key: repeated, looked_up: lookedUp, doubled, lost } = writes;
  const gap = streams.longest_gap_ms === 0 ? '' : `, the longest ${stretch(streams.longest_gap_ms)}`;
  return [
    `Lost answers: ${thrown.lost_answers}. Repeated under their keys: ${repeated}, looked up: ${lookedUp}, doubled: ${doubled}, lost: ${lost}.`,
    `429: ${thrown.rate_limits}. Requests too early: ${rest.rate_limits_ignored}.`,
    `Rejected after acceptance: ${thrown.rejections}. Closed positions still listed: ${thrown.lingering}.`,
    `Bulk operations in steps: ${thrown.partial_answers}, left unfinished: ${rest.bulk_unfinished}.`,
    `Streams drained: ${thrown.drains}. Times without a connection: ${streams.gaps}${gap}, not back: ${streams.not_reconnected}; account events missed: ${streams.account_events_missed}.`,
    `Subscriptions ended: ${thrown.ends}, made again: ${streams.subscribed_again}, not: ${streams.not_subscribed_again}. Failed histories: ${thrown.history_failures}.`,
  ].map((told) => `weather: ${told}`);
}

/** The parts of a profile in one line. */
export function profileInWords(profile: Readonly<Record<string, unknown>>): string {
  return Object.entries(profile)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
