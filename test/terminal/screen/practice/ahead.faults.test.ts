import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../../../seed.ts';
import { Desk } from '../../cli/practice.ts';
import { numbers, writeDrawnTape } from './drawn-tape.ts';

const rounds = process.env.PERP_LONG ? 300 : 5;
const start = Date.UTC(2023, 4, 30, 14, 30);

/** What may be done at any time; `$` is the market. */
const acts = [
  ...[
    'order place $ buy 0.02 --stop-loss 1%',
    'order place $ sell 0.03',
    'order place $ buy risk:0.1% --stop-loss 0.5%',
  ],
  ...[
    'order place $ buy 0.01 --limit-price bid',
    'order place $ sell 0.01 --limit-price ask+2bps',
    'quote $ --side buy --size 1',
  ],
  ...['scaled place $ buy 0.05 --from mark-1% --to mark-2% --rungs 3', 'twap place $ buy 0.05 --duration 5m'],
  ...[
    'order place $ buy max --dry-run',
    'positions',
    'order list',
    'fills',
    'accounts show',
    'markets show $',
    'status',
  ],
  ...[
    'positions close $ --size 50%',
    'stop $ 2%',
    'target $ 1%',
    'reverse $',
    'flatten',
    'cancel-all',
    'bookmark here',
    'back here',
  ],
  ...['back start', 'step', 'step 4', 'twap list', 'scaled list'],
];

test(`nothing that is printed lies ahead of the clock, over ${rounds} random practices (seed ${seed})`, async () => {
  using desk = new Desk();
  const draw = numbers(seed * 1_009);
  for (let round = 0; round < rounds; round++) {
    const isBlind = draw(2) === 0;
    const market = isBlind ? 'MKT' : 'QXZ';
    const otherFrom = 40 + draw(60);
    // Never as far as the moment from which on the two markets differ.
    const lines: string[] = [];
    for (let left = otherFrom * 1_000 - 15_000; left > 0; ) {
      const passing = 100 + draw(8_000);
      left -= passing;
      if (left > 0) lines.push(`go ${passing}ms`);
      lines.push(acts[draw(acts.length)]!.replace('$', market));
    }
    const said: string[] = [];
    for (const later of [{ seconds: 150 }, { seconds: 130 + draw(60), otherFrom }]) {
      const drawing = { symbol: 'QXZ', start, decimals: 1, sizeDecimals: 3, seed: seed + round, ...later };
      const tape = writeDrawnTape(desk.folder, 'day.jsonl', drawing);
      const argv = ['practice', tape, '--plain', '--json', ...(isBlind ? ['--blind'] : [])];
      const run = await desk.perp(argv, { input: `${lines.join('\n')}\n` });
      assert.equal(run.exit, 0, run.err);
      assert.ok(run.json.practice.to < start + otherFrom * 1_000, 'the clock went too far for this test');
      // Ids of requests are drawn.
      said.push(run.err.replaceAll(/request id: \S+/g, ''));
    }
    assert.equal(said[1], said[0], lines.join('\n'));
  }
});
