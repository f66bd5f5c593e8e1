import { stretch } from '../../../base/text/format.ts';
import type { WeatherReport } from '../../../wire/contract/simulation.ts';

/**
 * The weather that a client met, and its reactions, line by line. Kinds of weather that never came are left out: they
 * weren't tried.
 */
export function survivalInWords({ thrown, writes, streams, ...rest }: Omit<WeatherReport, 'profile'>): string[] {
  const { repeated_with_key: repeated, looked_up: lookedUp, doubled, lost } = writes;
  const gap = streams.longest_gap_ms === 0 ? '' : `, the longest ${stretch(streams.longest_gap_ms)}`;
  const ordinary = rest.ordinary_rate_limits;
  const byLimit = ordinary === 0 ? '' : ` By the ordinary limit: ${ordinary}.`;
  const lines: [came: number, told: string][] = [
    [
      thrown.lost_answers,
      `Lost answers: ${thrown.lost_answers}. Repeated under their keys: ${repeated}, looked up: ${lookedUp}, doubled: ${doubled}, lost: ${lost}.`,
    ],
    [
      thrown.rate_limits + ordinary,
      `429: ${thrown.rate_limits}. Requests too early: ${rest.rate_limits_ignored}.${byLimit}`,
    ],
    [
      thrown.rejections + thrown.lingering,
      `Rejected after acceptance: ${thrown.rejections}. Closed positions still listed: ${thrown.lingering}.`,
    ],
    [
      thrown.partial_answers,
      `Bulk operations in steps: ${thrown.partial_answers}, left unfinished: ${rest.bulk_unfinished}.`,
    ],
    [
      thrown.drains,
      `Streams drained: ${thrown.drains}. Times without a connection: ${streams.gaps}${gap}, not back: ${streams.not_reconnected}; account events missed: ${streams.account_events_missed}.`,
    ],
    [
      thrown.ends + thrown.history_failures,
      `Subscriptions ended: ${thrown.ends}, made again: ${streams.subscribed_again}, not: ${streams.not_subscribed_again}. Failed histories: ${thrown.history_failures}.`,
    ],
  ];
  const told = lines.filter(([came]) => came > 0).map(([, text]) => `weather: ${text}`);
  if (told.length === lines.length) return told;
  const other = told.length === 0 ? 'Nothing came' : 'Nothing else came';
  return [...told, `weather: ${other} in this time, so no more was tried. A longer run meets more.`];
}
