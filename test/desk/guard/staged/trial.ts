import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { guardFiles } from '../../../../src/desk/guard/place.ts';
import { guardFolder } from '../../../../src/desk/lock/trading-lock.ts';
import { Chance } from '../../../exchange/engine/chance.ts';
import { drawFaults, type Fault, type FaultWorld } from './drawn-faults.ts';
import { FailingDisk } from './failing-disk.ts';
import { StagedDesk } from './staged-desk.ts';
import { marketIds } from './staged-host.ts';

const flatWithinMs = 15_000;
const toldWithinMs = 60_000;
const endsWithinMs = 2_000;

/**
 * What one trial measured, ms: from the moment that a close was accepted until flat, and until the program was told.
 */
export interface Measured {
  words: string;
  flatAfter: number;
  toldAfter: number;
  /** When the first alert came after the trigger was due. */
  wordAfter: number;
}

interface Due {
  words: string;
  at: number;
  rules: string;
  price(market: string, at: number): number;
}

/** Rules that become due at a time, with positions open. */
function drawDue(chance: Chance): Due {
  const at = 1_000 * chance.between(20, 40);
  const falling = (market: string, now: number) => (now >= at && market === marketIds[0] ? 90 : 100);
  const steady = () => 100;
  return chance.pick<Due>([
    { words: 'daily-stop', at, rules: '[daily-stop]\nloss = "2%"\n', price: falling },
    { words: 'price', at, rules: '[price]\nmarket = "BTC"\nbelow = 95\ndo = ["lock", "flatten"]\n', price: falling },
    {
      words: 'heartbeat',
      at,
      rules: `[heartbeat]\nfile = "/nowhere/alive"\nmax-age = "${at / 1_000}s"\n`,
      price: steady,
    },
    { words: 'flatten-before', at: 60_000, rules: '[flatten-before]\ntimes = "12:01"\n', price: steady },
  ]);
}

/**
 * One trial: positions are open and a rule becomes due, while faults drawn from the seed come and go. Throws unless the
 * account is flat in time after the host accepts a close, the alert program is told in time, every position is closed
 * once and none before the rule is due, and the guard ends in time.
 */
export async function guardTrial(seed: number): Promise<Measured> {
  const chance = new Chance(seed);
  using desk = new StagedDesk(seed);
  using disk = new FailingDisk(desk.state);
  const { host, time } = desk;
  const due = drawDue(chance);
  const faults = drawAcceptable(chance, due);
  const words = `seed ${seed}: ${due.words} due at ${due.at}; ${wordsOf(faults)}`;
  host.markOf = due.price;
  host.latencyMs = () => 10 + chance.next() * 100;
  openPositions(chance, host);
  stage(desk, disk, faults, chance);
  const tick = () => {
    host.tick();
    time.timers.after(1_000, tick);
  };
  tick();
  const rules = join(desk.folder, 'rules.toml');
  writeFileSync(rules, due.rules);
  const argv = ['guard', '--rules', rules, '--exec', 'alert', '-o', 'ndjson', '--account', 'acc_1'];
  const isRestarted = chance.chance(0.2);
  let accepts = acceptedAt(due, faults);
  const isKnowable = !(isRestarted && isHidden(faults, due)) && !isUnpriced(faults, due);
  let run = desk.perp(argv);
  if (isRestarted) {
    // The guard is restarted, as by a service manager.
    const restartAt = due.at - 5_000 + chance.between(0, 10_000);
    await time.during(Promise.race([run, time.sleep(restartAt)]));
    desk.signal(chance.pick(['SIGTERM', 'SIGINT']));
    const stoppedAt = time.now;
    await time.during(run);
    assert.ok(time.now - stoppedAt <= endsWithinMs, `${words}: it took ${time.now - stoppedAt} ms to end`);
    await time.during(time.sleep(chance.between(100, 5_000)));
    run = desk.perp(argv);
    // Nothing acts while no guard runs.
    accepts = Math.max(accepts, time.now);
  }
  const ended = await time.during(Promise.race([run, untilTold(desk, due, accepts + toldWithinMs + 5_000)]));
  assert.equal(ended?.exit, undefined, `${words}: the guard ended: ${ended?.exit} ${ended?.err}`);
  const stoppedAt = time.now;
  desk.signal('SIGTERM');
  const { exit, out } = await time.during(run);
  assert.equal(exit, 130, words);
  assert.ok(time.now - stoppedAt <= endsWithinMs, `${words}: it took ${time.now - stoppedAt} ms to end`);
  return measured(desk, { words, due, accepts, flatAt: host.flatSince, out, stoppedAt, isKnowable });
}

const cronMs = 60_000;

/**
 * As `guardTrial`, but with a single check each minute, as from cron. Throws unless one of the checks flattens the
 * account in time, or tells what it does not know.
 */
export async function cronTrial(seed: number): Promise<Measured> {
  const chance = new Chance(seed);
  using desk = new StagedDesk(seed);
  using disk = new FailingDisk(desk.state);
  const { host, time } = desk;
  const due = drawDue(chance);
  const faults = drawAcceptable(chance, due);
  const words = `seed ${seed}: each minute, ${due.words} due at ${due.at}; ${wordsOf(faults)}`;
  host.markOf = due.price;
  openPositions(chance, host);
  stage(desk, disk, faults, chance);
  const rules = join(desk.folder, 'rules.toml');
  writeFileSync(rules, due.rules);
  const argv = ['guard', '--once', '--rules', rules, '--exec', 'alert', '-o', 'ndjson', '--account', 'acc_1'];
  // A check has no streams: it knows nothing before its reads are answered.
  const isRead = ({ blocks, words: fault }: Fault) => blocks.knowing || /^(?:get|list)/.test(fault);
  const reads = faults.filter((fault) => isRead(fault) && Number.isFinite(fault.to));
  const accepts = Math.max(acceptedAt(due, faults), ...reads.map(({ to }) => to));
  const runs: string[] = [];
  while (time.now < accepts + cronMs + flatWithinMs && !(time.now > due.at && host.positions.size === 0)) {
    const next = time.now + cronMs;
    const { exit, out, err } = await time.during(desk.perp(argv));
    runs.push(`${exit} at ${time.now}: ${out}${err}`);
    assert.notEqual(exit, 1, `${words}\n${runs.join('\n')}`);
    if (host.positions.size > 0) await time.during(time.sleep(Math.max(1_000, next - time.now)));
  }
  const why = `${words}\n${runs.join('\n')}`;
  for (const { at } of host.closes) assert.ok(at >= due.at, `closed at ${at}, before it was due: ${why}`);
  const flatAfter = Math.max(0, host.flatSince - accepts);
  // Without its state, it does not know either what an earlier one has seen.
  const isUnread = faults.some(({ words: fault, to }) => !Number.isFinite(to) && /^(?:get|list)/.test(fault));
  const isLost = desk.told.some(({ alert }) =>
    (isUnread ? /^(?:blind|damaged|unsaved)/ : /^(?:damaged|unsaved)/).test(alert.key),
  );
  const hasFired = desk.told.some(({ alert }) => alert.rule === due.words);
  const isHeld = isLost && !hasFired;
  assert.ok(isHeld || hasFired, `the firing was not told: ${why}`);
  assert.ok(isHeld || flatAfter <= cronMs + flatWithinMs, `flat ${flatAfter} ms after ${accepts}: ${why}`);
  return { words, flatAfter: 0, toldAfter: 0, wordAfter: 0 };
}

/** Faults that let the host accept a close at last. */
function drawAcceptable(chance: Chance, due: Due): Fault[] {
  while (true) {
    const faults = drawFaults(chance, due.at);
    if (Number.isFinite(acceptedAt(due, faults))) return faults;
  }
}

function wordsOf(faults: readonly Fault[]): string {
  return faults.map(({ words, from, to }) => `${words} (${from} to ${to})`).join('; ');
}

/**
 * `perp flatten`, repeated until it says that the account is flat, while faults come and go. Throws unless it is flat
 * in time after the host accepts a close, and exit status 0 is true.
 */
export async function flattenTrial(seed: number): Promise<Measured> {
  const chance = new Chance(seed);
  using desk = new StagedDesk(seed);
  using disk = new FailingDisk(desk.state);
  const { host, time } = desk;
  const due: Due = { words: 'flatten', at: 20_000, rules: '', price: () => 100 };
  const faults = drawAcceptable(chance, due);
  const words = `seed ${seed}: flatten; ${wordsOf(faults)}`;
  openPositions(chance, host);
  stage(desk, disk, faults, chance);
  await time.during(time.sleep(due.at));
  const exits: number[] = [];
  let text = '';
  while (exits.at(-1) !== 0 && time.now < acceptedAt(due, faults) + 120_000) {
    const { exit, out, err } = await time.during(desk.perp(['flatten', '--yes', '--account', 'acc_1', '--json']));
    exits.push(exit);
    text = `${out}${err}`;
    if (exit !== 0) await time.during(time.sleep(500));
  }
  const left = [host.positions, host.orders, host.twaps].map(({ size }) => size);
  assert.ok(exits.at(-1) !== 0 || left.every((count) => count === 0), `${words}: exit 0 with ${left} left: ${text}`);
  assert.ok(
    exits.every((exit) => [0, 3, 4, 2, 7, 8, 9].includes(exit)),
    `${words}: ${exits} ${text}`,
  );
  const flatAfter = Math.max(0, host.flatSince - acceptedAt(due, faults));
  assert.ok(flatAfter <= flatWithinMs, `flat ${flatAfter} ms after an accepted close: ${words}: ${exits} ${text}`);
  return { words, flatAfter, toldAfter: 0, wordAfter: 0 };
}

/** Waits until the account has been flat for a while and the firing told, or until the latest moment. */
async function untilTold({ host, time, told }: StagedDesk, due: Due, latest: number): Promise<undefined> {
  const isOver = () => time.now - host.flatSince > 8_000 && told.some(({ alert }) => alert.rule === due.words);
  while (time.now < latest && !(time.now > due.at && isOver())) await time.sleep(1_000);
  return undefined;
}

interface Outcome {
  words: string;
  due: Due;
  accepts: number;
  flatAt: number;
  out: string;
  stoppedAt: number;
  isKnowable: boolean;
}

function measured({ host, told }: StagedDesk, outcome: Outcome): Measured {
  const { words, due, accepts, flatAt, out, stoppedAt, isKnowable } = outcome;
  const why = `${words}\n${out}`;
  if (!isKnowable && !(flatAt - accepts <= flatWithinMs)) {
    // What can't be known for a while is told, either itself or as soon as it is known.
    const isTold = told.some(
      ({ at, alert }) => at - due.at <= toldWithinMs && /^(?:blind|damaged|unsaved|price)/.test(alert.key),
    );
    assert.ok(isTold, `blindness was not told: ${why}`);
    return { words, flatAfter: 0, toldAfter: 0, wordAfter: 0 };
  }
  assert.ok(flatAt - accepts <= flatWithinMs, `flat ${flatAt - accepts} ms after ${accepts}: ${why}`);
  for (const { at } of host.closes) assert.ok(at >= due.at, `closed at ${at}, before it was due: ${why}`);
  const ids = host.closes.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, `closed twice: ${why}`);
  const fired = told.filter(({ alert }) => alert.rule === due.words);
  assert.ok(fired.length > 0, `the firing was not told: ${why}`);
  const toldAfter = fired[0]!.at - accepts;
  assert.ok(toldAfter <= toldWithinMs, `told ${toldAfter} ms after ${accepts}: ${why}`);
  const first = told.find(({ at, alert }) => at >= due.at - toldWithinMs && !alert.key.startsWith('seeing'));
  const wordAfter = first!.at - due.at;
  assert.ok(wordAfter <= toldWithinMs, `first told ${wordAfter} ms after it was due: ${why}`);
  assert.ok(told.at(-1)!.at >= stoppedAt && told.at(-1)!.alert.key.startsWith('end@'), `its end was not told: ${why}`);
  return {
    words,
    flatAfter: Math.max(0, flatAt - accepts),
    toldAfter: Math.max(0, toldAfter),
    wordAfter: Math.max(0, wordAfter),
  };
}

/** From when on the host accepts closes and the guard can know that one is due. */
function acceptedAt(due: Due, faults: readonly Fault[]): number {
  const areStreamsFaulty = faults.some(({ streams }) => streams !== undefined);
  const knowing = faults.filter(({ blocks }) => blocks.knowing);
  const endpoints = (id: string) => faults.filter(({ words }) => words.startsWith(id));
  const closing = [[...endpoints('closePosition'), ...endpoints('pos_')], endpoints('createOrder')];
  return Math.max(
    due.at,
    ...faults.filter(({ blocks }) => blocks.closing).map(({ to }) => to),
    // Streams alone tell prices and positions, and time passes by itself; but not without both.
    ...(areStreamsFaulty || knowing.length > 1 ? knowing.map(({ to }) => to) : []),
    // Positions that can't be listed are closed by one endpoint only.
    ...(endpoints('closeAllAccountPositions').length > 0 ? knowing.map(({ to }) => to) : []),
    // A position can be closed in two ways.
    ...(closing.every(({ length }) => length > 0) ? closing.flat().map(({ to }) => to) : []),
  );
}

/** Whether no endpoint and no stream tells the price of the rule. */
function isUnpriced(faults: readonly Fault[], { words: rule }: Due): boolean {
  const isUnquoted = faults.some(({ words }) => words.startsWith('getMarketQuote'));
  return rule === 'price' && isUnquoted && faults.some(({ streams }) => streams !== undefined);
}

/** Whether a guard that starts anew can't know what is due, nor learn of the positions from the host or a stream. */
function isHidden(faults: readonly Fault[], { words: rule }: Due): boolean {
  // Without its state, a guard does not know whether a time has passed that is still due, nor the market of a name, nor
  // a heartbeat.
  if (rule !== 'daily-stop' && faults.some(({ words }) => /the state|disk/.test(words))) return true;
  const isDown = faults.some(({ words }) => /^(?:getAccount|listOpenPositions)[ :]/.test(words));
  return isDown && faults.some(({ streams }) => streams !== undefined);
}

function openPositions(chance: Chance, host: StagedDesk['host']): void {
  host.open(marketIds[0]!, 'long', 500);
  const others = chance.between(0, 2);
  for (const market of marketIds.slice(1, 1 + others))
    host.open(market, chance.pick(['long', 'short']), chance.between(1, 50));
  for (let nth = 0; nth < chance.between(0, 2); nth++)
    host.orders.set(`ord_x${nth}`, {
      id: `ord_x${nth}`,
      market_id: chance.pick(marketIds),
      reduce_only: chance.chance(0.5),
    });
  if (chance.chance(0.3)) host.twaps.add('twap_x');
}

function stage(desk: StagedDesk, disk: FailingDisk, faults: readonly Fault[], chance: Chance): void {
  const { host, time } = desk;
  const files = () => {
    const folder = guardFolder(
      { PERP_STATE_DIR: desk.state },
      { environment: 'live', baseUrl: 'https://host.example' },
    );
    return { locks: join(folder, 'locks'), ...guardFiles(folder, 'acc_1') };
  };
  const world: FaultWorld = {
    host,
    disk: (code, opensFiles = false) => {
      Object.assign(disk, { code, opensFiles });
    },
    setAlertMs: (ms) => {
      desk.alertMs = ms;
    },
    occupy: (what) => {
      const file = what === 'lock' ? join(files().locks, `${basename(files().state, '.state')}.lock`) : files().state;
      const { code } = disk;
      disk.code = undefined;
      rmSync(file, { force: true, recursive: true });
      mkdirSync(join(file, 'x'), { recursive: true });
      disk.code = code;
    },
    setClock: (off) => {
      desk.clockOff = off;
    },
  };
  const isOn = ({ from, to }: Fault) => time.now >= from && time.now < to;
  host.mishap = (id, target) => {
    for (const fault of faults) {
      const mishap = isOn(fault) ? fault.mishap?.(id, target, chance) : undefined;
      if (mishap !== undefined) return mishap;
    }
    return undefined;
  };
  const on = () => faults.filter((fault) => fault.streams !== undefined && isOn(fault));
  host.streams = {
    refused: (path) =>
      on()
        .map(({ streams }) => streams?.refused?.(path))
        .find((one) => one !== undefined),
    frame: (path, frame) =>
      on()
        .map(({ streams }) => streams?.frame?.(path, frame))
        .find((one) => one !== undefined),
  };
  for (const fault of faults) {
    time.timers.after(fault.from, () => fault.begins?.(world));
    if (Number.isFinite(fault.to)) time.timers.after(fault.to, () => fault.ends?.(world));
  }
}
