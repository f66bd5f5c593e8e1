import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WireRequest, WireResponse } from '../../../src/wire/contract/wire.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { seed } from '../../seed.ts';
import { GateWorld } from './gate-world.ts';

const wanted = 50;

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
const bodyOf = ({ body }: WireResponse): any => body;

test('the size that a refusal allows is accepted when it is sent, whatever the account holds', async (t) => {
  let accepted = 0;
  const terms: string[] = [];
  for (let draw = 0; accepted < wanted; draw += 1) {
    const chance = new Chance(seed * 1_000_003 + draw);
    const world = await GateWorld.open(t, { accounts: 1 });
    // Each term in turn is the one that binds first.
    const binds = draw % 3;
    const stopWithin = binds === 2 ? 0.03 : chance.pick([undefined, 0.03]);
    world.mandates.set('grid', {
      ...world.allowing(undefined, { largestLeverage: 5 }),
      ...(binds === 0 && { largestOrderUsd: chance.between(300, 3_000) }),
      ...(binds < 2 && { largestPositionUsd: chance.between(1_000, 9_000) }),
      ...(stopWithin !== undefined && { stopWithin, roomLeftUsd: chance.between(2_800, 2_950) }),
    });
    const gate = await world.gate();
    let sent = 0;
    const place = (request: Record<string, unknown>) => {
      sent += 1;
      return gate.handle('grid', world.order(request, `key-${sent}`));
    };
    for (let step = 0; step < 12; step += 1) {
      const symbol = chance.pick(['BTC', 'ETH']);
      const market_id = world.market(symbol);
      const quote = bodyOf(await world.direct({ target: `/v1/markets/${encodeURIComponent(market_id)}/quote` })).data;
      const side = chance.pick(['buy', 'sell'] as const);
      const down = side === 'buy' ? -1 : 1;
      const rounded = (price: number) => Number(price.toFixed(1));
      const limit_price = rounded(quote.mid * (1 + down * 0.005));
      const isLimit = chance.chance(0.5);
      const request = {
        ...{ market_id, side, leverage: 2, size: 5 },
        ...(isLimit && { type: 'limit', limit_price }),
        ...(stopWithin !== undefined && {
          stop_loss_price: rounded((isLimit ? limit_price : quote.mid) * (1 + down * 0.015)),
          replace_overlapping_exits: true,
        }),
      };
      const refusal = await place(request);
      const { error } = bodyOf(refusal);
      const size = error?.rule_id?.startsWith('mandate-') === true ? error.details.allowed_size : undefined;
      if (size === 0) {
        const market = world.markets.find((one) => one.market_id === market_id)!;
        const answer = await place({ ...request, size: 10 ** -market.size_decimals });
        assert.equal(answer.status, 422, `draw ${draw}, seed ${seed}: ${error.message} allowed one lot`);
      } else if (size !== undefined) {
        const answer = await place({ ...request, size });
        assert.equal(answer.status, 201, `draw ${draw}, seed ${seed}: ${error.message} ${JSON.stringify(answer.body)}`);
        accepted += 1;
        terms.push(error.rule_id);
      }
      await world.advance(chance.between(500, 20_000));
    }
  }
  const met = new Set(terms);
  t.diagnostic(`${accepted} accepted, refused first by ${[...met].join(', ')}`);
  assert.ok(met.size >= 3);
});

test('a cursor of another bot leads to nothing of it', async (t) => {
  const world = await GateWorld.open(t);
  const [one, other] = world.accounts as [string, string];
  world.mandates.set('grid', world.allowing([one]));
  world.mandates.set('spy', world.allowing([other]));
  const gate = await world.gate();
  for (let number = 0; number < 3; number += 1)
    assert.equal((await gate.handle('grid', world.order({}, `key-${number}`))).status, 201);
  const get = (bot: string, target: string) =>
    gate.handle(bot, { method: 'GET', target, headers: {} } satisfies WireRequest);
  for (const list of ['/v1/orders', '/v1/fills']) {
    const page = bodyOf(await get('grid', `${list}?account_id=${one}&limit=1`));
    const cursor = encodeURIComponent(page.next_cursor ?? page.pagination?.next_cursor ?? page.meta?.next_cursor);
    assert.notEqual(cursor, 'undefined', JSON.stringify(page));
    for (const search of [
      `account_id=${other}&cursor=${cursor}`,
      `cursor=${cursor}`,
      `account_id=${one}&cursor=${cursor}`,
    ]) {
      const answer = await get('spy', `${list}?limit=1&${search}`);
      const rows = answer.status === 200 ? bodyOf(answer).data : [];
      assert.deepEqual(rows, [], `${list} ${search}`);
    }
    assert.equal(bodyOf(await get('grid', `${list}?account_id=${one}&limit=1&cursor=${cursor}`)).data.length, 1);
  }
});
