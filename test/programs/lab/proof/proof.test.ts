import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { MarketSource } from '../../../../src/exchange/engine/source.ts';
import { syntheticSource } from '../../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { noisySource } from '../../../../src/programs/lab/noisy-source.ts';
import { type Proof, prove } from '../../../../src/programs/lab/proof/proof.ts';
import { enoughProofs, proveTrials } from '../../../../src/programs/lab/proof/prove-trials.ts';
import { scrambledSource } from '../../../../src/programs/lab/scrambled-source.ts';
import type { RunAnswer, RunRequest, TrialSpec } from '../../../../src/programs/lab/trial.ts';
import { TrialRecord } from '../../../../src/programs/lab/trial-record.ts';
import type { Bot, Strategy } from '../../../../src/programs/sdk/strategy/define-strategy.ts';
import { EngineRun } from '../../../../src/programs/sdk/strategy/engine-run.ts';
import { it, trial } from '../../../tiers.ts';

/** A market that moves enough in a few seconds; not every seed's does. */
const seed = 2;
const source = syntheticSource({ seed });
const from = Date.UTC(2026, 5, 10, 14);
const spec: TrialSpec = {
  strategy: 's.ts',
  strategyHash: 'a'.repeat(64),
  parameters: {},
  source: { kind: 'tape', name: 'tape', fingerprint: 'f'.repeat(64) },
  from,
  to: from + 16_000,
  plan: 'select',
  balance: 100_000,
  seed: 1,
  think: 0,
  sampleMs: 1000,
  fold: null,
  versions: { rules: 1, catalog: 1, prices: 1 },
};

/** A run without a realm: the strategy can reach what a trial's could not, such as the market itself. */
function runOf(strategyOn: (shown: MarketSource) => Strategy): (request: RunRequest) => Promise<RunAnswer> {
  return async (request) => {
    const { until = request.spec.to, scramble, wander } = request;
    const own = request.spec.source.kind === 'tape' ? source : syntheticSource(request.spec.source);
    const { from, to } = request.spec;
    const moved = wander === undefined ? own : noisySource(own, { from, to, seed: wander });
    const shown = scramble === undefined ? moved : scrambledSource(moved, scramble);
    const record = new TrialRecord(shown, request);
    const run = new EngineRun(strategyOn(shown), { source: shown, start: from, ...record.listeners() });
    record.begin(run);
    run.advance(until);
    run.finish();
    const result = record.end(until, null, null);
    return { result, cpuMs: 0, prefixes: record.prefixes(), lines: record.lines, places: { 'run-1': 's.ts:7' } };
  };
}

const proven = (
  run: (request: RunRequest) => Promise<RunAnswer>,
  decisionHash: string | null = null,
  of: TrialSpec = spec,
): Promise<Proof> => prove({ spec: of, source, texts: [], decisionHash, thinks: null, run });

it('a run in which nothing is asked counts nothing', async () => {
  const { result } = await runOf(() => ({ markets: ['BTC'] }))({ spec });
  assert.deepEqual(result.counts, { decisions: 0, requests: 0, refusals: 0, fills: 0 });
});

function hold(bot: Bot, way: number): void {
  const { size } = bot.position('BTC');
  if (Math.sign(size) !== way)
    bot.place({ market: 'BTC', side: way > 0 ? 'buy' : 'sell', size: size === 0 ? 0.01 : 0.02 });
}

const honest = (): Strategy => {
  let last = 0;
  return {
    markets: ['BTC'],
    every: {
      '1s'(bot) {
        const { mid } = bot.quote('BTC');
        hold(bot, mid! >= last ? 1 : -1);
        last = mid!;
      },
    },
  };
};

describe('a proof', () => {
  trial('finds nothing in an honest strategy, and says what it tried', async () => {
    const { status, sentence, moments } = await proven(runOf(honest));
    assert.deepEqual([status, moments], ['clean', 8], sentence);
    assert.match(
      sentence,
      /^These 8 tests found nothing: run again, .* with the tape scrambled after each of 8 moments, /,
    );
  });

  trial('on a synthetic market finds who knows its path, by time or by its prices', async () => {
    const to = from + 60_000;
    const { marketId } = source.definitions.find(({ symbol }) => symbol === 'BTC')!;
    const midAt = (time: number) => {
      const { bids, asks } = source.book(marketId, time)!;
      return bids[0]! + asks[0]!;
    };
    const ways = Array.from({ length: 60 }, (_, at) =>
      Math.sign(midAt(from + at * 1_000 + 1_000) - midAt(from + at * 1_000)),
    );
    const byPrice = new Map(ways.map((way, at) => [midAt(from + at * 1_000), way]));
    const strategyBy = (known: (bot: Bot) => number | undefined) => (): Strategy => ({
      markets: ['BTC'],
      every: { '1s': (bot) => hold(bot, known(bot) || 1) },
    });
    const digits = 10 ** source.definitions.find(({ symbol }) => symbol === 'BTC')!.priceDecimals;
    const of = { ...spec, to, source: { kind: 'synthetic', seed } as const };
    for (const [known, sentence] of [
      [({ now }: Bot) => ways[(now - from) / 1_000], /^Knows the market: while it is shown other markets/],
      [
        (bot: Bot) => byPrice.get(Math.round(2 * digits * bot.quote('BTC').mid!)),
        /^Knows the market: .* at another price level/,
      ],
    ] as const) {
      const proof = await proven(runOf(strategyBy(known)), null, of);
      assert.equal(proof.status, 'knows the tape', proof.sentence);
      assert.match(proof.sentence, sentence);
    }
    const { status, sentence } = await proven(runOf(honest), null, of);
    assert.deepEqual(
      [status, sentence],
      [
        'clean',
        'These 6 tests found nothing: run again, run without a fresh start, at other price levels with noise, with each price a few ticks off, on other markets, at another time. That does not prove that it knows nothing of the market.',
      ],
    );
  });

  it('finds a look ahead, and names the moment and the order', async () => {
    const peeking = (shown: MarketSource): Strategy => ({
      markets: ['BTC'],
      every: {
        '1s'(bot) {
          const { marketId } = shown.definitions.find(({ symbol }) => symbol === 'BTC')!;
          const mid = (time: number) => {
            const { bids, asks } = shown.book(marketId, time)!;
            return bids[0]! + asks[0]!;
          };
          hold(bot, mid(bot.now + 4_000) >= mid(bot.now) ? 1 : -1);
        },
      },
    });
    const { status, sentence, at } = await proven(runOf(peeking));
    assert.equal(status, 'looks ahead', sentence);
    assert.match(
      sentence,
      /^Looks ahead at 2026-06-10 14:00:\d\d\.\d{3}Z: it (did nothing where, before, it )?placed \{/,
    );
    assert.ok(at! >= from && at! <= spec.to);
  });

  it('finds a strategy that does not decide the same again', async () => {
    let runs = 0;
    const changing = (): Strategy => {
      runs += 1;
      return { markets: ['BTC'], start: (bot) => hold(bot, runs === 2 ? -1 : 1) };
    };
    const { status, sentence } = await proven(runOf(changing));
    assert.equal(status, 'not repeatable');
    assert.match(
      sentence,
      /^Not repeatable: it placed \{.*"side":"buy".* in s\.ts:7 at 2026-06-10 14:00:00\.000Z in one run/,
    );
  });

  it('compares with what the trials file has', async () => {
    const { result } = await runOf(honest)({ spec });
    assert.equal((await proven(runOf(honest), result.decisionHash)).status, 'clean');
    const other = await proven(runOf(honest), '0'.repeat(64));
    assert.deepEqual(
      [other.status, other.sentence],
      ['not repeatable', 'Not repeatable: a second run differs from the trials file.'],
    );
  });

  it('of a trial that fails is none', async () => {
    const failing = async (request: RunRequest): Promise<RunAnswer> => {
      const answer = await runOf(honest)({ ...request, until: from });
      return {
        ...answer,
        result: { ...answer.result, problem: { kind: 'threw', message: 'no such thing', at: from } },
      };
    };
    const { status, sentence } = await proven(failing);
    assert.deepEqual([status, sentence], ['failed', 'No such thing.']);
  });
});

describe('proofs of a trials file', () => {
  it('are three, and more only in a tenth of the time', () => {
    let now = 0;
    const isEnough = enoughProofs(10_000, () => now);
    const enough = [0, 900, 1_100].map((at) => {
      now = at;
      return [2, 3, 19].map(isEnough);
    });
    assert.deepEqual(enough, [
      [false, false, false],
      [false, false, false],
      [false, true, true],
    ]);
  });

  it('are kept, and made again if they could not be made', async () => {
    const facts = new Map<string, unknown>();
    const run = runOf(honest);
    const { result } = await run({ spec });
    const trial = { ...{ id: 't', spec, result }, hash: '', cpuMs: 1 };
    let isLate = true;
    const late = { ...result, problem: { kind: 'timeout', message: 'it took too long', at: null } } as const;
    const proving = {
      file: {
        trials: () => [trial],
        trial: () => trial,
        facts: () => facts,
        setFact: (_: string, name: string, value: unknown) => facts.set(name, value),
        strategy: () => [],
      },
      ...{ strategyHash: spec.strategyHash, sourceOf: () => source, best: 't', count: 1 },
      run: async (request: RunRequest) => (isLate ? { ...(await run(request)), result: late } : await run(request)),
    };
    const statuses = [];
    for (isLate of [true, false, true]) statuses.push((await proveTrials(proving)).map(({ status }) => status));
    assert.deepEqual(statuses, [['failed'], ['clean'], ['clean']]);
  });
});
