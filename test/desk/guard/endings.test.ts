import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { guardFiles, takeCharge } from '../../../src/desk/guard/place.ts';
import { guardFolder } from '../../../src/desk/lock/trading-lock.ts';
import { FailingDisk } from './staged/failing-disk.ts';
import { StagedDesk } from './staged/staged-desk.ts';
import { type Mishap, marketIds } from './staged/staged-host.ts';

interface Row {
  words: string;
  rules?: string;
  options?: string[];
  /** Prepares the desk, before the guard starts. */
  begins?: (desk: StagedDesk, disk: FailingDisk) => Disposable | undefined;
  /** When the guard is stopped, and how; default: SIGTERM after two minutes. */
  stop?: { at: number; with: 'SIGTERM' | 'SIGINT' };
  exit: number;
  /** The alerts that the program is told: the beginnings of their keys, and parts of what they say. */
  told: readonly (readonly [key: string, says: RegExp])[];
  /** Events of the printed lines, in order. */
  lines: string;
  /** Whether the account is flat at the end. */
  isFlat?: boolean;
}

const price = '[price]\nmarket = "BTC"\nabove = 1\ndo = ["lock", "flatten"]\n';
const idle = '[max-trades]\ntrades = 50\n';
const refused: Mishap = { kind: 'refused' };
const status = (code: number): Mishap => ({
  kind: 'status',
  status: code,
  body: { error: { code: 'staged', message: 'staged', request_id: 'req_1' } },
});
const down = (desk: StagedDesk, mishap: Mishap, from = 0, to = Number.POSITIVE_INFINITY) => {
  desk.host.mishap = () => (desk.time.now >= from && desk.time.now < to ? mishap : undefined);
  return undefined;
};
const files = (desk: StagedDesk) => {
  const folder = guardFolder({ PERP_STATE_DIR: desk.state }, { environment: 'live', baseUrl: 'https://host.example' });
  return { folder, ...guardFiles(folder, 'acc_1') };
};
const stopped = ['end@', /^Terminated\. Nothing is guarded until it runs again/] as const;
const once = ['--once'];

const table: Row[] = [
  {
    words: 'a rule fires',
    rules: price,
    exit: 130,
    told: [['price', /above 1/], stopped],
    lines: 'fired did did fired',
    isFlat: true,
  },
  {
    words: 'a single check fires',
    rules: price,
    options: once,
    exit: 0,
    told: [['price', /above 1/]],
    lines: 'fired did did',
    isFlat: true,
  },
  {
    words: 'Ctrl-C',
    stop: { at: 5_000, with: 'SIGINT' },
    exit: 130,
    told: [['end@', /^Interrupted/]],
    lines: 'fired',
  },
  {
    words: 'the host is down at the start',
    begins: (desk) => down(desk, refused, 0, 60_000),
    exit: 130,
    told: [['blind@', /for 45s/], ['seeing@', /again/], stopped],
    lines: 'blind fired sees fired fired',
  },
  {
    words: 'the host is down in a single check',
    options: once,
    begins: (desk) => down(desk, refused),
    exit: 7,
    told: [['blind@', /could not be fetched: Nothing is listening/]],
    lines: 'blind fired',
  },
  {
    words: 'the price of a market in the rules is unknown',
    rules: price,
    begins: (desk) => {
      desk.host.mishap = (id) => (id === 'getMarketQuote' ? status(503) : undefined);
      desk.host.streams = { frame: (path) => (path === '/v1/market-data' ? [] : undefined) };
      return undefined;
    },
    exit: 130,
    told: [['blind@', /could not be judged for 4\ds: the price of BTC is unknown/], stopped],
    lines: 'fired fired',
  },
  {
    words: 'a price is unknown in a single check, which acts on the other rules',
    rules: `${price}[daily-stop]\nloss = "2%"\n`,
    options: once,
    begins: (desk) => {
      desk.host.mishap = (id) => (['getMarketQuote', 'listMarkets'].includes(id) ? status(503) : undefined);
      desk.host.balance = 90_000;
      return undefined;
    },
    exit: 9,
    told: [
      ['blind@', /could not be fetched: Staged/],
      ['daily-stop', /^Daily stop/],
    ],
    lines: 'blind fired fired did did',
    isFlat: true,
  },
  {
    words: 'the policy is damaged in a single check, which acts on the other rules',
    rules: `${price}[breach]\nwithin = "1%"\n`,
    options: once,
    begins: (desk) => {
      const damaged: Mishap = { kind: 'status', status: 200, body: { data: { account_id: 'acc_1' } } };
      desk.host.mishap = (id) => (id === 'getAccountTradingPolicy' ? damaged : undefined);
      return undefined;
    },
    exit: 9,
    told: [
      ['blind@', /could not be fetched/],
      ['price', /above 1/],
    ],
    lines: 'blind fired fired did did',
    isFlat: true,
  },
  {
    words: 'a TWAP without a size: what it may still trade is unknown, and everything else is judged',
    rules: `[breach]\nwithin = "1%"\n${price}`,
    options: once,
    begins: (desk) => {
      const twap = { id: 'twap_7', account_id: 'acc_1', market_id: 'binance|BTCUSDT', side: 'buy', status: 'running' };
      const damaged: Mishap = { kind: 'status', status: 200, body: { data: [twap], has_more: false } };
      desk.host.mishap = (id) => (id === 'listActiveTwapOrders' ? damaged : undefined);
      return undefined;
    },
    exit: 9,
    told: [
      ['blind@', /could not be fetched: .*data\[0\]\.total_size must be a number/],
      ['price', /above 1/],
    ],
    // A TWAP that can't be read can't be stopped, either.
    lines: 'blind fired fired not_done not_done did',
    isFlat: true,
  },
  {
    words: 'the positions are unknown in a single check, which acts on the equity that the host reports',
    rules: '[breach]\nwithin = "1%"\n[daily-stop]\nloss = "2%"\n',
    options: once,
    begins: (desk) => {
      desk.host.mishap = (id) => (id === 'listOpenPositions' ? status(503) : undefined);
      desk.host.balance = 90_000;
      return undefined;
    },
    exit: 9,
    told: [
      ['blind@', /could not be fetched: Staged/],
      ['daily-stop', /^Daily stop/],
    ],
    lines: 'blind fired fired not_done not_done did',
  },
  {
    words: 'one read is refused, once',
    begins: (desk) => {
      let isDone = false;
      desk.host.mishap = (id) => {
        const isNow = !isDone && id === 'getAccount' && desk.time.now > 5_000;
        isDone ||= isNow;
        return isNow ? status(401) : undefined;
      };
      return undefined;
    },
    exit: 130,
    told: [stopped],
    lines: 'blind sees fired',
  },
  {
    words: 'the credential is refused for a minute',
    begins: (desk) => down(desk, status(401), 10_000),
    exit: 4,
    told: [
      ['blind@', /staged/i],
      ['end@', /The guard has ended: Staged/],
    ],
    lines: 'blind fired fired',
  },
  {
    words: 'closing fails',
    rules: price,
    begins: (desk) => {
      desk.host.mishap = (id) => (['closePosition', 'createOrder'].includes(id) ? status(422) : undefined);
      return undefined;
    },
    exit: 130,
    told: [['price', /above 1/], ['price', /^Still not done, flatten: position pos_1: Staged\. The cause: /], stopped],
    lines: 'fired did not_done fired not_done fired',
  },
  {
    words: 'closing fails in a single check',
    rules: price,
    options: once,
    begins: (desk) => {
      desk.host.mishap = (id) => (['closePosition', 'createOrder'].includes(id) ? status(422) : undefined);
      return undefined;
    },
    exit: 9,
    told: [['price', /above 1/]],
    lines: 'fired not_done did',
  },
  {
    words: 'the disk is full',
    rules: price,
    begins: (_, disk) => {
      disk.code = 'ENOSPC';
      return undefined;
    },
    exit: 130,
    told: [['price', /above 1/], ['unsaved@', /ENOSPC/], ['price', /^Still not done, lock: ENOSPC/], stopped],
    lines: 'fired fired not_done did fired not_done fired',
    isFlat: true,
  },
  {
    words: 'the state is damaged',
    begins: (desk) => {
      mkdirSync(files(desk).folder, { recursive: true });
      writeFileSync(files(desk).state, 'damaged');
      return undefined;
    },
    exit: 130,
    told: [['damaged@', /was damaged; it is now/], stopped],
    lines: 'fired fired',
  },
  {
    words: 'another guard is in charge',
    begins: (desk) => takeCharge(files(desk).folder, 'acc_1', { now: 0, plans: false }, () => {}),
    exit: 6,
    told: [['end@', /has been in charge/]],
    lines: 'fired',
  },
  { words: 'the rules are invalid', rules: '[nonsense]\n', exit: 2, told: [['end@', /line 1/]], lines: 'fired' },
  {
    words: 'a market does not exist',
    rules: '[price]\nmarket = "NOPE"\nabove = 1\n',
    exit: 3,
    told: [['end@', /There is no market "NOPE"/]],
    lines: 'fired',
  },
  {
    words: 'the account has failed',
    begins: (desk) => {
      desk.time.timers.after(5_000, () => {
        desk.host.status = 'failed';
      });
      return undefined;
    },
    exit: 0,
    told: [
      ['ended@failed', /nothing is left to guard/],
      ['end@', /can no longer trade/],
    ],
    lines: 'fired fired',
  },
  {
    words: 'the account has failed, and the fills that ended it can’t be read',
    rules: '[fills]\n',
    begins: (desk) => {
      desk.time.timers.after(5_000, () => {
        desk.host.status = 'failed';
        desk.host.mishap = (id) => (id === 'listFills' ? status(503) : undefined);
      });
      return undefined;
    },
    exit: 9,
    told: [
      ['ended@failed', /nothing is left to guard/],
      ['end@', /can no longer trade, and the fills that ended it could not be read/],
    ],
    lines: 'fired blind fired',
  },
  {
    words: 'something is opened in a locked, flattened account',
    rules: price,
    begins: (desk) => {
      desk.time.timers.after(30_000, () => void desk.host.open(marketIds[1]!, 'long', 1));
      return undefined;
    },
    exit: 130,
    told: [['price', /above 1/], ['price', /^Opened despite the lock: ETH/], stopped],
    lines: 'fired did did fired did fired',
    isFlat: true,
  },
];

for (const [nth, row] of table.entries())
  test(`${row.words}: the line, the alert and the exit status`, async () => {
    using desk = new StagedDesk(nth);
    using disk = new FailingDisk(desk.state);
    const { host, time } = desk;
    host.open(marketIds[0]!, 'long', 1);
    using _ = row.begins?.(desk, disk);
    const file = join(desk.folder, 'rules.toml');
    writeFileSync(file, row.rules ?? idle);
    const run = desk.perp([
      'guard',
      '--rules',
      file,
      '--exec',
      'x',
      '-o',
      'ndjson',
      '--account',
      'acc_1',
      ...(row.options ?? []),
    ]);
    const stop = row.stop ?? { at: 120_000, with: 'SIGTERM' };
    const ended = await time.during(Promise.race([run, time.sleep(stop.at)]));
    if (ended === undefined) desk.signal(stop.with);
    const { exit, out, err } = await time.during(run);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const told = desk.told.map(({ alert }) => [alert.key, alert.says]);
    assert.deepEqual([exit, lines.map(({ event }) => event).join(' ')], [row.exit, row.lines], `${out}${err}`);
    assert.equal(told.length, row.told.length, JSON.stringify(told));
    for (const [at, [key, says]] of row.told.entries()) {
      assert.ok(told[at]![0].startsWith(key), `${told[at]![0]} is not ${key}`);
      assert.match(told[at]![1], says);
    }
    for (const { alert } of desk.told) {
      assert.deepEqual([alert.event, typeof alert.time, alert.repeated], ['fired', 'number', false]);
      if (alert.key.startsWith('end@')) assert.equal(alert.facts.exit, exit);
    }
    if (row.isFlat === true) assert.equal(host.positions.size, 0);
  });
