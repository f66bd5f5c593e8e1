import type { VenueName } from '../../../base/terms/venues.ts';
import { counted, quantity, stretch } from '../../../base/text/format.ts';
import type { Console } from '../../console/console.ts';
import { liveOptions } from '../../console/settings/venues.ts';
import { type Finding, fail, ok, warn, wrongClock } from './finding.ts';

type Examined = Awaited<ReturnType<typeof import('../../../service/live/recording.ts').examineVenues>>[number];

/** How long venues are followed, ms. */
const followMs = 60_000;
/** The lateness at which messages can't be traded on, and the clock differences and limits that need attention. */
const lateMs = 5_000;
const clockMs = 2_000;
const muchWeight = 0.8;

/** Follows venues for a minute and reports the proved facts, gaps, and anything perp doesn't recognize. */
export async function followVenues(console: Console, venue: VenueName | undefined): Promise<Finding[]> {
  const { examineVenues, unknownText } = await import('../../../service/live/recording.ts');
  const options = liveOptions(console.variables, venue === undefined ? undefined : [venue]);
  const examined = await examineVenues(options, console.settings.waitMs ?? followMs);
  const proxied = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].some((name) => console.variables[name]);
  return examined.flatMap((one) => [
    ...findingsOf(one, one.unknown.map(unknownText)),
    ok(`${one.venue} proxy`, proxied ? 'one is set' : 'none'),
  ]);
}

function findingsOf(examined: Examined, unknown: readonly string[]): Finding[] {
  const { venue, problem, feed, listed } = examined;
  if (problem !== null || feed === null)
    return [fail(`${venue} list`, `${problem}.`, 'perp doctor shows whether its addresses can be reached.')];
  return [
    unknown.length === 0
      ? ok(`${venue} list`, counted(listed, 'market'))
      : warn(`${venue} list`, `${counted(listed, 'market')}; unknown: ${unknown.join('; ')}.`, newer),
    ...subscriptions(examined),
    ...fieldsOf(examined),
    ...marketsOf(examined),
    limits(examined),
    clock(examined),
  ];
}

const newer =
  'The venue has changed its messages. Send the output of perp doctor --live --json to the maintainers; it contains nothing private.';

function subscriptions({ venue, feed }: Examined): Finding[] {
  return feed!.connections.map(({ name, wanted, confirmed, frames, garbled, reconnects, problem }) => {
    const text = `${confirmed} of ${wanted} subscriptions, ${quantity(frames)} frames, ${counted(reconnects, 'reconnect')}`;
    const check = `${venue} ${name} stream`;
    if (confirmed < wanted) return fail(check, `${text}${problem === null ? '' : `; ${problem}`}.`);
    return garbled + reconnects === 0 ? ok(check, text) : warn(check, `${text}, ${garbled} unreadable; ${problem}.`);
  });
}

function fieldsOf({ venue, messages }: Examined): Finding[] {
  return messages.map(({ kind, count, missing, unknown }) => {
    const parts = [
      counted(count, 'message'),
      ...(missing.length === 0 ? [] : [`missing: ${missing.join(', ')}`]),
      ...(unknown.length === 0 ? [] : [`unknown: ${unknown.join(', ')}`]),
    ];
    const [check, text] = [`${venue} ${kind}`, parts.join('; ')];
    if (missing.length > 0) return fail(check, `${text}.`, newer);
    return count > 0 && unknown.length === 0
      ? ok(check, text)
      : warn(check, `${text}.`, count === 0 ? undefined : newer);
  });
}

function marketsOf({ markets }: Examined): Finding[] {
  return markets.flatMap((market): Finding[] => {
    const { marketId, state, gaps, gap, compared, equal, mostLagMs, prints, printCount, marks, marksProblem, change } =
      market;
    const late = mostLagMs === null ? 'its messages have no time' : `at most ${Math.round(mostLagMs)} ms late`;
    const book = `${compared === 0 ? 'not compared' : `${equal} of ${compared} comparisons equal`}, ${counted(gaps, 'gap')}, ${late}`;
    const isProved = state === 'live' && equal === compared && gaps === 0 && (mostLagMs ?? 0) <= lateMs;
    const why =
      state === 'live'
        ? ''
        : ` It is ${gap === null ? state : `in a gap (${gap.reason})`}: ${market.problem ?? 'no reason is known'}.`;
    const joined = `${quantity(printCount)} written, joined to the history ${counted(prints.joined, 'time')}, ${prints.lost} lost`;
    const mark =
      marks === null ? null : `mark ${marks.mark}, index ${marks.index ?? 'unknown'}, ${stretch(marks.ageMs)} old`;
    return [
      isProved ? ok(`${marketId} book`, book) : (state === 'live' ? warn : fail)(`${marketId} book`, `${book}.${why}`),
      ...(change === null ? [] : [warn(`${marketId} definition`, `${change}.`)]),
      prints.lost === 0 ? ok(`${marketId} prints`, joined) : fail(`${marketId} prints`, `${joined}.`),
      mark !== null && marksProblem === null
        ? ok(`${marketId} marks`, mark)
        : warn(`${marketId} marks`, `${marksProblem ?? 'none came'}.`),
    ];
  });
}

function limits({ venue, feed }: Examined): Finding {
  const { weight, weightPerMinute, pausedUntil } = feed!.rest;
  const text = `${weight} of ${weightPerMinute} a minute`;
  if (pausedUntil > 0) return warn(`${venue} limits`, `${text}; the venue asks to wait.`);
  return weight <= muchWeight * weightPerMinute ? ok(`${venue} limits`, text) : warn(`${venue} limits`, `${text}.`);
}

function clock({ venue, feed }: Examined): Finding {
  const { skewMs } = feed!;
  if (skewMs === null) return warn(`${venue} clock`, 'not compared.');
  const text = `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} this machine's`;
  return Math.abs(skewMs) <= clockMs ? ok(`${venue} clock`, text) : wrongClock(`${venue} clock`, `${text}.`);
}
