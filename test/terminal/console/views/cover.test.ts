import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe } from 'node:test';
import { textOf } from '../../../../src/terminal/console/output/result.ts';
import { breachText } from '../../../../src/terminal/console/views/position-view.ts';
import { issueKey, served } from '../../../service/serving.ts';
import { it, trial } from '../../../tiers.ts';
import { alteringHost } from '../../cli/altering-host.ts';
import { Desk } from '../../cli/practice.ts';

/** A market that does not move, and a long of 0.3 BTC with a stop for all of it. */
async function stoppedDesk(): Promise<{ desk: Desk; stop: number; stopId: string } & Disposable> {
  const desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  const { computed } = await desk.json('order', 'place', 'BTC', 'buy', '0.3', '--stop-loss', '1%');
  const [exit] = computed.exits;
  return { desk, stop: exit.price, stopId: exit.order_id, [Symbol.dispose]: () => desk[Symbol.dispose]() };
}

const add = ['order', 'place', 'BTC', 'buy', '0.3'];
const sizes = async (desk: Desk) => {
  const [{ computed }] = await desk.json('positions');
  return [computed.covered_size, computed.uncovered_size];
};

/** What watch prints, however slow the machine is. */
async function watchedFor(desk: Desk, ...options: string[]): Promise<string> {
  for (let ms = 300; ; ms *= 4) {
    const { out } = await desk.perp(['watch', 'BTC', '--for', `${ms}ms`, ...options]);
    if (out !== '' || ms > 20_000) return out;
  }
}

describe('what ends a position', () => {
  it('is a price with its distance from the mark and the name of the floor; without a mark, no distance is told', () => {
    const floor = { name: 'daily loss', at: 97_000, room: 1_000 } as const;
    assert.equal(textOf(breachText(93_028.8, 96_000, floor)), '93028.8 (-3.1%), daily loss');
    assert.equal(textOf(breachText(93_028.8, undefined, undefined)), '93028.8, floor');
  });
});

describe('how much of a position its stops cover', () => {
  trial('is in positions, as text and as JSON, in its details, in the result and in watch', async () => {
    using world = await stoppedDesk();
    const { desk, stop } = world;
    const added = await desk.perp(add);
    const partly = new RegExp(`${stop} \\(0\\.3 of 0\\.6\\)`);
    assert.match(added.out, new RegExp(`^stop +${partly.source}$`, 'm'));
    assert.match((await desk.perp(['positions'], { terminal: true, columns: 80 })).out, partly);
    assert.match((await desk.perp(['positions', 'show', 'BTC'])).out, partly);
    const [{ computed }] = await desk.json('positions');
    assert.deepEqual([computed.stop_price, computed.covered_size, computed.uncovered_size], [stop, 0.3, 0.3]);
    const watched = await watchedFor(desk, '-o', 'ndjson');
    const [position] = JSON.parse(watched.split('\n')[0]!).positions;
    assert.deepEqual([position.stop_price, position.covered_size, position.uncovered_size], [stop, 0.3, 0.3]);
    assert.match(await watchedFor(desk), partly);
  });

  it('is in the preview, before the order is sent', async () => {
    using world = await stoppedDesk();
    const { err } = await world.desk.perp(add, { terminal: true, answer: false });
    assert.match(err, new RegExp(`^stop +${world.stop} \\(0\\.3 of 0\\.6\\)$`, 'm'));
    const half = await world.desk.perp(['positions', 'close', 'BTC', '--size', '50%'], {
      terminal: true,
      answer: false,
    });
    assert.match(half.err, new RegExp(`^stop +${world.stop}\n[^]*^new position +long 0\\.15 BTC`, 'm'));
    const alone = await world.desk.perp(['order', 'place', 'ETH', 'buy', '1'], { terminal: true, answer: false });
    assert.match(alone.err, /^stop +none$/m);
  });

  trial('is none where nothing stops it, and unknown where the orders can’t be read', async (t) => {
    const serving = await served(t);
    const url = await alteringHost(t, serving.baseUrl, (_, path) =>
      path.startsWith('/v1/orders?') ? { status: 404, body: {} } : undefined,
    );
    const ofHost = { PERP_ENV: 'live', PERP_API_KEY: issueKey(serving), PERP_ACCOUNT: 'acc_000000001' };
    using desk = new Desk();
    const order = ['order', 'place', 'ETH', 'buy', '0.1'];
    const placed = await desk.perp(order, { variables: { ...ofHost, PERP_BASE_URL: serving.baseUrl } });
    assert.match(placed.out, /^stop +none$/m, placed.err);
    const blind = await desk.perp(['positions', '--json'], { variables: { ...ofHost, PERP_BASE_URL: url } });
    assert.equal(blind.json[0].computed.uncovered_size, null);
    assert.match(blind.err, /The exits could not be fetched/);
  });
});

describe('an order that adds to a position', () => {
  trial('says in a script what stays uncovered; the command that it suggests covers all of it', async () => {
    using world = await stoppedDesk();
    const { desk, stop } = world;
    const { err } = await desk.perp(add);
    const [, command] = /0\.3 of long 0\.6 BTC has no stop; perp (stop BTC [\d.]+) makes the stop-loss cover all/.exec(
      err,
    )!;
    assert.equal(command, `stop BTC ${stop}`);
    const grown = await desk.perp(command!.split(' '));
    assert.match(grown.err, /The stop-loss ord_\w+ grew from 0\.3 to 0\.6 BTC\./);
    assert.deepEqual(await sizes(desk), [0.6, 0]);
  });

  it('offers on a terminal to grow the stop', async () => {
    using world = await stoppedDesk();
    const { desk, stop } = world;
    const { exit, err } = await desk.perp(add, { terminal: true, answer: true });
    assert.equal(exit, 0, err);
    assert.match(
      desk.questions.at(-1)!,
      new RegExp(`Grow the stop-loss at ${stop} from 0\\.3 to 0\\.6 BTC on SIM default`),
    );
    assert.deepEqual(await sizes(desk), [0.6, 0]);
  });

  trial('grows the stop under the same command with trade.stops follow, in batches, too', async () => {
    using world = await stoppedDesk();
    const { desk } = world;
    await desk.perp(['config', 'set', 'trade.stops', 'follow']);
    const { json, err } = await desk.perp([...add, '--json']);
    assert.deepEqual([json.computed.covered_size, json.computed.uncovered_size], [0.6, 0], err);
    assert.match(err, /grew from 0\.3 to 0\.6 BTC/);
    const batch = await desk.perp(['batch'], { input: Readable.from([Buffer.from('order place BTC buy 0.1\n')]) });
    assert.equal(batch.exit, 0, batch.err);
    assert.deepEqual(await sizes(desk), [0.7, 0]);
  });

  it('leaves the stop alone with trade.stops off, and does not ask', async () => {
    using world = await stoppedDesk();
    const { desk } = world;
    await desk.perp(['config', 'set', 'trade.stops', 'off']);
    await desk.perp([...add, '--yes'], { terminal: true });
    assert.deepEqual(await sizes(desk), [0.3, 0.3]);
  });
});

describe('with trade.require_stop', () => {
  trial('exposure without a stop is refused with exit 5, also in a script, whatever opens it', async () => {
    using world = await stoppedDesk();
    const { desk } = world;
    await desk.perp(['config', 'set', 'trade.require_stop', 'on']);
    for (const argv of [
      add,
      [...add, '--force'],
      ['order', 'place', 'ETH', 'buy', '1', '--limit-price', '1000'],
      ['order', 'place', 'BTC', 'sell', '0.5'],
      ['reverse', 'BTC'],
      ['twap', 'place', 'ETH', 'buy', '1', '--duration', '30m'],
      ['scaled', 'place', 'ETH', 'buy', '1', '--from', '900', '--to', '1000', '--rungs', '2'],
    ]) {
      const script = await desk.perp([...argv, '--json']);
      assert.deepEqual([script.exit, script.error?.code], [5, 'stop_required'], argv.join(' '));
      assert.equal((await desk.perp(argv, { terminal: true })).exit, 5, argv.join(' '));
    }
    assert.deepEqual(desk.questions, []);
    assert.equal((await desk.json('fills')).length, 1);
  });

  trial('an order with a stop, a reduction, and an addition that the stop follows are sent', async () => {
    using world = await stoppedDesk();
    const { desk } = world;
    await desk.perp(['config', 'set', 'trade.require_stop', 'on']);
    await desk.json('order', 'place', 'ETH', 'buy', '1', '--stop-loss', '1%');
    await desk.json('order', 'place', 'BTC', 'sell', '0.1');
    await desk.perp(['config', 'set', 'trade.stops', 'follow']);
    await desk.json(...add);
    assert.deepEqual(
      (await desk.json('positions'))
        .map((one: { computed: object }) => one.computed)
        .map(({ uncovered_size: size }: { uncovered_size: number }) => size),
      [0, 0],
    );
  });
});

describe('the exits of an order that only reduces', () => {
  it('are refused at market, and pointed out where the order waits', async () => {
    using world = await stoppedDesk();
    const { desk } = world;
    const order = ['order', 'place', 'BTC', 'sell', '0.1', '--take-profit', '3%'];
    const refused = await desk.perp([...order, '--json']);
    assert.deepEqual([refused.exit, refused.error.code], [5, 'exit_conflict']);
    assert.match(refused.error.message, /only reduces the long 0\.3 BTC, so its exits would be left out/);
    assert.equal((await desk.perp(order, { terminal: true })).exit, 5);
    const { mid } = await desk.json('quote', 'BTC');
    const waiting = await desk.perp([...order, '--limit-price', String(Math.round(mid * 1.1))]);
    assert.equal(waiting.exit, 0, waiting.err);
    assert.match(waiting.err, /exits would be left out, unless the position has changed/);
  });
});

it('canceling a stop says what it leaves without one; canceling anything else does not', async () => {
  using world = await stoppedDesk();
  const { desk, stopId } = world;
  const entry = await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '1000');
  assert.doesNotMatch((await desk.perp(['order', 'cancel', entry.id])).err, /no stop/);
  assert.match((await desk.perp(['order', 'cancel', stopId])).err, /0\.3 of long 0\.3 BTC has no stop now\./);
  await desk.json('stop', 'BTC', '2%');
  assert.match((await desk.perp(['cancel-all', '--yes'])).err, /0\.3 of long 0\.3 BTC has no stop now\./);
});

describe('the JSON of a write', () => {
  it('has position, exits with their ids, cover, breach, room and slippage', async () => {
    using world = await stoppedDesk();
    const { desk, stop, stopId } = world;
    const { computed } = await desk.json(...add);
    const [position] = await desk.json('positions');
    const { side, size, entry_price, position_id } = computed.position;
    assert.deepEqual([side, size, position_id], ['long', 0.6, position.id]);
    assert.ok(Math.abs(entry_price - position.entry_price) < 1e-6);
    const exit = { order_id: stopId, kind: 'stop', price: stop, size: 0.3, oco_sibling_order_id: null };
    assert.deepEqual(computed.exits, [exit]);
    const { risk } = await desk.json('accounts', 'show');
    assert.ok(Math.abs(computed.room - risk.max_drawdown_room) < 1e-6, `${computed.room} ${risk.max_drawdown_room}`);
    assert.equal(computed.breach_price, position.computed.breach_price);
    assert.ok(computed.slippage_bps > 0 && computed.slippage_bps < 5);
  });

  it('of a close says flat, and of a partial one what the cut stops cover', async () => {
    using world = await stoppedDesk();
    const { computed: half } = await world.desk.json('positions', 'close', 'BTC', '--size', '0.1');
    assert.deepEqual([half.position.size, half.covered_size, half.exits[0].size], [0.2, 0.2, 0.2]);
    const { computed } = await world.desk.json('positions', 'close', 'BTC');
    assert.deepEqual([computed.position.side, computed.position.size, computed.exits], ['flat', 0, []]);
  });

  it('of stop, target and exits has the exits with their ids', async () => {
    using world = await stoppedDesk();
    const { desk, stopId } = world;
    const { computed: moved } = await desk.json('stop', 'BTC', '2%');
    assert.deepEqual([moved.exits[0].order_id, moved.stop_price], [stopId, moved.exits[0].price]);
    const { computed: added } = await desk.json('target', 'BTC', '3%', '--size', '0.1');
    const listed = await desk.json('positions', 'exits', 'BTC');
    const ids = (all: { id?: string; order_id?: string }[]) => all.map((one) => one.id ?? one.order_id).sort();
    assert.deepEqual(ids(added.exits), ids(listed));
    const canceled = await desk.json('positions', 'exits', 'BTC', '--cancel', stopId);
    assert.deepEqual([canceled.computed.covered_size, canceled.computed.exits.length], [0, 1]);
  });

  trial('of any other write has what it knows; what it does not know is null', async () => {
    using world = await stoppedDesk();
    const { desk, stop, stopId } = world;
    const { id } = await desk.json(
      'order',
      'place',
      'BTC',
      'buy',
      '0.01',
      '--limit-price',
      '1000',
      '--replace-exits',
      '--stop-loss',
      '900',
      '--force',
    );
    const ladder = 'scaled place BTC buy 0.2 --from 900 --to 1000 --rungs 2'.split(' ');
    const writes: [argv: string[], covered: number, exits: number][] = [
      [['order', 'amend', id, '--price', '1100', '--force'], 0.3, 1],
      [['order', 'exits', id, '--stop-loss', 'none', '--force'], 0.3, 1],
      [['order', 'amend', stopId, '--price', String(Math.round(stop - 300)), '--size', '0.1'], 0.1, 1],
      [['order', 'cancel', id], 0.1, 1],
      [['twap', 'place', 'BTC', 'buy', '0.1', '--duration', '10m'], 0.1, 1],
      [ladder, 0.1, 1],
      [['order', 'cancel', stopId], 0, 0],
    ];
    for (const [argv, covered, exits] of writes) {
      const json = await desk.json(...argv);
      const { computed } = json;
      const { size, position_id } = computed.position;
      const [position] = await desk.json('positions');
      assert.deepEqual([size, position_id], [position.size, position.id], argv.join(' '));
      assert.deepEqual([computed.covered_size, computed.exits.length], [covered, exits], argv.join(' '));
      assert.deepEqual(
        [computed.uncovered_size, computed.mark],
        [position.computed.uncovered_size, position.computed.mark],
      );
      assert.equal(computed.breach_price, position.computed.breach_price, argv.join(' '));
      const { risk } = await desk.json('accounts', 'show');
      assert.ok(Math.abs(computed.room - risk.max_drawdown_room) < 1e-6, argv.join(' '));
    }
    for (const kind of ['twap', 'scaled']) {
      const [strategy] = await desk.json(kind);
      const { computed } = await desk.json(kind, 'cancel', strategy.id);
      const [{ computed: figures, size }] = await desk.json('positions');
      assert.deepEqual([computed.position.size, computed.risk], [size, figures.risk], kind);
    }
  });

  it('of the margin of an isolated position has its new liquidation', async () => {
    using desk = new Desk();
    await desk.json('markets', '--clock', 'manual');
    await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--leverage', '10', '--margin', 'isolated');
    const { computed } = await desk.json('positions', 'margin', 'BTC', '100');
    const [position] = await desk.json('positions');
    const { destination: _, position: held, exits, room, ...figures } = computed;
    assert.deepEqual([held.size, exits, { ...figures, acts_without_you: [] }], [0.1, [], position.computed]);
    assert.equal(room, (await desk.json('accounts', 'show')).risk.max_drawdown_room);
  });

  it('of a write that concerns the whole account has the positions that are left, and its room', async () => {
    using world = await stoppedDesk();
    const { desk } = world;
    const roomNow = async () => (await desk.json('accounts', 'show')).risk.max_drawdown_room;
    const canceled = (await desk.json('cancel-all', '--yes')).computed;
    const [left] = canceled.positions;
    assert.deepEqual([left.market_id, left.position.size, left.covered_size], ['binance|BTCUSDT', 0.3, 0]);
    assert.equal(canceled.room, await roomNow());
    const closed = await desk.json('close-all', '--yes');
    assert.deepEqual([closed.computed.positions, closed.computed.room], [[], await roomNow()]);
    assert.ok(closed.results[0].order.computed.slippage_bps >= 0);
    await desk.json('order', 'place', 'ETH', 'buy', '1');
    const flat = await desk.json('flatten', '--yes');
    assert.deepEqual(flat.accounts[0].computed, { positions: [], room: await roomNow() });
    assert.ok(flat.accounts[0].closed[0].computed.slippage_bps >= 0);
    assert.equal(flat.computed.destination, 'SIM default, synthetic');
  });
});

/** The requests of a command, as `--debug` shows them: `GET /v1/positions?account_id=acc_000000001`. */
async function requestsOf(desk: Desk, argv: string[], lines: string[] = []): Promise<string[]> {
  const input = lines.length === 0 ? {} : { input: Readable.from([Buffer.from(lines.join('\n'))]) };
  const { err } = await desk.perp([...argv, '--debug'], input);
  return [...err.matchAll(/^debug: (\w+ \S+)/gm)].map(([, request]) => request!);
}

trial('an order reads nothing twice before it is sent, and the lines of a batch share what they read', async () => {
  using world = await stoppedDesk();
  const { desk } = world;
  await desk.json('order', 'place', 'ETH', 'buy', '1');
  const orders: [argv: string[], requests: number][] = [
    // With what closing it would get, because the position has stops.
    [['--json'], 10],
    [[], 16],
    [['--stop-loss', '1%', '--json'], 13],
    [['--limit-price', '1000', '--json'], 10],
    [['--limit-price', '1000'], 9],
  ];
  for (const [argv, requests] of orders) {
    const sent = await requestsOf(desk, ['order', 'place', 'BTC', 'buy', '0.01', ...argv]);
    assert.ok(sent.length <= requests, `${argv.join(' ')}: ${sent.join(', ')}`);
    const before = sent.slice(0, sent.indexOf('POST /v1/orders'));
    assert.equal(new Set(before).size, before.length, before.join(', '));
  }
  const batched = await requestsOf(
    desk,
    ['batch'],
    Array.from({ length: 5 }, () => 'order place BTC buy 0.01'),
  );
  const count = (what: RegExp) => batched.filter((request) => what.test(request)).length;
  assert.equal(count(/^POST/), 5);
  // Read once, or again if the five lines take more than a second.
  assert.ok(count(/positions\?/) >= 1 && count(/positions\?/) <= 5, batched.join(', '));
  assert.ok(count(/quote|orders/) - 5 <= 3 * 5, batched.join(', '));
});

it('cancel-all --yes cancels orders that can’t be read before', async (t) => {
  const serving = await served(t);
  let isRead = false;
  const url = await alteringHost(t, serving.baseUrl, (_, path) => {
    if (isRead || !path.startsWith('/v1/orders?')) return undefined;
    isRead = true;
    return { status: 404, body: {} };
  });
  const variables = {
    PERP_ENV: 'live',
    PERP_API_KEY: issueKey(serving),
    PERP_ACCOUNT: 'acc_000000001',
    PERP_BASE_URL: url,
  };
  using desk = new Desk();
  const place = ['order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '30000', '--json'];
  assert.equal((await desk.perp(place, { variables: { ...variables, PERP_BASE_URL: serving.baseUrl } })).exit, 0);
  const { exit, err } = await desk.perp(['cancel-all', '--yes'], { variables });
  assert.deepEqual([exit, isRead], [0, true], err);
  assert.deepEqual((await desk.perp(['order', '--json'], { variables })).json, []);
});
