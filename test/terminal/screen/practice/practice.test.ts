import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { seed } from '../../../seed.ts';
import { test, trial } from '../../../tiers.ts';
import { Desk } from '../../cli/practice.ts';
import { type DrawnTape, writeDrawnTape } from './drawn-tape.ts';

const start = Date.UTC(2023, 4, 30, 14, 30);
const drawn: DrawnTape = { symbol: 'QXZ', start, decimals: 1, sizeDecimals: 3, seconds: 240, seed };

/** Practices on a tape, line by line; the report is its JSON. */
async function practiced(desk: Desk, tape: string, lines: readonly string[], options: readonly string[] = []) {
  const run = await desk.perp(['practice', tape, '--plain', '--json', ...options], { input: `${lines.join('\n')}\n` });
  assert.equal(run.exit, 0, run.err);
  return { report: run.json, said: run.err };
}

const entry = 'order place QXZ buy 0.05 --stop-loss 2%';

trial(
  'a practice has a simulation of its own, and ends with a report of what was kept, traded and practiced on',
  async () => {
    using desk = new Desk();
    const tape = writeDrawnTape(desk.folder, 'day.jsonl', drawn);
    const lines = [
      entry,
      'go 30s',
      'stop QXZ 3%',
      'positions close QXZ',
      'order place QXZ sell 0.02',
      'status',
      'quit',
    ];
    const { report, said } = await practiced(desk, tape, lines);
    assert.match(said, /14:30:\d\d\.\d{3} {2}day 1 {2}QXZ [\s\S]*SIM practice, tape of 2023-05-30/);
    const { practice, trips, mistakes, against_doing_nothing: against, equity, rules } = report;
    assert.deepEqual(
      trips.map(({ side, size }: { side: string; size: number }) => [side, size]),
      [
        ['long', 0.05],
        ['short', 0.02],
      ],
    );
    assert.equal(trips[0].market_id, 'binance|QXZUSDT');
    assert.ok(Math.abs(trips[0].r * trips[0].one_r - trips[0].net) < 0.01);
    const kinds = mistakes.map(({ kind, trip }: { kind: string; trip: number }) => `${kind} ${trip}`);
    assert.deepEqual(kinds.toSorted(), ['no_stop 2', ...(trips[0].net < 0 ? ['revenge 2'] : []), 'stop_widened 1']);
    assert.ok(Math.abs(against - (equity - 100_000)) < 1e-6);
    assert.equal(rules.find(({ rule }: { rule: string }) => rule.startsWith('every position')).kept, false);
    assert.match(practice.again, /^perp practice \S*day\.jsonl --market QXZ --from 2023-05-30T14:30:/);
    // Nothing of it is left, and the user's own simulations were never made.
    assert.deepEqual(readdirSync(join(desk.folder, 'state', 'practice')), []);
    assert.deepEqual(
      readdirSync(join(desk.folder, 'state')).filter((name) => name.endsWith('.db')),
      [],
    );
  },
);

trial(
  'back at a bookmark, market and account are as they were, and the same commands have the same results',
  async () => {
    using desk = new Desk();
    const tape = writeDrawnTape(desk.folder, 'day.jsonl', drawn);
    const rest = ['status', 'order place QXZ buy 0.03', 'go 20s', 'step 7', 'positions', 'fills', 'status'];
    const { said, report } = await practiced(desk, tape, [
      entry,
      'go 10s',
      'bookmark here',
      ...rest,
      'back here',
      ...rest,
    ]);
    const after = said.slice(said.indexOf('\n', said.indexOf('Bookmark here')) + 1);
    const status = after.slice(0, after.indexOf('\n') + 1);
    const once = after.slice(0, (after.length - status.length) / 2);
    assert.match(once, /Filled {2}buy 0\.03 QXZ[\s\S]*long 0\.08/);
    assert.equal(after, `${once}${status}${once}`);
    assert.equal(report.practice.restarts, 1);
    assert.equal(report.trips.length, 1);
    // Another practice can start there.
    const later = await practiced(desk, tape, ['status'], ['--from', 'here']);
    const { time } = report.practice.bookmarks.find(({ name }: { name: string }) => name === 'here');
    assert.equal(later.report.practice.from, time);
  },
);

test('several days follow one another, and the account goes on', async () => {
  using desk = new Desk();
  // Midnight in New York is at 04:00.
  const drawnNight = { ...drawn, start: Date.UTC(2023, 4, 30, 3, 59), seconds: 120 };
  const tape = writeDrawnTape(desk.folder, 'night.jsonl', drawnNight);
  const { report, said } = await practiced(desk, tape, ['go 10s', entry, 'next', 'go 1h', 'go 1s']);
  assert.match(said, /04:00:00\.000 {2}day 2/);
  assert.match(said, /This is the end of the practice/);
  assert.deepEqual(
    report.days.map(({ day }: { day: string }) => day),
    ['2023-05-29', '2023-05-30'],
  );
  assert.equal(report.trips.length, 1);
  assert.ok(Math.abs(report.practice.to - (drawnNight.start + 120_000)) < 1_500);
});

const blindLines = ['markets', 'quote MKT', 'order place MKT buy risk:0.2% --stop-loss 1%', 'go 20s', 'positions'];
const more = [
  'step 5',
  'bookmark x',
  'fills',
  'order list',
  'accounts show',
  'order place QXZ buy 1',
  'go 40s',
  'status',
];

trial('blind, nothing that is printed before the end tells market, date, price level, or what is ahead', async () => {
  using desk = new Desk();
  const said: string[] = [];
  const tapes: DrawnTape[] = [
    drawn,
    { ...drawn, symbol: 'LONGNAME', decimals: 4, sizeDecimals: 0, start: start - 63 * 86_400_000 },
    { ...drawn, otherFrom: 70, seconds: 300 },
  ];
  for (const [at, tape] of tapes.entries()) {
    const file = writeDrawnTape(desk.folder, `secret-${at}.jsonl`, tape);
    const run = await practiced(desk, file, [...blindLines, ...more], ['--blind']);
    said.push(run.said);
    assert.equal(run.report.practice.symbol, tape.symbol);
    // The end is not ahead of the clock.
    assert.ok(run.report.practice.to < tape.start + 70_000);
  }
  assert.equal(said[1], said[0]);
  assert.equal(said[2], said[0]);
  const secrets = /QXZ(?! buy|")|LONGNAME|2023|secret|83,?[3-9]\d\d\.\d|8\.3[3-9]\d\d/;
  assert.doesNotMatch(said[0]!.replaceAll('There is no market "QXZ"', ''), secrets);
});

test('what can’t be practiced on is refused in a line, with the way out', async () => {
  using desk = new Desk();
  const tape = writeDrawnTape(desk.folder, 'day.jsonl', { ...drawn, seconds: 3 });
  const bare = writeDrawnTape(desk.folder, 'bare.jsonl', { ...drawn, seconds: 3, hasBooks: false });
  const damaged = join(desk.folder, 'damaged.jsonl');
  writeFileSync(damaged, `${readFileSync(tape, 'utf8').slice(0, 400)}\n`);
  const cases: [argv: string[], exit: number, says: RegExp][] = [
    [['nothing'], 3, /There is no tape "nothing"/],
    [[bare], 2, /no books of QXZ/],
    [[damaged], 2, /damaged\.jsonl/],
    [['2099-01-01'], 2, /has not begun/],
    [['2026-02-30'], 2, /There is no 2026-02-30/],
    [[tape, '--speed', '0'], 2, /--speed must be above zero/],
    [[tape, '--speed', '1000'], 2, /0\.25 to 100/],
    [[tape, '--seed', '3'], 2, /--seed is for synthetic/],
    [[tape, '--market', 'NOPE'], 3, /no market "NOPE"/],
    [[tape, '--from', 'nowhere'], 2, /no bookmark or time/],
    [[tape, '--state', 'default'], 2, /can't be combined with --state/],
    [[tape, '--env', 'live'], 2, /works only in the simulation/],
  ];
  for (const [argv, exit, says] of cases) {
    const run = await desk.perp(['practice', ...argv, '--plain', '--json']);
    assert.equal(run.exit, exit, `${argv.join(' ')}: ${run.err}`);
    assert.match(run.error.message, says);
    assert.ok(run.error.hint?.length > 0 || argv[0] === damaged, `${argv.join(' ')} has no way out`);
  }
});

test('a tape that is damaged further on is played up to there, and nothing says its name before the end', async () => {
  using desk = new Desk();
  const short = { ...drawn, seconds: 60 };
  const parts = [short, { ...short, start: start + 60_000 }].map((part, at) => {
    const file = writeDrawnTape(desk.folder, `drawn-${at}.jsonl`, part);
    const lines = readFileSync(file, 'utf8').split('\n');
    const text = (at === 0 ? lines : lines.with(60, '{"time":1,"damage')).join('\n');
    const tape = join(desk.folder, at === 0 ? 'day.jsonl.gz' : 'day.part2.jsonl.gz');
    writeFileSync(tape, gzipSync(text));
    return tape;
  });
  const { report, said } = await practiced(desk, parts[0]!, ['go 30s', 'go 1h', 'go 1s', 'status'], ['--blind']);
  assert.match(said, /14:30:5\d\.\d{3} [\s\S]*The market can't be read from here on/);
  assert.doesNotMatch(said, /day\.part2|QXZ|bug/);
  assert.match(report.ended, /can't be read from here on\. \S*day\.part2\.jsonl\.gz:61/);
  assert.equal(report.equity, 100_000);
});

test('a kept tape is practiced on by its name, by a date that it has, and at random', async () => {
  using desk = new Desk();
  const tapes = join(desk.folder, 'state', 'tapes');
  mkdirSync(tapes, { recursive: true });
  const tape = writeDrawnTape(tapes, 'kept.jsonl', { ...drawn, seconds: 30 });
  // Its recorder has made it.
  writeFileSync(join(tapes, 'kept.lock'), '');
  for (const what of ['kept', '2023-05-30', 'random']) {
    const { practice } = (await practiced(desk, what, ['status'])).report;
    assert.deepEqual([practice.tape, practice.symbol], [tape, 'QXZ'], what);
  }
  const seeded = (await practiced(desk, '2023-05-30', ['status'], ['--seed', '7'])).report.practice;
  assert.deepEqual([seeded.tape, seeded.seed], [null, 7], 'with a seed, no tape takes its place');
  const { practice } = (await practiced(desk, '2023-05-31', ['status'])).report;
  assert.deepEqual([practice.tape, practice.seed, practice.symbol], [null, 1, 'BTC']);
});

trial(
  'a practice that is left goes on as if it had not been: clock, account, bookmarks, disguise and report',
  async () => {
    using desk = new Desk();
    const tape = writeDrawnTape(desk.folder, 'day.jsonl', { ...drawn, seconds: 60 });
    const run = async (options: readonly string[], lines: readonly string[]) => {
      const { exit, out, err } = await desk.perp(['practice', ...options, '--plain', '--json'], {
        input: `${lines.join('\n')}\n`,
      });
      assert.equal(exit, 0, err);
      return { json: JSON.parse(out), said: err.replaceAll(/request id: \S+/g, '') };
    };
    for (const blind of [[], ['--blind']]) {
      const place = `order place ${blind.length === 0 ? 'QXZ' : 'MKT'} buy 0.05 --stop-loss 2%`;
      const before = [place, 'go 10s', 'bookmark here', 'go 15s', 'cancel-all', 'status'];
      const after = ['go 5s', 'positions', 'back here', 'positions', 'order list', 'go 20s', 'flatten', 'status'];
      const whole = await run([tape, ...blind], [...before, ...after]);
      const first = await run([tape, ...blind], [...before, 'leave', 'never']);
      assert.deepEqual([first.json.left, first.json.day], [true, 1]);
      const second = await run(['--continue'], after);
      assert.ok(whole.said.startsWith(first.said));
      // Its first line is the last one before.
      const [status, ...rest] = second.said.split('\n');
      assert.equal(first.said.trimEnd().split('\n').at(-1), status);
      assert.equal(first.said + rest.join('\n'), whole.said);
      assert.deepEqual(second.json, whole.json);
    }
    assert.deepEqual(readdirSync(join(desk.folder, 'state', 'practice')), []);
    const none = await desk.perp(['practice', '--continue', '--plain', '--json']);
    assert.deepEqual([none.exit, none.error.message], [3, 'No practice is left.']);
    const chosen = await desk.perp(['practice', tape, '--continue', '--plain', '--json']);
    assert.deepEqual([chosen.exit, chosen.error.message], [2, "--continue can't be combined with WHAT."]);
  },
);

test('bookmarks without a name are numbered', async () => {
  using desk = new Desk();
  const tape = writeDrawnTape(desk.folder, 'day.jsonl', { ...drawn, seconds: 60 });
  const { said } = await practiced(desk, tape, ['bookmark', 'go 5s', 'bookmark', 'back b1', 'status']);
  assert.match(said, /Bookmark b1 at [\s\S]*Bookmark b2 at /);
});

test('a random start is in the first half of its day, which begins at midnight in New York', async () => {
  using desk = new Desk();
  const { again } = (await practiced(desk, 'random', ['status'], ['--seed', '7'])).report.practice;
  const hour = new Date(/--from (\S+)/.exec(again)![1]!).getUTCHours();
  assert.ok(hour >= 4 && hour < 17, again);
});

test('why there is no price is said as it is: a book that is too old is no missing one', async () => {
  using desk = new Desk();
  const tape = writeDrawnTape(desk.folder, 'day.jsonl', { ...drawn, seconds: 3 });
  const lines = readFileSync(tape, 'utf8').trim().split('\n');
  const later = { ...JSON.parse(lines.findLast((text) => text.includes('"bids"'))!), time: start + 90_000 };
  writeFileSync(tape, `${[...lines, JSON.stringify(later)].join('\n')}\n`);
  const { said } = await practiced(desk, tape, ['go 30s']);
  assert.match(said, /14:30:3\d\.\d{3} {2}day 1 {2}QXZ: the book of QXZ is too old to quote from {2}equity/);
});

test('a file of bookmarks that is damaged is not replaced', async () => {
  using desk = new Desk();
  const folder = join(desk.folder, 'state', 'practice');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'seed-7.bookmarks.json');
  writeFileSync(file, '{"b1": 1767');
  const lines = { input: 'bookmark b2\n' };
  const run = await desk.perp(['practice', '2026-03-05', '--seed', '7', '--plain', '--json'], lines);
  assert.match(
    run.err,
    /Bookmark b2 at [\d:.]+ It can't be kept for later: \S+seed-7\.bookmarks\.json: is not a bookmarks file/,
  );
  assert.equal(readFileSync(file, 'utf8'), '{"b1": 1767');
});

test('what a killed practice has left is removed by the next one, and a running one is left alone', async () => {
  using desk = new Desk();
  const tape = writeDrawnTape(desk.folder, 'day.jsonl', { ...drawn, seconds: 3 });
  const folder = join(desk.folder, 'state', 'practice');
  const [killed, running] = [join(folder, '99999999-abc'), join(folder, `${process.pid}-abc`)];
  for (const left of [killed, running]) mkdirSync(left, { recursive: true });
  writeFileSync(join(killed, 'practice.db'), 'half');
  // Longer ago than a practice takes to lock its folder.
  utimesSync(killed, 0, 0);
  await practiced(desk, tape, ['status']);
  assert.deepEqual(readdirSync(folder), [`${process.pid}-abc`]);
});
