import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect } from '../../src/programs/sdk/client.ts';
import { defineStrategy, trade } from '../../src/programs/sdk/strategy.ts';
import { serve } from '../../src/service/serve.ts';
import { issueKey } from '../service/serving.ts';
import { Desk } from './cli/practice.ts';
import { Agent } from './mcp/agent.ts';
import { signed, termsOf } from './mcp/probe-run.ts';
import { Armory } from './screen/armory.ts';

/** What one face tells: numbers and words by the name of the fact. */
type Told = Readonly<Record<string, unknown>>;

/** The prices for which the sizes below are written: with others, an order is worth the same. */
const usualPrices: Readonly<Record<string, number>> = { BTC: 61_000, ETH: 2_400 };

/** A desk whose market stands still, with what these commands have left. */
async function still(t: TestContext, commands: readonly (readonly string[])[]): Promise<Desk> {
  const desk = new Desk();
  t.after(() => desk[Symbol.dispose]());
  await desk.json('sim', 'reset', '--clock', 'manual', '--seed', '3', '--yes');
  for (const command of commands) {
    const [, verb, market = '', , size = ''] = command;
    const words = verb === 'place' ? command.with(4, await sizeOf(desk, market, size)) : command;
    await desk.json(...words);
  }
  return desk;
}

async function sizeOf(desk: Desk, market: string, size: string): Promise<string> {
  const { mid } = await desk.json('quote', market);
  return String(Number(((Number(size) * usualPrices[market]!) / mid).toFixed(3)));
}

/** Each fact is told alike by all that tell it, and by at least two. */
function assertAlike(faces: ReadonlyMap<string, Told>, facts: readonly string[]): void {
  for (const fact of facts) {
    const told = [...faces].flatMap(([face, says]) => (fact in says ? [[face, says[fact]] as const] : []));
    assert.ok(told.length > 1, `${fact} is told by ${told.length} of ${[...faces.keys()]}`);
    const [[first, value], ...others] = told as [[string, unknown], ...[string, unknown][]];
    for (const [face, other] of others) {
      const isAlike =
        typeof value === 'number' && typeof other === 'number'
          ? Math.abs(value - other) < 0.00501
          : JSON.stringify(value) === JSON.stringify(other);
      assert.ok(isAlike, `${fact}: ${first} says ${JSON.stringify(value)}, ${face} ${JSON.stringify(other)}`);
    }
  }
}

/** A number as people read it; undefined if the text has none there. */
function read(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text.replaceAll(/\s+/g, ' '))?.[1];
  return found === undefined ? undefined : Number(found.replaceAll(',', ''));
}

/** Without the facts that a face did not tell. */
function known(told: Told): Told {
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}

const situations: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'a stop for all of it': [
    ['order', 'place', 'BTC', 'buy', '0.5', '--stop-loss', '2%', '--take-profit', '3%', '--yes'],
  ],
  'a stop for a part, a resting entry, and a TWAP': [
    ['order', 'place', 'BTC', 'buy', '0.5', '--stop-loss', '2%', '--yes'],
    ['order', 'place', 'BTC', 'buy', '0.3', '--yes'],
    ['order', 'place', 'BTC', 'buy', '0.2', '--limit-price', '-1%', '--yes'],
    ['twap', 'place', 'BTC', 'buy', '0.4', '--duration', '10m', '--yes'],
  ],
  'no stop, isolated, beside a chase': [
    ['order', 'place', 'BTC', 'sell', '0.2', '--leverage', '5', '--margin', 'isolated', '--yes'],
    ['order', 'place', 'ETH', 'buy', '1', '--type', 'chase', '--yes'],
  ],
  'a stop-limit, and a short elsewhere': [
    ['order', 'place', 'ETH', 'sell', '3', '--stop-loss', '1%', '--yes'],
    ['order', 'place', 'BTC', 'buy', '0.4', '--yes'],
    ...[['order', 'place', 'BTC', 'sell', '0.4', '--type', 'stop_limit', '--trigger-price', 'mark-2%']].map((words) => [
      ...words,
      ...['--limit-price', 'mark-2.5%', '--reduce-only', '--yes'],
    ]),
  ],
};

/** What is told of the position in BTC and its account, face by face. */
async function facesOfPosition(desk: Desk): Promise<Map<string, Told>> {
  const faces = new Map<string, Told>();
  const ofComputed = ({ computed }: { computed: Record<string, unknown> }) => ({
    risk: computed.risk,
    stop: computed.stop_price,
    stopLimit: computed.stop_limit_price,
    target: computed.target_price,
    covered: computed.covered_size,
    uncovered: computed.uncovered_size,
    oneR: computed.one_r,
    r: computed.r,
    profit: computed.unrealized_pnl,
  });
  const isBtc = ({ symbol, market_id }: { symbol?: string; market_id: string }) =>
    (symbol ?? market_id).includes('BTC');
  const position = (await desk.json('positions')).find(isBtc);
  faces.set('positions', { ...ofComputed(position), breach: position.computed.breach_price });
  faces.set('positions show', ofComputed(await desk.json('positions', 'show', 'BTC')));
  const { out: table } = await desk.perp(['positions', '--columns', 'MARKET,RISK'], { terminal: true, columns: 200 });
  faces.set('the table', known({ risk: read(table, /BTC\S* +([\d,.]+)/) }));
  const account = await desk.json('accounts', 'show');
  const acting = account.computed.acts_without_you;
  const { daily_loss_room: daily, max_drawdown_room: drawdown, equity } = account.risk;
  faces.set('accounts show', { daily, drawdown, equity, acting });
  const { ahead } = await desk.json('day');
  const roomOf = (name: string) => ahead.floors.find(({ rule }: { rule: string }) => rule === name)?.room;
  const bare = ahead.held.find(isBtc)?.uncovered;
  faces.set('day', {
    daily: roomOf('daily loss'),
    drawdown: roomOf('drawdown'),
    equity: ahead.equity,
    uncovered: bare,
  });
  const { out } = await desk.perp(['watch', 'BTC', '--for', '1s', '-o', 'ndjson']);
  const watched = JSON.parse(out.split('\n')[0]!);
  const seen = watched.positions.find(isBtc);
  faces.set('watch', {
    ...{ risk: seen.risk, stop: seen.stop_price, stopLimit: seen.stop_limit_price, target: seen.target_price },
    ...{ covered: seen.covered_size, uncovered: seen.uncovered_size, oneR: seen.one_r, r: seen.r },
    profit: seen.unrealized_pnl,
    breach: seen.ends_by === 'floor' ? seen.ends_at : null,
    ...{ daily: watched.daily_loss_room, drawdown: watched.max_drawdown_room, equity: watched.equity },
    acting: watched.acts_without_you,
  });
  await using agent = await Agent.connected(desk);
  const held = (await agent.call('list_positions')).positions.find(isBtc);
  faces.set('list_positions', {
    ...{
      risk: held.size.risk_usd,
      stop: held.stop_price,
      target: held.target_price,
      uncovered: held.without_stop_base,
    },
    ...{ oneR: held.one_r_usd, r: held.r, profit: held.unrealized_pnl_usd, breach: held.breach_price },
  });
  const { details } = await agent.call('get_account');
  faces.set('get_account', { equity: details.equity_usd, acting: details.acts_without_you });
  await using trader = await Armory.opened(desk, { size: [160, 45] });
  const ladder = await trader.screen.shows(/BTC +(long|short)[\s\S]*equity|equity[\s\S]*BTC +(long|short)/);
  faces.set(
    'the ladder',
    known({
      ...{ equity: read(ladder, /equity ([\d,.]+)/), risk: inColumn(ladder, 'RISK', /BTC +(long|short)/) },
      ...actedOn(ladder, acting),
    }),
  );
  return faces;
}

/** What a row of the screen says in the column with this right-aligned header. */
function inColumn(screen: string, header: string, row: RegExp): number | undefined {
  const lines = screen.split('\n');
  const end = lines.find((line) => line.includes(` ${header}`))!.indexOf(` ${header}`) + 1 + header.length;
  const cut = lines.find((line) => row.test(line))!.slice(0, end);
  return Number(cut.split(' ').at(-1)!.replaceAll(',', ''));
}

/** What acts, as the screen's rows say it. */
function actedOn(ladder: string, acting: readonly { says: string }[]): Told {
  const flat = ladder.replaceAll(/\s+/g, ' ');
  return { acting: acting.filter(({ says }) => flat.includes(`Acts without you: ${says}`)) };
}

const ofPosition = ['risk', 'stop', 'stopLimit', 'target', 'covered', 'uncovered', 'oneR', 'r', 'profit', 'breach'];

for (const [name, commands] of Object.entries(situations))
  test(`a position and its account are told alike everywhere: ${name}`, { timeout: 120_000 }, async (t) => {
    const desk = await still(t, commands);
    const faces = await facesOfPosition(desk);
    const working = (await desk.json('order', 'list')).length;
    faces.set('the lists', { working, held: (await desk.json('positions')).length });
    faces.set('twap list', { twaps: (await desk.json('twap', 'list')).length });
    for (const [face, told] of await servedFaces(t, desk)) faces.set(face, told);
    const more = ['daily', 'drawdown', 'equity', 'acting', 'working', 'held', 'twaps', 'size', 'entry'];
    assertAlike(faces, [...ofPosition, ...more]);
  });

/** What the library and a gate tell of the account while its simulation is served. */
async function servedFaces(t: TestContext, desk: Desk): Promise<Map<string, Told>> {
  const faces = new Map<string, Told>();
  const [{ account_id, size, entry_price: entry }] = (await desk.json('positions')).filter(
    ({ symbol }: { symbol: string }) => symbol === 'BTC',
  );
  faces.set('its size', { size, entry });
  const served = await serve({ stateDir: join(desk.folder, 'state'), port: 0, sandboxPort: 0, drainMs: 50 });
  t.after(() => served.stop());
  const { baseUrl } = served;
  const streamUrl = baseUrl.replace('http', 'ws');
  const addresses = { marketStreamUrl: streamUrl, accountStreamUrl: streamUrl };
  await using client = connect({ baseUrl, key: issueKey(served), journal: null, ...addresses });
  const strategy = defineStrategy({
    markets: ['BTC'],
    start(bot) {
      const { equity, dailyLossRoom: daily, drawdownRoom: drawdown } = bot.account();
      const held = bot.position('BTC');
      const told = { size: Math.abs(held.size), entry: held.entryPrice, profit: held.pnl };
      // Of an account with something in another market, a strategy does not know the marks.
      faces.set('the library', { ...told, ...(equity !== null && { equity, daily, drawdown }) });
    },
  });
  await trade(strategy, { client, for: '50ms' });
  const terms = termsOf([account_id], 'table', { until: 4e12 });
  const serving = Promise.withResolvers<string>();
  const argv = ['gate', 'serve', '--mandate', signed(desk, terms), '--port', '0', '--json'];
  const gate = desk.perp(argv, { printed: serving.resolve });
  await Promise.race([serving.promise, gate.then(({ err }) => assert.fail(err))]);
  const [known] = (await desk.json('gate', 'status')).accounts;
  process.listeners('SIGINT').at(-1)!('SIGINT');
  await gate;
  await served.stop();
  const { open_positions: held, working_orders: working, running_twaps: twaps } = known;
  faces.set('gate status', { held, working, twaps });
  return faces;
}

/** What a text says of a worst case. */
function worstIn(text: string): Told {
  const flat = text.replaceAll(/\s+/g, ' ');
  return known({
    loss: read(flat, /(?:lose|loses) ([\d,.]+) USD at/) ?? read(flat, /worst case ([\d,.]+) USD/),
    stop: read(flat, /at (?:its stop|the last stop on the way,) ([\d,.]+\d)/),
    room: read(flat, /only ([\d,.]+) USD is left/),
    above: read(flat, /is left above ([\d,.]+\d)/),
    largest: read(flat, /largest size that fits is ([\d,.]+\d)/),
  });
}

const beside: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'nothing else': [],
  'an entry and a TWAP that fill on the way': [
    ['order', 'place', 'BTC', 'buy', '0.1', '--limit-price', '-0.5%', '--stop-loss', '2%', '--yes'],
    ['twap', 'place', 'BTC', 'buy', '0.2', '--duration', '10m', '--yes'],
  ],
};

for (const [name, commands] of Object.entries(beside))
  test(`an order is told alike by previews, the ladder, a key, a batch and tools, beside ${name}`, {
    timeout: 120_000,
  }, async (t) => {
    const desk = await still(t, [['config', 'set', 'trade.leverage', '10'], ...commands]);
    const faces = new Map<string, Told>();
    const price = await keyed(desk, faces);
    const stop = String(faces.get('a key')!.stop);
    const words = (size: string) => {
      const legs = ['--stop-loss', stop, '--replace-exits', '--leverage', '10', '--margin', 'cross'];
      return ['order', 'place', 'BTC', 'buy', size, '--limit-price', price, ...legs];
    };
    const large = words(await sizeOf(desk, 'BTC', '8'));
    const refused = await desk.perp([...large, '--json']);
    assert.equal(refused.error?.code, 'worst_case_breach', refused.out);
    const { loss, room } = refused.error.details;
    faces.set('a script', { ...worstIn(refused.error.message), largest: refused.error.details.largest_size });
    faces.set('its details', { loss, room });
    const asked = await desk.perp(large, { terminal: true, answer: false });
    faces.set('the command line', worstIn(asked.err));
    const lines = join(desk.folder, 'lines');
    writeFileSync(lines, large.join(' '));
    const { error } = JSON.parse((await desk.perp(['batch', lines])).out);
    faces.set('a batch', { ...worstIn(error.message), largest: error.details.largest_size });
    await using agent = await Agent.connected(desk);
    const order = { market: 'BTC', side: 'buy', limit_price: Number(price), stop_loss_price: Number(stop) };
    const terms = { replace_overlapping_exits: true, leverage: 10, margin_mode: 'cross' };
    const tool = await agent.call('preview_order', { ...order, ...terms, size_base: Number(large[4]) });
    faces.set('preview_order', worstIn(tool.error.message));
    assertAlike(faces, ['loss', 'stop', 'room', 'above', 'largest']);

    // One that is not refused: what it would do.
    const small = words('0.05');
    const fine = new Map<string, Told>();
    const { out, err } = await desk.perp(small, { terminal: true, answer: false, columns: 120 });
    const shown = out + err;
    fine.set('the command line', {
      ...worstIn(shown),
      fee: read(shown, /fee ([\d,.]+) USD/),
      margin: read(shown, /margin ([\d,.]+) of/),
      roomNow: read(shown, /daily-loss room ([\d,.]+) USD/),
    });
    const seen = await agent.call('preview_order', { ...order, ...terms, size_base: 0.05 });
    fine.set('preview_order', {
      ...{ loss: seen.worst_case.loss_usd, fee: seen.fee_usd, margin: seen.margin_usd.needed },
      ...{
        after: seen.position_after.size_base,
        roomNow: seen.nearest_floor.room_usd,
        notional: seen.request.size.usd,
      },
    });
    await using trader = await Armory.opened(desk, { size: [120, 40] });
    trader.screen.press(':', ...small.join(' '));
    const ticket = await trader.screen.shows(/Ticket, live: buy 0\.05 limit[\s\S]*room left +\d/);
    fine.set('the ladder', {
      ...worstIn(ticket),
      ...{ fee: read(ticket, /fee ([\d,.]+)/), notional: read(ticket, /cost ([\d,.]+) USD/) },
      roomNow: read(ticket, /room left [\d,.]+ of ([\d,.]+)/),
    });
    assertAlike(fine, ['loss', 'fee', 'margin', 'roomNow', 'notional']);

    // Once it rests, it is told with the same risk.
    const { id, status } = await desk.json(...small);
    assert.equal(status, 'resting');
    const listed = (await agent.call('list_orders')).orders.find((one: { id: string }) => one.id === id);
    const resting = new Map<string, Told>([
      ['preview_order', { risk: seen.worst_case.loss_usd }],
      ['its request', { risk: seen.request.size.risk_usd }],
      ['list_orders', { risk: listed.size.risk_usd }],
    ]);
    assertAlike(resting, ['risk']);
  });

/** An order of a key that is refused, with the limit price of its row. */
async function keyed(desk: Desk, faces: Map<string, Told>): Promise<string> {
  await using trader = await Armory.opened(desk, { size: [120, 40] });
  const { screen } = trader;
  await trader.arm(`arm ${await sizeOf(desk, 'BTC', '8')} --stop 1% --position 5000000 --loss 5000 --for 15m`);
  screen.press('down', 'down', 'down');
  const price = /\[(\d+\.\d)\]/.exec(await screen.shows(/\[\d+\.\d\]/))![1]!;
  screen.press('i');
  const shown = await screen.shows(
    /Not sent: (?:In the worst|Beyond)[\s\S]*left\b[\s\S]*above\s+[\s\S]*\d,\d{3}\.\d\d/,
  );
  const lines = shown.split('\n');
  // The ladder is beside it.
  const from = Math.max(...lines.map((line) => line.indexOf('Not sent:')));
  faces.set('a key', worstIn(lines.map((line) => line.slice(from)).join('\n')));
  return price;
}

const changes: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'a stop where there was none': [['stop', 'BTC', '2%']],
  'a stop for a part': [['stop', 'BTC', '2%', '--size', '50%']],
  'a stop and then a closer one': [
    ['stop', 'BTC', '2%'],
    ['stop', 'BTC', '1%'],
    ['target', 'BTC', '3%'],
  ],
  'a stop that the account does not live to reach': [['stop', 'BTC', '19%']],
};

for (const [name, commands] of Object.entries(changes))
  test(`what a change of exits will leave at risk is what positions then say: ${name}`, async (t) => {
    const desk = await still(t, [
      ['order', 'place', 'BTC', 'buy', '0.5', '--leverage', '10', '--yes'],
      ['order', 'place', 'BTC', 'buy', '0.2', '--limit-price', '-1%', '--yes'],
      ['twap', 'place', 'BTC', 'buy', '0.4', '--duration', '10m', '--yes'],
    ]);
    for (const command of commands) {
      const { err } = await desk.perp(command, { terminal: true, answer: false, columns: 120 });
      await desk.json(...command, '--yes');
      const [position] = await desk.json('positions');
      const { risk, uncovered_size: uncovered, breach_price: breach, stop_price: stop } = position.computed;
      const told = {
        risk: read(err, /at the stop ([\d,.]+) USD less/) ?? read(err, /stop-loss: ([\d,.]+) USD may be lost/),
        uncovered: read(err, /risk ([\d.]+) BTC has no stop-loss/) ?? 0,
      };
      assertAlike(
        new Map<string, Told>([
          ['positions', { risk, uncovered }],
          ['the preview', told],
        ]),
        ['risk', 'uncovered'],
      );
      if (stop === null) assert.equal(read(err, /The account fails at ([\d.,]+\d), before/), breach, err);
    }
  });

test('what a close will realize and pay is what its answer says', async (t) => {
  const desk = await still(t, [['order', 'place', 'BTC', 'buy', '0.5', '--stop-loss', '2%', '--yes']]);
  for (const size of [['--size', '40%'], []]) {
    const command = ['positions', 'close', 'BTC', ...size];
    const { err } = await desk.perp(command, { terminal: true, answer: false, columns: 120 });
    const { fee, realized_pnl: realized, average_price: price } = whole(await desk.json(...command, '--yes'));
    const shown = { fee: read(err, /fee ([\d,.]+) USD/), price: read(err, /fills at ([\d,.]+\d)/) };
    const realizes = read(err.replaceAll('\u2212', '-'), /realizes ([-+\d,.]+)/);
    assertAlike(
      new Map<string, Told>([
        ['the preview', { ...shown, realizes }],
        ['the answer', { fee, price, realizes: realized }],
      ]),
      ['fee', 'price', 'realizes'],
    );
    assert.match(err, size.length === 0 ? /new position +flat/ : /stop +[\d.]+\n/);
  }
});

function whole({ fee, computed }: { fee: number; computed: Record<string, number> }) {
  return { fee, realized_pnl: computed.total_realized_pnl, average_price: computed.average_price };
}
