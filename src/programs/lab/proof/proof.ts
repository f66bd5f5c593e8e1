import { fraction, keyOf, nextHash } from '../../../base/terms/hash.ts';
import type { MarketSource } from '../../../exchange/engine/source.ts';
import { areSame, versionsText } from '../../../exchange/markets/versions.ts';
import { type Later, laterAt, laterSource } from '../moved-source.ts';
import { noiseOnly } from '../noisy-source.ts';
import { versionsNow } from '../plan.ts';
import { isOfMachine, type RunAnswer, type RunRequest, type TrialSpec } from '../trial.ts';
import { firstDifference, type Line, lineOf } from './difference.ts';
import { fitsOf, leastChanges, lookaheadOf, positionChanges, similarity } from './lookahead.ts';
import { embeddedPrices } from './numbers.ts';

/** A trial's standing after its proofs, from the weakest finding to the strongest. */
const severities = [
  'failed',
  'too few positions',
  'clean',
  'depends on times',
  'depends on prices',
  'refused',
  'not repeatable',
  'knows the tape',
  'looks ahead',
] as const;
type ProofStatus = (typeof severities)[number];

/** The tests of a trial, and their results. */
export interface Proof {
  readonly status: ProofStatus;
  /** For people: the finding, its time and call; or the tests that found nothing. */
  readonly sentence: string;
  /** Market time of the first telltale decision; null if there is none. */
  readonly at: number | null;
  /** The number of moments after which the market was scrambled. */
  readonly moments: number;
}

/** Dependencies of a proof. */
interface ProofRequest {
  readonly spec: TrialSpec;
  /** The opened markets of the trial. */
  readonly source: MarketSource;
  /** The texts of the strategy and of all its imports. */
  readonly texts: readonly { readonly name: string; readonly text: string }[];
  /** The hash of the decisions in the trials file; null if there is none. */
  readonly decisionHash: string | null;
  /** For a trial with `think: 'real'`: the durations of its decisions. */
  readonly thinks: readonly number[] | null;
  /** Runs the trial once. */
  readonly run: (request: RunRequest) => Promise<RunAnswer>;
  /** Default 8. */
  readonly moments?: number;
}

/** The number of markets with slightly other prices, and the share of a gain that must remain on them on average. */
const wanders = 3;
const leastKept = 0.5;
/**
 * The number of standard deviations from which a gain counts at other prices, and if hardly a position remains there.
 */
const leastRecognized = 2;
const leastIfIdle = 1.5;
/** The maximum share of the changes of position that is hardly any. */
const idleShare = 0.2;
/** The required similarity of positions, as a cosine, when each price is only a few ticks off, up to this fill. */
const leastAlike = 0.3;
const comparedFills = 40;
/** The number of standard deviations by which a second run must be better to have learned from the first. */
const leastLearned = 2.5;
/** The number of standard deviations below which a gain may be chance. */
const noFit = 1;
/** The shift of the market in time, and the number of parts of which the run leaves out the first. */
const laterBy = 7 * 86_400_000;
/** How much slower it is then. */
const stretch = 33 / 32;
const skippedPart = 16;
/**
 * The number of other markets on which a strategy is played blindfolded, and as many again: a chance fit doesn't
 * repeat.
 */
const blindfolds = 4;

/**
 * Tries to catch a trial that uses impossible knowledge. It runs again, and must decide the same. Played on another
 * market from the start, it must not act as if it saw this one, and its gain must not depend on exact prices. On a
 * tape, the market after several moments is scrambled, and up to each of them it must decide the same; and its text
 * must not contain the tape.
 */
export async function prove(request: ProofRequest): Promise<Proof> {
  // The actions of a run without a result are unknown, so it proves nothing against the strategy.
  const run = async (one: RunRequest) => {
    const answer = await request.run(one);
    const { problem } = answer.result;
    if (problem !== null && isOfMachine(problem)) throw new Unproven(problem.message);
    return answer;
  };
  try {
    return await proven({ ...request, run });
  } catch (error) {
    if (!(error instanceof Unproven)) throw error;
    return found('failed', `Not proven: ${error.message.replace(/\.$/, '')}`, null);
  }
}

/** Of two proofs of the same trial, the one that found more. */
export function worseProof(one: Proof, other: Proof): Proof {
  return severities.indexOf(other.status) > severities.indexOf(one.status) ? other : one;
}

class Unproven extends Error {}

/** A request of a trial: under other versions, it would see other markets, so different decisions prove nothing. */
export function ofTheseVersions(request: RunRequest): RunRequest {
  const { source, versions } = request.spec;
  const now = versionsNow(source);
  if (!areSame(versions, now))
    throw new Unproven(`it ran under ${versionsText(versions)}; this perp has ${versionsText(now)}`);
  return request;
}

async function proven(request: ProofRequest): Promise<Proof> {
  const { spec, decisionHash, run, thinks } = request;
  const base: RunRequest = { spec, lines: true, ...(thinks === null ? {} : { thinks }) };
  const first = await run(base);
  const { problem } = first.result;
  if (problem !== null) {
    const status = problem.kind === 'refused' ? 'refused' : 'failed';
    return { status, sentence: `${capital(problem.message).replace(/\.$/, '')}.`, at: problem.at, moments: 0 };
  }
  const isTape = spec.source.kind === 'tape';
  const moments = isTape ? momentsOf(spec, first.lines.map(lineOf), request.moments ?? 8) : [];
  const second = await run({ ...base, prefixesAt: moments });
  if (second.result.decisionHash !== first.result.decisionHash) return unrepeatable(first, second);
  if (decisionHash !== null && first.result.decisionHash !== decisionHash)
    return found('not repeatable', 'Not repeatable: a second run differs from the trials file', null);
  for (const [at, moment] of moments.entries()) {
    const ahead = await lookAhead(base, request, { moment, prefix: second.prefixes[at]!, seed: at, first });
    if (ahead !== null) return { ...ahead, moments: at + 1 };
  }
  const learned = await learning(base, request, first);
  if (learned !== null) return { ...learned, moments: moments.length };
  const recognized = await recognizing(base, request, first);
  const known =
    (isTape ? embeddedPrices(request.source, spec, request.texts) : null) ??
    (recognized?.isSure === true ? recognized : null) ??
    (await blindfolded(base, request));
  const count = moments.length;
  if (known !== null)
    return { ...found('knows the tape', `Knows the ${nameOf(spec)}: ${known.sentence}`, known.at), moments: count };
  const changes = positionChanges(first.lines.map(lineOf));
  if (changes < leastChanges) return { ...tooFew(spec, changes), moments: count };
  if (recognized !== null) {
    const sentence = `Depends on absolute prices: ${recognized.sentence}`;
    return { ...found('depends on prices', sentence, recognized.at), moments: count };
  }
  const exact = await exacting(base, request, first);
  if (exact !== null) return { ...exact, moments: count };
  const dated = await dating(base, request, first);
  return dated === null ? clean(spec, count) : { ...dated, moments: count };
}

function unrepeatable(first: RunAnswer, second: RunAnswer): Proof {
  const { sentence, at } = firstDifference(first, second, Number.POSITIVE_INFINITY);
  return found('not repeatable', `Not repeatable: ${sentence} in one run but not in the next`, at);
}

/** With another market after the moment, everything up to it must be the same. */
async function lookAhead(
  base: RunRequest,
  { run }: ProofRequest,
  { moment, prefix, seed, first }: { moment: number; prefix: string; seed: number; first: RunAnswer },
): Promise<Proof | null> {
  // With seed 0 every move goes the other way, so that hardly any decision that depends on one stays the same.
  const scramble = { after: moment, seed: seed % 2 === 0 ? 0 : seed };
  const until = Math.min(base.spec.to, moment + 1);
  const other = await run({ ...base, until, scramble, prefixesAt: [moment] });
  if (other.prefixes[0] === prefix) return null;
  const { sentence, at: time } = firstDifference(first, other, moment);
  const when = new Date(moment).toISOString().replace('T', ' ');
  return found('looks ahead', `Looks ahead at ${when}: ${sentence}, but not when the tape continues differently`, time);
}

/**
 * Here every run starts fresh, elsewhere it may not: a strategy that remembers data could trade on it in its next run.
 * A strategy that merely doesn't clear its variables decides differently, too, but not better.
 */
async function learning(base: RunRequest, { source, spec, run }: ProofRequest, first: RunAnswer) {
  const next = await run({ ...base, used: true });
  if (next.result.decisionHash === first.result.decisionHash) return null;
  const fit = lookaheadOf(source, spec, [next.lines.map(lineOf)]);
  if (fit === null) return null;
  // A strategy that merely doesn't clear its variables decides a little differently, and may be just above the
  // threshold.
  const before = fitsOf(source, spec, [first.lines.map(lineOf)]).filter(({ market }) => market === fit.market);
  if (fit.deviations - Math.max(0, ...before.map(({ deviations }) => deviations)) < leastLearned) return null;
  const sentence = 'Not repeatable: in a second run without a fresh start, it trades on what it saw in the first';
  return found('not repeatable', sentence, fit.first);
}

/**
 * Played on the same market at another price level, each price a few ticks off, now up, now down, and all sizes a
 * little larger, a strategy that reads moves gains as before. Only one that recognizes exact or nearest prices, sizes
 * or moves does not. Where the gain may still be chance (not `isSure`), one with its own levels may not, either.
 */
async function recognizing(base: RunRequest, { source, spec, run }: ProofRequest, first: RunAnswer) {
  const sure = lookaheadOf(source, spec, [first.lines.map(lineOf)]);
  const own = sure ?? fitsOf(source, spec, [first.lines.map(lineOf)]).sort((a, b) => b.deviations - a.deviations)[0];
  if (own === undefined || own.deviations < leastIfIdle) return null;
  const changes = positionChanges(first.lines.map(lineOf));
  let [kept, left] = [0, 0];
  for (let wander = 1; wander <= wanders; wander += 1) {
    const { lines } = await run({ ...base, wander });
    const fits = fitsOf(source, spec, [lines.map(lineOf)]).filter(({ market }) => market === own.market);
    left += positionChanges(lines.map(lineOf)) / wanders;
    kept += Math.max(0, ...fits.map(({ deviations }) => deviations)) / wanders;
  }
  if (kept >= leastKept * own.deviations) return null;
  if (own.deviations < leastRecognized && left > idleShare * changes) return null;
  return {
    isSure: sure !== null,
    sentence: `its positions gain on this ${nameOf(spec)}, but not at another price level, with prices a few ticks off and sizes a few lots larger`,
    at: own.first,
  };
}

/**
 * At the same price level, with each price and size a little off: a strategy that reads the market takes nearly the
 * same positions, no matter what they gain, and one that looks up exact prices or moves takes others.
 */
async function exacting(base: RunRequest, { run }: ProofRequest, first: RunAnswer): Promise<Proof | null> {
  const known = first.lines.map(lineOf);
  const { from, to } = base.spec;
  // Noise takes long, and the first positions show enough.
  const until = known.filter(({ content }) => 'fill' in content)[comparedFills]?.time ?? to;
  const { lines } = await run({ ...base, wander: noiseOnly, until });
  if (similarity({ from, to: until }, known, lines.map(lineOf)) >= leastAlike) return null;
  const sentence = 'Depends on exact prices: with each price a few ticks off, it takes other positions, or none';
  return found('depends on prices', sentence, null);
}

/**
 * The same market some days later and a little slower, and the run begins later on it: a strategy that reads the market
 * gains as before, and one that looks up what comes next by time, or by the time since the start, does not. Nor does a
 * strategy whose edge is in its trading hours, so this is a warning.
 */
async function dating(base: RunRequest, { source, spec, run }: ProofRequest, first: RunAnswer): Promise<Proof | null> {
  const own = lookaheadOf(source, spec, [first.lines.map(lineOf)]);
  if (own === null) return null;
  const skipped = Math.floor((spec.to - spec.from) / skippedPart / 1_000) * 1_000 + 777;
  const later: Later = { byMs: laterBy + skipped, from: spec.from, stretch };
  const [begin, to] = [laterAt(later, spec.from), laterAt(later, spec.to)];
  const { lines } = await run({ ...base, spec: { ...spec, from: begin + skipped, to }, later });
  const fits = fitsOf(laterSource(source, later), { from: begin, to }, [lines.map(lineOf)]);
  if (fits.some(({ isBest, deviations }) => isBest && deviations >= noFit)) return null;
  const sentence = `Depends on absolute times: its positions gain on this ${nameOf(spec)}, but not if the same market comes 7 days and ${Math.round(skipped / 1_000)} seconds later and 3% more slowly`;
  return found('depends on times', sentence, own.first);
}

/**
 * Other markets are those of other seeds, or the tape scrambled from the start: once so, and once the other way around.
 * Large moves come at the same times there, so a strategy that only follows them, or goes against them, would fit the
 * tape by chance.
 */
async function blindfolded(base: RunRequest, request: ProofRequest) {
  const fit = await blindFit(base, request, 1);
  if (fit === null || (await blindFit(base, request, 1 + blindfolds)) === null) return null;
  const sentence = `while it is shown other markets, it still takes the positions that gain on this ${nameOf(request.spec)}`;
  return { sentence, at: fit.first };
}

async function blindFit(base: RunRequest, { source, spec, run }: ProofRequest, firstSeed: number) {
  const decided: Line[][] = [];
  for (let seed = firstSeed; seed < firstSeed + blindfolds; seed += 1) {
    const pair = 1_000 + Math.ceil(seed / 2);
    const other: Partial<RunRequest> =
      spec.source.kind === 'tape'
        ? { scramble: { after: spec.from, seed: seed % 2 === 0 ? -pair : pair } }
        : { spec: { ...spec, source: { kind: 'synthetic', seed: spec.source.seed + seed * 1_000_003 } } };
    const { lines } = await run({ ...base, ...other });
    decided.push(lines.map(lineOf));
  }
  return lookaheadOf(source, spec, decided);
}

/** Half of the moments are decision times, where looking ahead shows best. */
function momentsOf({ from, to, seed }: TrialSpec, lines: readonly Line[], count: number): number[] {
  const decisions = lines.flatMap(({ time, content }) => ('asked' in content && time < to ? [time] : []));
  let hash = keyOf(seed, 'lab', 'moments');
  const draw = () => {
    hash = nextHash(hash);
    return fraction(hash);
  };
  const drawn = Array.from({ length: count }, (_, at) =>
    at % 2 === 0 && decisions.length > 0
      ? decisions[Math.floor(draw() * decisions.length)]!
      : from + Math.floor(draw() * (to - from)),
  );
  return drawn.sort((one, other) => one - other);
}

function clean(spec: TrialSpec, moments: number): Proof {
  const ways = [
    'run again',
    'run without a fresh start',
    ...(spec.source.kind === 'tape'
      ? [`with the tape scrambled after each of ${moments} moments`, "with its text compared with the tape's prices"]
      : []),
    'at other price levels with noise',
    'with each price a few ticks off',
    'on other markets',
    'at another time',
  ];
  const sentence = `These ${ways.length} tests found nothing: ${ways.join(', ')}. That does not prove that it knows nothing of the ${nameOf(spec)}.`;
  return { status: 'clean', sentence, at: null, moments };
}

function tooFew(spec: TrialSpec, changes: number): Proof {
  const times = changes === 1 ? 'once' : `${changes} times`;
  const did =
    changes === 0 ? 'never had a position' : `opened, closed, turned, enlarged or reduced its position ${times}`;
  const sentence = `Too few positions to judge: nothing was found, but it ${did}, and fewer than ${leastChanges} times do not show whether it knows the ${nameOf(spec)}`;
  return found('too few positions', sentence, null);
}

function nameOf({ source }: TrialSpec): string {
  return source.kind === 'tape' ? 'tape' : 'market';
}

function found(status: ProofStatus, sentence: string, at: number | null): Proof {
  return { status, sentence: `${sentence}.`, at, moments: 0 };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
