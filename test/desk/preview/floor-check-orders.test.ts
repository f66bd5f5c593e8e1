import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import type { Estimated } from '../../../src/desk/preview/judged.ts';
import { breachOf } from '../../../src/desk/preview/judged.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { it, trial } from '../../tiers.ts';

/** A desk whose market does not move, and its price. */
async function stillDesk(): Promise<{ desk: Desk; at: (share: number) => string }> {
  const desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  const { mid } = await desk.json('quote', 'BTC');
  return { desk, at: (share) => String(Math.round(mid * share)) };
}

/** Entries that lose about 980 of 3,000 USD each at a stop 2% away. */
const sizeAt = (at: (share: number) => string) => (49_000 / Number(at(1))).toFixed(3);
const terms = ['--leverage', '8', '--json'] as const;

describe('working entries of the same market and side', () => {
  trial('count in the worst case of a new one, each at its own price and stop', async () => {
    const { desk, at } = await stillDesk();
    using _ = desk;
    const size = sizeAt(at);
    const resting = [
      'order',
      'place',
      'BTC',
      'buy',
      size,
      '--limit-price',
      at(0.99),
      '--stop-loss',
      at(0.97),
      ...terms,
    ];
    const ids = [(await desk.json(...resting)).id, (await desk.json(...resting)).id];
    const third = [...resting.slice(0, 4), String(Number(size) * 2), ...resting.slice(5)];
    const refused = await desk.perp(third);
    assert.equal(refused.error?.code, 'worst_case_breach', refused.out);
    const { details, message } = refused.error;
    assert.deepEqual(details.orders_beside.toSorted(), ids);
    assert.match(message, /with 2 working orders that fill on the way/);
    assert.ok(details.largest_size > 0 && details.largest_size < 2 * Number(size), JSON.stringify(details));
    const most = await desk.perp([...resting.slice(0, 4), String(details.largest_size), ...resting.slice(5)]);
    assert.equal(most.exit, 0, most.err);
  });

  it('are named, not the book, if one without a stop ends the account beyond the stop of a new one', async () => {
    const { desk, at } = await stillDesk();
    using _ = desk;
    const entry = ['order', 'place', 'BTC', 'buy', (90_000 / Number(at(1))).toFixed(3), '--limit-price', at(0.99)];
    const { id } = await desk.json(...entry, '--force');
    const refused = await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--stop-loss', '3%', '--json']);
    assert.equal(refused.error?.code, 'worst_case_breach', refused.out);
    assert.match(
      refused.error.message,
      /^Beyond its stop .* would breach .* with 1 working order that fills on the way/,
    );
    assert.deepEqual(refused.error.details.orders_beside, [id]);
    assert.match(refused.error.message, /No size fits: one lot of BTC would exceed the room of/);
    assert.equal(refused.error.details.largest_size, 0);
    assert.equal(refused.error.hint, 'Cancel the orders that fill on the way, or add --force to go ahead anyway.');
  });

  it('are not named if it is the displayed book that can’t take all of the position at the stop', () => {
    const entry = { id: 'ord_1', market_id: 'BTC', reduce_only: false } as Order;
    for (const [working, fillable, words] of [
      [[], false, /^The displayed book of BTC can't take the whole position at its stop 95/],
      [[entry], false, /^The displayed book of BTC can't take/],
      [[entry], true, /^Beyond its stop 95, .* with 1 working order that fills on the way/],
      [[{ ...entry, reduce_only: true }], true, /^The displayed book/],
      [[{ ...entry, market_id: 'ETH' }], true, /^The displayed book/],
    ] as const) {
      const seen = {
        order: { stop_loss_price: 95 },
        market: { market_id: 'BTC', symbol: 'BTC' },
        floor: { name: 'maximum drawdown', at: 9_000, room: 1_000 },
        end: { by: 'floor', price: 90 },
        atRisk: 0,
        atStops: 0,
        exitQuote: { fillable },
        working,
      } as unknown as Estimated;
      assert.match(breachOf(seen)!.text, words);
    }
  });

  it('lend their stop to the sentence only under its own name', () => {
    for (const [price, words] of [
      [95, /at its stop 95, with 1 working order that fills on the way,/],
      [93, /at the last stop on the way, 93, with 1 working order/],
    ] as const) {
      const seen = {
        order: { stop_loss_price: 95 },
        floor: { name: 'maximum drawdown', at: 9_000, room: 1_000 },
        worst: { at: 'stop', price, loss: 1_100, beside: ['ord_1'] },
        atRisk: 0,
        positions: [],
        gap: { from: 'none' },
      } as unknown as Estimated;
      assert.match(breachOf(seen)!.text, words);
    }
  });

  trial('count with what a TWAP of the same side has not sent yet, in scripts, batches and max', async () => {
    const { desk } = await stillDesk();
    using _ = desk;
    const place = (size: string) => ['order', 'place', 'BTC', 'buy', size, '--stop-loss', '2%', '--leverage', '8'];
    const before = Number((await desk.json(...place('max'), '--dry-run')).body.size);
    const rest = Number((0.75 * before).toFixed(3));
    await desk.json('twap', 'place', 'BTC', 'buy', String(rest), '--duration', '1h', '--leverage', '8', '--force');
    const half = (before / 2).toFixed(3);
    const refused = await desk.perp([...place(half), '--json']);
    assert.equal(refused.error?.code, 'worst_case_breach', refused.out);
    assert.match(refused.error.message, /with the rest of 1 TWAP that fills on the way/);
    const lines = join(desk.folder, 'lines');
    writeFileSync(lines, `${place(half).join(' ')}\n`);
    const batch = await desk.perp(['batch', lines]);
    assert.match(batch.out, /worst_case_breach/, batch.err);
    const { largest_size } = refused.error.details;
    assert.equal(Number((await desk.json(...place('max'), '--dry-run')).body.size), largest_size);
    assert.ok(largest_size > 0.15 * before && largest_size < 0.3 * before, `${largest_size} of ${before}`);
    assert.equal((await desk.perp([...place(String(largest_size)), '--json'])).exit, 0);
  });

  trial('don’t count for other sides and markets, or for reductions', async () => {
    const { desk, at } = await stillDesk();
    using _ = desk;
    const size = (2.5 * Number(sizeAt(at))).toFixed(3);
    const place = (side: string, limit: string, stop: string) =>
      desk.perp(['order', 'place', 'BTC', side, size, '--limit-price', limit, '--stop-loss', stop, ...terms]);
    assert.equal((await place('buy', at(0.99), at(0.97))).exit, 0);
    assert.equal((await place('sell', at(1.01), at(1.03))).exit, 0);
    assert.equal((await place('buy', at(0.99), at(0.97))).error.code, 'worst_case_breach');
    const { mid } = await desk.json('quote', 'ETH');
    const eth = (122_500 / mid).toFixed(3);
    const other = await desk.perp(['order', 'place', 'ETH', 'buy', eth, '--stop-loss', '2%', ...terms]);
    assert.equal(other.exit, 0, other.err);
  });
});

describe('a change of a working entry is compared with the floors', () => {
  trial('when it grows, and the entry itself counts once', async () => {
    const { desk, at } = await stillDesk();
    using _ = desk;
    const size = sizeAt(at);
    const { id } = await desk.json(
      ...['order', 'place', 'BTC', 'buy', size, '--limit-price', at(0.99), '--stop-loss', at(0.97), ...terms],
    );
    const amend = (share: number, ...more: string[]) =>
      desk.perp(['order', 'amend', id, '--price', at(0.99), '--size', (share * Number(size)).toFixed(3), ...more]);
    assert.equal((await amend(2)).exit, 0);
    const refused = await amend(4, '--json');
    assert.deepEqual([refused.exit, refused.error.code], [5, 'worst_case_breach']);
    assert.equal((await desk.json('order', 'show', id)).size, Number((2 * Number(size)).toFixed(3)));
    assert.equal((await amend(4, '--force')).exit, 0);
    assert.equal((await amend(3.5)).exit, 0, 'smaller than it is');
  });

  it('without a stop, too, where it counts once', async () => {
    const { desk, at } = await stillDesk();
    using _ = desk;
    const size = (30_000 / Number(at(1))).toFixed(3);
    const placed = await desk.perp(['order', 'place', 'BTC', 'buy', size, '--limit-price', at(0.98), ...terms]);
    const twice = String(2 * Number(size));
    const grown = await desk.perp(['order', 'amend', placed.json.id, '--price', at(0.98), '--size', twice]);
    for (const [{ err }, all] of [
      [placed, Number(size)],
      [grown, 2 * Number(size)],
    ] as const) {
      const [, breach] = err.match(/No --stop-loss: BTC would touch .* away, at ([\d.]+) /) ?? assert.fail(err);
      const expected = Number(at(0.98)) - 3_000 / all;
      assert.ok(Math.abs(Number(breach) / expected - 1) < 0.003, `${breach}, not ${expected}`);
    }
  });

  trial('when its price moves away from its stop, or its stop away from its price', async () => {
    const { desk, at } = await stillDesk();
    using _ = desk;
    const size = sizeAt(at);
    const { id } = await desk.json(
      ...['order', 'place', 'BTC', 'buy', size, '--limit-price', at(0.95), '--stop-loss', at(0.92), ...terms],
    );
    const away = await desk.perp(['order', 'amend', id, '--price', at(0.99), '--json']);
    assert.equal(away.error?.code, 'worst_case_breach', away.err);
    assert.equal((await desk.perp(['order', 'amend', id, '--price', at(0.94)])).exit, 0);
    const wide = await desk.perp(['order', 'exits', id, '--stop-loss', at(0.85), '--json']);
    assert.equal(wide.error?.code, 'worst_case_breach', wide.err);
    const asked = await desk.perp(['order', 'exits', id, '--stop-loss', at(0.85)], { terminal: true, answer: true });
    assert.equal(asked.exit, 5);
    assert.deepEqual(desk.questions, [], 'refused before it asks');
    assert.equal((await desk.perp(['order', 'exits', id, '--stop-loss', at(0.93)])).exit, 0);
    const without = await desk.perp(['order', 'exits', id, '--stop-loss', 'none']);
    assert.match(without.err, /No --stop-loss: BTC would touch/);
  });
});

it('perp reverse is compared with the floors in a script', async () => {
  const { desk, at } = await stillDesk();
  using _ = desk;
  await desk.json('order', 'place', 'BTC', 'buy', sizeAt(at), '--leverage', '8', '--force');
  const refused = await desk.perp(['reverse', 'BTC', '--stop-loss', '9%', '--json']);
  assert.deepEqual([refused.exit, refused.error?.code], [5, 'worst_case_breach']);
  assert.equal((await desk.json('positions'))[0].side, 'long');
  assert.equal((await desk.perp(['reverse', 'BTC', '--stop-loss', '2%'])).exit, 0);
});

it('a batch subtracts what its own orders have used since it read the account', async () => {
  const { desk, at } = await stillDesk();
  using _ = desk;
  const size = sizeAt(at);
  const lines = [
    `order place BTC buy ${size} --leverage 8 --force`,
    `order place BTC sell ${size} --reduce-only`,
    `order place BTC buy ${size} --leverage 8 --far-stop --stop-loss ${at(0.5)}`,
  ];
  const file = join(desk.folder, 'orders.txt');
  writeFileSync(file, `order place BTC buy 0.001 --leverage 8 --limit-price ${at(0.9)}\n${lines.join('\n')}\n`);
  const run = await desk.perp(['batch', file]);
  const last = JSON.parse(run.out.trim().split('\n').at(-1)!);
  const { max_drawdown_room: room } = (await desk.json('accounts', 'show')).risk;
  assert.ok(room < 2_995, 'two commissions are paid');
  assert.deepEqual([last.error?.code, last.error?.details.room], ['worst_case_breach', room]);
});

it('on a terminal, new exits of a resting entry are shown with gain, loss and R before the question', async () => {
  const { desk, at } = await stillDesk();
  using _ = desk;
  const limit = ['--limit-price', at(0.99), '--stop-loss', at(0.97), '--take-profit', at(1.03)];
  const { id } = await desk.json('order', 'place', 'BTC', 'buy', '0.01', ...limit);
  const run = await desk.perp(['order', 'exits', id, '--stop-loss', at(0.98)], { terminal: true, answer: false });
  assert.equal(run.exit, 130, run.err);
  assert.match(
    run.err,
    new RegExp(`take-profit +0\\.01 +${at(1.03)} .*R\\n *stop-loss +0\\.01 +${at(0.98)} .*-1\\.00R`),
  );
});
