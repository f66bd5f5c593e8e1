import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { readCopy, writeCopy } from '../../../src/desk/history/read-host.ts';
import { issueKey, served } from '../../service/serving.ts';
import { alteringHost } from '../../terminal/cli/altering-host.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { it, trial } from '../../tiers.ts';

/** Two round trips and an open position, over two days. */
const trading = [
  'order place BTC buy 0.1 --stop-loss -2% --yes',
  'sim advance 13h',
  'close-all --yes',
  'order place ETH sell 2 --yes',
  'sim advance 90m',
  'order place ETH buy 3 --yes',
  'sim advance 6h',
];

async function trade(desk: Desk): Promise<void> {
  const file = join(desk.folder, 'trading.txt');
  writeFileSync(file, trading.join('\n'));
  const run = await desk.perp(['batch', file]);
  assert.equal(run.exit, 0, run.out + run.err);
}

describe('perp pnl', () => {
  const desk = new Desk();
  after(() => desk[Symbol.dispose]());
  before(async () => {
    await desk.json('sim', 'reset', '--clock', 'manual', '--seed', '3', '--yes');
    await trade(desk);
  });

  trial('adds up to the balance, by day, by market and by side', async () => {
    const [pnl, account] = [await desk.json('pnl'), await desk.json('accounts', 'show')];
    assert.equal(pnl.starting_balance + pnl.net, account.balance);
    assert.equal(pnl.unexplained, 0);
    for (const groups of [pnl.days, pnl.markets, pnl.sides]) {
      const net = groups.reduce((sum: number, group: { net: number }) => sum + group.net, 0);
      assert.ok(Math.abs(net - pnl.net) < 1e-6);
    }
    assert.deepEqual([pnl.trips.count, pnl.trips.with_known_risk, pnl.fills], [2, 1, 5]);
    assert.equal(pnl.equity_history.at(-1).equity, account.risk.equity);
    assert.equal(pnl.equity_history.at(-1).daily_loss_floor, account.risk.daily_loss_floor);
    assert.equal(pnl.equity_history.at(-1).max_drawdown_floor, account.risk.max_drawdown_floor);
  });

  trial('agrees with the positions of the API', async () => {
    const pnl = await desk.json('pnl');
    const positions = [...(await desk.json('positions')), ...(await desk.json('positions', '--closed', '--all'))];
    const sum = (field: string) => positions.reduce((total, position) => total + position[field], 0);
    for (const field of ['realized_pnl', 'fees', 'funding']) assert.ok(Math.abs(sum(field) - pnl[field]) < 1e-6, field);
  });

  trial('fits a terminal of 80 columns and 24 rows', async () => {
    const { out } = await desk.perp(['pnl'], { terminal: true, columns: 80, variables: { LANG: 'C.UTF-8' } });
    const lines = out.trimEnd().split('\n');
    assert.ok(lines.length <= 23 && lines.every((line) => line.length <= 80), out);
    assert.match(out, /[\u2801-\u28ff]/);
    const ascii = await desk.perp(['pnl'], { terminal: true, columns: 80, variables: { LANG: 'C' } });
    assert.match(ascii.out, /^[\x20-\x7e\n]*$/);
  });

  trial('accepts a range and a market', async () => {
    const [whole, late] = [await desk.json('pnl'), await desk.json('pnl', '--from', '7h')];
    assert.ok(late.fills < whole.fills && late.fills > 0);
    const bitcoin = await desk.json('pnl', '--market', 'BTC');
    assert.deepEqual([bitcoin.fills, bitcoin.markets.length, bitcoin.equity_history], [2, 1, null]);
    const { exit, error } = await desk.perp(['pnl', '--from', '1h', '--to', '2h', '--json']);
    assert.deepEqual([exit, error.code], [2, 'usage']);
  });

  it('prints its groups as tables, and as CSV with the same columns even without rows', async () => {
    const { out } = await desk.perp(['pnl', '--by', 'market', '-o', 'csv']);
    const [header, ...rows] = out.trim().split('\n');
    assert.match(header!, /^market,net,realized_pnl,fees,funding,/);
    assert.equal(rows.length, 2);
    using idle = new Desk();
    assert.equal((await idle.perp(['pnl', '--by', 'market', '-o', 'csv'])).out.trim(), header);
    assert.equal((await idle.perp(['pnl'])).exit, 0);
  });

  it('computes the maximum adverse excursion from candles', async () => {
    const { largest_run_against: against } = await desk.json('pnl', '--excursions');
    assert.ok(against < 0);
  });
});

describe('perp pnl on a host', () => {
  /** A host that tests only read from. */
  let traded: Awaited<ReturnType<typeof hosted>>;
  const ends: (() => void | Promise<void>)[] = [];
  before(async () => {
    traded = await hosted({ after: (end) => ends.unshift(end) });
  });
  after(async () => {
    for (const end of ends) await end();
  });

  async function hosted(t: { after(fn: () => void | Promise<void>): unknown }, options: { startTime?: number } = {}) {
    const serving = await served(t, { seed: 3, ...options });
    const desk = new Desk();
    t.after(() => desk[Symbol.dispose]());
    const variables = {
      PERP_ENV: 'live',
      PERP_BASE_URL: serving.baseUrl,
      PERP_API_KEY: issueKey(serving),
      PERP_MARKET_STREAM_URL: serving.baseUrl.replace('http', 'ws'),
    };
    const advance = (ms: number) => {
      const now = serving.simulation.time + ms;
      serving.simulation.write(({ advance: to }) => {
        serving.simulation.setClock({ kind: 'manual', now });
        to(now);
      });
    };
    for (const line of trading) {
      const words = line.split(' ');
      if (words[1] === 'advance') advance({ '13h': 13 * 3_600_000, '90m': 5_400_000, '6h': 6 * 3_600_000 }[words[2]!]!);
      else assert.equal((await desk.perp(words, { variables })).exit, 0, line);
    }
    const pnl = async () => (await desk.perp(['pnl', '--json'], { variables })).json;
    return { serving, desk, variables, advance, pnl };
  }

  it('uses fills and positions, explains the whole balance, and marks approximate figures', async () => {
    const { pnl } = traded;
    const { unexplained, fills, trips, approximations, funding } = await pnl();
    assert.deepEqual([unexplained, fills, trips.count], [0, 5, 2]);
    assert.ok(funding > 0);
    assert.match(approximations.join(' '), /spread evenly/);
  });

  trial('marks past equity at the close of the last candle before each moment', async () => {
    const { desk, variables, pnl } = traded;
    const json = async (...words: string[]) => (await desk.perp([...words, '--json'], { variables })).json;
    const positions = [...(await json('positions')), ...(await json('positions', '--closed'))];
    const closes = new Map<string, number>();
    for (const symbol of ['BTC', 'ETH'])
      for (const { openTime, close } of await json('candles', symbol, '--interval', '1m', '--from', '30h'))
        closes.set(`${symbol} ${openTime}`, Number(close));
    const points = (await pnl()).equity_history.slice(0, -1);
    assert.ok(points.length > 100);
    for (const { time, balance, equity } of points) {
      let open = 0;
      for (const { symbol, side, size, entry_price: entry, opened_at: from, closed_at: to = time + 1 } of positions) {
        const move = closes.get(`${symbol} ${time - 60_000}`)! - entry;
        if (from <= time && time < to) open += side === 'long' ? size * move : -size * move;
      }
      assert.ok(Math.abs(equity - balance - open) < 1e-6, `${time}: ${equity} for ${open} of ${balance}`);
    }
  });

  trial('takes the fees of positions that have none from their fills', async (t) => {
    const { desk, serving, variables, pnl } = traded;
    const whole = await pnl();
    const headers = { authorization: `Bearer ${variables.PERP_API_KEY}` };
    const url = await alteringHost(t, serving.baseUrl, (_, path) => {
      if (!path.startsWith('/v1/positions')) return undefined;
      return {
        status: 200,
        body: fetch(new URL(path, serving.baseUrl), { headers })
          .then((answer) => answer.text())
          .then((text) => JSON.parse(text.replaceAll(/"(fees|funding)":[-\d.e]+,?/g, '').replaceAll(',}', '}'))),
      };
    });
    const without = (await desk.perp(['pnl', '--json'], { variables: { ...variables, PERP_BASE_URL: url } })).json;
    assert.deepEqual([without.fees, without.fills], [whole.fees, whole.fills]);
    assert.match(without.approximations.join(' '), /no carry for \d+ position/);
    const [closed] = (
      await desk.perp(['positions', '--closed', '--json'], { variables: { ...variables, PERP_BASE_URL: url } })
    ).json;
    assert.equal(closed.computed.net_pnl, null, 'a result without known fees is not known');
  });

  trial('counts a fill on the day on which it settled, whenever its order was placed', async (t) => {
    const { desk, serving, variables, pnl } = traded;
    const headers = { authorization: `Bearer ${variables.PERP_API_KEY}` };
    const url = await alteringHost(t, serving.baseUrl, (_, path) => {
      if (!path.startsWith('/v1/fills')) return undefined;
      const fills = async () => {
        const answer = JSON.parse(await (await fetch(new URL(path, serving.baseUrl), { headers })).text());
        const earlier = (order: { settled_at: number }) => ({
          ...order,
          requested_at: order.settled_at - 40 * 3_600_000,
        });
        return { ...answer, data: answer.data.map(earlier) };
      };
      return { status: 200, body: fills() };
    });
    const known = (await pnl()).days;
    const { json } = await desk.perp(['pnl', '--json'], { variables: { ...variables, PERP_BASE_URL: url } });
    assert.ok(known.length > 1);
    assert.deepEqual(json.days, known);
  });

  trial(
    "counts a position's carry in its own trip and by the exchange's clock, whatever this machine's is",
    async (t) => {
      const { desk, variables, advance, pnl } = await hosted(t, { startTime: Date.UTC(2090, 0, 4, 15, 20) });
      assert.equal((await desk.perp(['order', 'place', 'BTC', 'buy', '0.1', '--yes'], { variables })).exit, 0);
      advance(3 * 3_600_000);
      const json = async (...words: string[]) => (await desk.perp([...words, '--json'], { variables })).json;
      const paid = [...(await json('positions')), ...(await json('positions', '--closed'))];
      const trips: { position_id: string; funding: number }[] = await json('journal', '--all');
      assert.equal(trips.length, 4);
      for (const { position_id: id, funding } of trips)
        assert.equal(funding, paid.find((one) => one.id === id).funding);
      const { days, funding } = await pnl();
      const sum = days.reduce((total: number, day: { funding: number }) => total + day.funding, 0);
      assert.ok(Math.abs(sum - funding) < 1e-7, `${sum} in days, ${funding} in all`);
    },
  );

  trial('keeps a private copy, reads only new fills, and reads a damaged copy again', async () => {
    const { variables } = traded;
    using desk = new Desk();
    const pnl = async () => (await desk.perp(['pnl', '--json'], { variables })).json;
    const first = await pnl();
    const folder = join(desk.variables.PERP_STATE_DIR!, 'history');
    const [name, ...others] = readdirSync(folder);
    assert.equal(others.length, 0);
    const file = join(folder, name!);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.ok(!readFileSync(file, 'utf8').includes(variables.PERP_API_KEY));
    assert.deepEqual((await pnl()).days, first.days);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"fee":', '"fee":9'));
    const again = await desk.perp(['pnl', '--json'], { variables });
    assert.match(again.err, /damaged; reading/);
    assert.deepEqual(again.json.days, first.days);
    const copy = readCopy(file, assert.fail);
    const [newest] = copy.fills[0]!.items;
    writeCopy(file, { ...copy, fills: [{ items: [newest!], cursor: 'of-another-time' }] });
    assert.deepEqual((await pnl()).days, first.days, 'a cursor that the host refuses');
  });
});
