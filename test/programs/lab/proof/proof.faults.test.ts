import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  compiledFile,
  compiledRecording,
  type Recording,
} from '../../../../src/exchange/markets/recorded/recorded-source.ts';
import { type Proof, prove } from '../../../../src/programs/lab/proof/proof.ts';
import type { TrialSpec } from '../../../../src/programs/lab/trial.ts';
import { Pool } from '../../../../src/programs/lab/workers/pool.ts';
import { cleanBy, cleanKinds, otherKinds, plantedBy, pricedKinds, toldKinds } from './drawn-strategies.ts';
import { clean, type Files, type Future, planted } from './strategies.ts';

const fixture = join(import.meta.dirname, '../../../fixtures/binance-usdm-btcusdt-345s.jsonl.gz');

let folder: string;
let pool: Pool;
let tape: Recording;
let future: Future;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'perp-proof-'));
  const fd = openSync(await compiledFile(fixture, folder), 'r');
  tape = compiledRecording(fd);
  pool = new Pool({ timeoutMs: 60_000, memoryMb: 256, tapes: new Map([[tape.fingerprint, fd]]) });
  const from = Math.ceil(tape.firstTime / 1000) * 1000 + 20_000;
  const times = Array.from({ length: 300 }, (_, second) => from + 1000 * second);
  future = { from, mids: times.map(midAt), touches: times.map(touchAt), closes: times.map(closeAt) };
});

after(() => {
  pool.close();
  rmSync(folder, { recursive: true, force: true });
});

function midAt(time: number): number {
  const { marketId, priceDecimals } = tape.definitions[0]!;
  const { bids, asks } = tape.source.book(marketId, time)!;
  return (bids[0]! + asks[0]!) / 2 / 10 ** priceDecimals;
}

/** The price of the last trade before a time. */
function closeAt(time: number): number {
  const { marketId, priceDecimals } = tape.definitions[0]!;
  return tape.source.bars(marketId, '1s', time - 1_000, 1, time - 1)[0]!.close! / 10 ** priceDecimals;
}

function touchAt(time: number): string {
  const { marketId, sizeDecimals } = tape.definitions[0]!;
  const { bids, asks } = tape.source.book(marketId, time)!;
  return [bids[1]!, asks[1]!].map((lots) => lots / 10 ** sizeDecimals).join('/');
}

let written = 0;

/** Writes the files of a strategy, and proves its trial. */
async function proofOf(files: Files): Promise<Proof> {
  written += 1;
  const own = join(folder, `${written}`);
  mkdirSync(own);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(own, name), text);
  const opened = await pool.open(join(own, Object.keys(files)[0]!));
  const spec: TrialSpec = {
    strategy: 's.ts',
    strategyHash: opened.hash,
    parameters: { ...opened.parameters },
    source: { kind: 'tape', name: fixture, fingerprint: tape.fingerprint },
    from: future.from,
    to: future.from + 300_000,
    plan: 'select',
    balance: 100_000,
    seed: 1,
    think: 0,
    sampleMs: 1000,
    fold: null,
    versions: { rules: 1, catalog: 1, prices: 1 },
  };
  const { result } = await pool.answer({ spec });
  return prove({
    spec,
    source: tape.source,
    texts: opened.modules,
    decisionHash: result.status === 'done' ? result.decisionHash : null,
    thinks: null,
    run: (request) => pool.answer(request),
  });
}

/** What says that a strategy knows what it can't know, or may. */
const isFound: ReadonlySet<Proof['status']> = new Set([
  'looks ahead',
  'not repeatable',
  'knows the tape',
  'depends on times',
  'depends on prices',
  'refused',
]);

/** All of them take minutes. */
const some = process.env.PERP_LONG === undefined;
const namesOf = (all: (future: Future) => Record<string, Files>, few: readonly string[]) =>
  some ? few : Object.keys(all({ from: 0, mids: [1, 2], touches: [], closes: [] }));

describe('a strategy that knows what it cannot know is found', () => {
  const few = [
    'asks a server',
    'imports prices',
    'knows when to turn',
    'recognizes each quote by a hash',
    'recognizes the sizes of each book',
    'recognizes the last three moves by a hash',
    'is always long, and knows when to be more so',
    'bids or offers, as it knows',
    'follows its directions once it has recognized the tape',
    'has prices in cents',
    'has encoded prices by time',
    'has encoded prices by the time since its start',
    'learns in one run and uses it in the next, in a global',
  ];
  for (const name of namesOf(planted, few))
    it(name, async () => {
      const { status, sentence } = await proofOf(planted(future)[name]!);
      assert.ok(!['clean', 'failed'].includes(status), sentence);
      if (name.startsWith('recognizes')) assert.equal(status, 'knows the tape', sentence);
      assert.match(
        sentence,
        /^(This strategy|Looks ahead|Not repeatable|Knows the tape|Depends on absolute times).*\.$/,
      );
    });
});

describe('a strategy that knows only what it is shown is not accused', () => {
  const rarelyTurn = ['buys and holds', 'buys a little every ten seconds', 'keeps a grid'];
  for (const name of namesOf(clean, [
    'follows an average',
    'imports the prices of another day',
    'trades by the clock',
    'makes a market at the best prices',
    'buys and holds',
  ]))
    it(name, async () => {
      const { status, sentence } = await proofOf(clean(future)[name]!);
      assert.equal(status, rarelyTurn.includes(name) ? 'too few positions' : 'clean', sentence);
    });
});

describe('drawn strategies', () => {
  /** How many of each kind: together 60 with a table that is keyed by prices, and 60 clean ones. */
  const drawn = some ? 1 : 12;

  it('with tables that are keyed by prices are found, by the nearest or a rounded price, too', async (t) => {
    const missed: string[] = [];
    for (const kind of pricedKinds)
      for (let seed = 0; seed < drawn; seed += 1) {
        const { status } = await proofOf(plantedBy(kind, seed, future));
        if (!isFound.has(status)) missed.push(`${kind} ${seed}: ${status}`);
      }
    t.diagnostic(`missed: ${missed.join('; ') || 'none'}`);
    assert.ok(missed.length <= (some ? 0 : 5), missed.join('\n'));
  });

  it('with tables that are keyed by candles, trades or marks are found', async () => {
    for (const kind of some ? toldKinds.slice(0, 1) : toldKinds)
      for (let seed = 0; seed < (some ? 1 : 3); seed += 1) {
        const { status, sentence } = await proofOf(plantedBy(kind, seed, future));
        assert.equal(status, 'knows the tape', `${kind} ${seed}: ${sentence}`);
      }
  });

  it('with tables of times, moves and sizes are found', async () => {
    for (const kind of some ? otherKinds.slice(0, 1) : otherKinds) {
      const { status, sentence } = await proofOf(plantedBy(kind, 0, future));
      assert.ok(isFound.has(status), `${kind}: ${sentence}`);
    }
  });

  it('that know only what they are shown are not accused, whatever their modules remember', async (t) => {
    const accused: string[] = [];
    for (const kind of some ? cleanKinds.slice(0, 3) : cleanKinds)
      for (let seed = 0; seed < drawn / 2; seed += 1) {
        const { status, sentence } = await proofOf(cleanBy(kind, seed, future));
        if (isFound.has(status)) accused.push(`${kind} ${seed}: ${sentence}`);
      }
    t.diagnostic(`accused: ${accused.join('; ') || 'none'}`);
    assert.ok(accused.length <= (some ? 0 : 2), accused.join('\n'));
  });
});
