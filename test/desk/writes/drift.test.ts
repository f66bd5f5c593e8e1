import assert from 'node:assert/strict';
import { sizedQuote } from '../../../src/desk/resolve/quote.ts';
import { SessionMemory } from '../../../src/desk/session/memory.ts';
import type { Session } from '../../../src/desk/session/session.ts';
import { driftOf } from '../../../src/desk/writes/drift.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { test, trial } from '../../tiers.ts';

/** A desk whose market moves only when it is told to, with a position in DOGE. */
async function stillDesk(): Promise<Desk> {
  const desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  await desk.json('order', 'place', 'DOGE', 'buy', '20000');
  return desk;
}

/** Lets hours pass while the first question is open. */
function movingOnce(desk: Desk): () => Promise<unknown> {
  let asked = 0;
  return async () => (asked++ === 0 ? desk.json('sim', 'advance', '6h') : undefined);
}

trial('when the book has moved while the question was open, the fill is shown again before it is sent', async () => {
  using desk = await stillDesk();
  for (const command of [
    ['order', 'place', 'DOGE', 'buy', '10000'],
    ['order', 'place', 'DOGE', 'buy', '10000', '--limit-price', '5', '--cross-ok'],
    ['positions', 'close', 'DOGE', '--size', '10000'],
    ['reverse', 'DOGE'],
  ]) {
    desk.questions.length = 0;
    const terminal = { terminal: true, answer: true, meanwhile: movingOnce(desk) };
    const { exit, out, err } = await desk.perp(command, terminal);
    assert.equal(exit, 0, err);
    assert.equal(desk.questions.length, 2, command.join(' '));
    const moved = /would now fill at ([\d.]+) instead of ([\d.]+) \([+-][\d.]+ bps\)/.exec(err);
    assert.ok(moved !== null, err);
    assert.ok(err.lastIndexOf('fills at') > err.indexOf(moved[0]), 'the preview is shown again');
    assert.ok(out.includes(`at ${moved[1]}`), `${moved[1]}: ${out}`);
  }
});

test('an answer at once, a resting limit and --yes are not asked again', async () => {
  using desk = await stillDesk();
  const ask = async (command: string[], terminal: object) => {
    desk.questions.length = 0;
    const { exit, err } = await desk.perp(command, { terminal: true, answer: true, ...terminal });
    assert.equal(exit, 0, err);
    assert.doesNotMatch(err, /has moved/);
    return desk.questions.length;
  };
  assert.equal(await ask(['order', 'place', 'DOGE', 'buy', '10000'], {}), 1);
  const limit = ['order', 'place', 'DOGE', 'buy', '10000', '--limit-price', '0.01'];
  assert.equal(await ask(limit, { meanwhile: movingOnce(desk) }), 1);
  assert.equal(await ask(['order', 'place', 'DOGE', 'buy', '10000', '--yes'], {}), 0);
});

test('a price that can’t be compared is noted without the sentence of the failure that follows', async () => {
  const taker = { market_id: 'binance|BTCUSDT', account_id: 'acc_1', side: 'buy', size: 1 } as const;
  const notes: string[] = [];
  let isLost = false;
  const session = {
    settings: { environment: 'sim' },
    memory: new SessionMemory({ isHost: false }),
    signal: new AbortController().signal,
    note: (text: string) => notes.push(text),
    call: async () => {
      if (isLost) throw new Error('The simulation is gone.');
      return { data: { fillable: true, estimated_fill_price: 100 } };
    },
  } as unknown as Session;
  await sizedQuote(session, taker);
  isLost = true;
  assert.equal(await driftOf(session, taker), undefined);
  assert.deepEqual(notes, ["The price can't be compared with the preview."]);
});
