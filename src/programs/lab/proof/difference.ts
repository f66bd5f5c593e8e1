import type { RunAnswer } from '../trial.ts';

/** A strategy's actions at one time: requests, their outcome, and output. */
export interface Line {
  readonly time: number;
  readonly content: {
    readonly asked?: {
      readonly kind: string;
      readonly clientId?: string;
      readonly order?: string;
      readonly body?: Record<string, unknown>;
      readonly change?: object;
    };
    /** With the time at which it happened; the strategy is told at its next look. */
    readonly fill?: {
      readonly market: string;
      readonly side: 'buy' | 'sell';
      readonly size: number;
      readonly time: number;
    };
    readonly order?: { readonly side: string; readonly status: string };
    readonly log?: string;
  };
}

/** Reads a line of a run. */
export function lineOf(text: string): Line {
  const [time, content] = JSON.parse(text) as [number, Line['content']];
  return { time, content };
}

/** A run's actions, and the lines of its files in which the strategy placed its orders. */
type Done = Pick<RunAnswer, 'lines' | 'places'>;

/** The first line, at or before `until`, in which two runs differ: as words about the first run, and its time. */
export function firstDifference(
  { lines: one, places }: Done,
  { lines: other, places: otherPlaces }: Done,
  until: number,
): { sentence: string; at: number | null } {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    if (one[at] === other[at]) continue;
    const lines = [one[at], other[at]].map((text) => (text === undefined ? null : lineOf(text)));
    const [here, there] = lines.map((line) => (line !== null && line.time <= until ? line : null));
    // Actions of only the other run are equally telling.
    const line = here ?? there;
    if (line === null || line === undefined) break;
    const verb = here === line ? 'it' : 'it did nothing where, before, it';
    return {
      sentence: `${verb} ${words(line, here === line ? places : otherPlaces)} at ${new Date(line.time).toISOString().replace('T', ' ')}`,
      at: line.time,
    };
  }
  return { sentence: 'it decided differently', at: null };
}

function words({ content: { asked, fill, order, log } }: Line, places: Done['places']): string {
  if (asked !== undefined) {
    const { kind, clientId = '', body, order: id, change } = asked;
    const where = places[clientId] ?? '';
    if (kind === 'place') return `placed ${shortened(body)}${where === '' ? '' : ` in ${where}`}`;
    return `asked to ${kind} ${id ?? ''}${change === undefined ? '' : ` to ${shortened(change)}`}`;
  }
  if (fill !== undefined) return `had a fill, ${fill.side} ${fill.size} ${fill.market},`;
  if (order !== undefined) return `had an order that was ${order.status}`;
  return `wrote ${shortened(log)}`;
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > 120 ? `${text.slice(0, 120)}...` : text;
}
