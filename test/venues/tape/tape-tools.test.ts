import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { tapeInfo } from '../../../src/venues/live/tapes.ts';
import { lockTape, partFile, partFiles } from '../../../src/venues/tape/parts.ts';
import { TapeLines } from '../../../src/venues/tape/tape-lines.ts';
import { openTape } from '../../../src/venues/tape/tape-source.ts';
import { eventText, sliceText } from '../../../src/venues/tape/tape-text.ts';
import { TapeWriter } from '../../../src/venues/tape/tape-writer.ts';
import { verifyTape } from '../../../src/venues/tape/verify.ts';
import { writeTape } from '../../../src/venues/tape/write-recording.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { temporaryFolder } from '../../exchange/markets/recording-file.ts';
import { test, trial } from '../../tiers.ts';
import { drawnMarkets, drawTape } from '../live/drawn-tape.ts';

async function joined(lines: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const line of lines) text += line;
  return text;
}

const proofs = (tape: string) => [...verifyTape(tape)].map(({ proof }) => proof);

async function drawn(t: TestContext, seed: number, name = 'day.jsonl.gz'): Promise<string> {
  const tape = join(temporaryFolder(t), name);
  await drawTape(tape, new Chance(seed), { events: 200, partBytes: 4_000 });
  return tape;
}

test('every part of a closed tape is verified, and each follows on the one before', async (t) => {
  const tape = await drawn(t, 1);
  const parts = [...verifyTape(tape)];
  assert.ok(parts.length > 2);
  for (const [at, { number, file }] of partFiles(tape).entries()) {
    const bytes = readFileSync(file);
    const follows = /"previous_sha256":"(\w+)"/.exec(String(file.endsWith('.gz') ? gunzipSync(bytes) : bytes))?.[1];
    assert.equal(follows, parts[at - 1]?.sha256 ?? undefined, `part ${number}`);
  }
  assert.deepEqual(new Set(proofs(tape)), new Set(['verified']));
});

trial('a byte that changed anywhere, a missing part and a part of another tape are damage', async (t) => {
  const tape = await drawn(t, 2, 'day.jsonl');
  const other = await drawn(t, 3, 'day.jsonl');
  const chance = new Chance(2);
  for (let trial = 0; trial < 60; trial += 1) {
    const { file } = chance.pick(partFiles(tape));
    const whole = readFileSync(file);
    const changed = Buffer.from(whole);
    const at = chance.between(0, whole.length - 1);
    changed[at] = (changed[at]! + chance.between(1, 90)) % 128;
    writeFileSync(file, changed);
    assert.ok(proofs(tape).includes('damaged'), `byte ${at} of ${file}`);
    writeFileSync(file, whole);
  }
  const second = readFileSync(partFile(tape, 2, false));
  writeFileSync(partFile(tape, 2, false), readFileSync(partFile(other, 2, false)));
  assert.ok(proofs(tape).includes('damaged'));
  rmSync(partFile(tape, 2, false));
  assert.ok(proofs(tape).includes('damaged'));
  writeFileSync(partFile(tape, 2, false), second);
  assert.deepEqual(new Set(proofs(tape)), new Set(['verified']));
});

test('a tape that lacks a part is neither printed nor cut nor listed as known; a part alone is verified', async (t) => {
  const tape = await drawn(t, 11);
  const missing = /part 2 is missing: .*day\.part3\.jsonl\.gz comes after it/;
  rmSync(partFile(tape, 2, true));
  await assert.rejects(joined(eventText(tape, {})), missing);
  await assert.rejects(joined(sliceText(tape, {})), missing);
  assert.match(tapeInfo(tape).problem!, missing);
  assert.deepEqual(proofs(partFile(tape, 3, true)), ['verified']);
  writeFileSync(tape, readFileSync(partFile(tape, 3, true)));
  assert.equal(proofs(tape)[0], 'damaged', 'a later part has the name of the first');
});

test('an incomplete last line, which a killed recorder leaves, is no damage and no event', async (t) => {
  const tape = await drawn(t, 12, 'day.jsonl');
  rmSync(join(tape, '../day.summary.json'));
  const last = partFiles(tape).at(-1)!;
  const lines = readFileSync(last.file, 'utf8').split('\n').slice(0, -2);
  writeFileSync(last.file, `${lines.join('\n')}\n`);
  const whole = await joined(eventText(tape, {}));
  writeFileSync(last.file, `${lines.join('\n')}\n{"time":17000`);
  assert.deepEqual(proofs(tape).slice(-2), ['verified', 'unproved']);
  assert.equal(await joined(eventText(tape, {})), whole);
});

test('a closed tape that is continued and whose recorder is killed is not proved at its end, but not damaged', async (t) => {
  const tape = await drawn(t, 13, 'day.jsonl');
  const from = tapeInfo(tape).to + 1_000;
  const writer = TapeWriter.open(tape, { now: () => from, standing: () => null });
  writer.noteJump(5_000);
  const killed = temporaryFolder(t);
  for (const name of readdirSync(join(tape, '..')).filter((one) => !one.endsWith('.lock')))
    copyFileSync(join(tape, '..', name), join(killed, name));
  await writer.close();
  assert.deepEqual(proofs(join(killed, 'day.jsonl')).slice(-2), ['verified', 'unproved']);
  assert.deepEqual(new Set(proofs(tape)), new Set(['verified']));
});

test('a part without a hash at its end is not proved, but not damaged either', async (t) => {
  const tape = await drawn(t, 4, 'day.jsonl');
  const last = partFiles(tape).at(-1)!;
  const text = readFileSync(last.file, 'utf8');
  writeFileSync(last.file, text.slice(0, text.lastIndexOf('{"time":')));
  assert.equal(proofs(tape).at(-1), 'damaged', 'the summary still states its hash');
  rmSync(join(tape, '../day.summary.json'));
  assert.deepEqual(proofs(tape).slice(-2), ['verified', 'unproved']);
});

test('all events come once and in order, across the parts', async (t) => {
  const tape = await drawn(t, 5);
  const text = await joined(eventText(tape, {}));
  const times = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).time as number);
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  );
  const parts = partFiles(tape).map(({ file }) => gunzipSync(readFileSync(file)).toString('utf8'));
  const events = parts.flatMap((part, at) => {
    const lines = part.trimEnd().split('\n');
    return lines.slice(at === 0 ? 0 : lines.findIndex((line) => line.includes('"tape":{"part"')));
  });
  assert.equal(
    text,
    events
      .filter((line) => !line.includes('"tape":'))
      .map((line) => `${line}\n`)
      .join(''),
  );
});

trial('a stretch of a tape has the books that the tape has at every moment of it', async (t) => {
  for (const seed of [6, 7, 8]) {
    const tape = await drawn(t, seed);
    const chance = new Chance(seed);
    const whole = openTape(tape);
    const from = chance.between(whole.firstTime, whole.lastTime);
    const to = chance.between(from, whole.lastTime);
    const markets = chance.chance(0.5) ? new Set([drawnMarkets[0]!.marketId]) : undefined;
    const file = join(temporaryFolder(t), 'cut.jsonl');
    writeFileSync(file, await joined(sliceText(tape, { from, to, markets })));
    assert.deepEqual(proofs(file), ['verified']);
    const cut = openTape(file);
    for (const { marketId } of cut.definitions)
      for (let time = from; time <= to; time += Math.max(1, Math.floor((to - from) / 50))) {
        const [one, other] = [whole, cut].map(({ source }) => source.book(marketId, time));
        assert.deepEqual(
          other === null ? null : [other!.bids, other!.asks, other!.gap?.reason],
          one === null ? null : [one!.bids, one!.asks, one!.gap?.reason],
          `${marketId} at ${time}, seed ${seed}`,
        );
        const [was, is] = [whole, cut].map(({ source }) => source.definitionAt!(marketId, time));
        assert.deepEqual(is, was);
      }
    cut.close();
    whole.close();
  }
});

test('a stretch never becomes a part of another tape, and what it replaces is forgotten', async (t) => {
  const tape = await drawn(t, 9);
  const beside = (name: string) => join(tape, '..', name);
  const cut = (out: string, options = {}) =>
    writeTape(beside(out), sliceText(tape, {}), { replaces: true, ...options });
  for (const name of ['day.jsonl', 'day.jsonl.gz', 'day.part2.jsonl', 'day.part99.jsonl.gz'])
    await assert.rejects(cut(name), /it would be a part of the tape day\.jsonl; choose another name/, name);
  await cut('cut.jsonl.gz', { dryRun: true });
  assert.ok(!existsSync(beside('cut.jsonl.gz')));
  writeFileSync(beside('cut.summary.json'), readFileSync(beside('day.summary.json')));
  await cut('cut.jsonl.gz');
  assert.deepEqual(tapeInfo(beside('cut.jsonl.gz')).to, tapeInfo(tape).to);
  const unlock = lockTape(beside('cut.jsonl.gz'));
  await assert.rejects(cut('cut.jsonl.gz'), /a process is recording to it/);
  unlock();
});

test('a disk that is full is no mistake in the command: the error keeps its code, and nothing is left', async (t) => {
  const folder = temporaryFolder(t);
  async function* lines() {
    yield '{}\n';
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  }
  await assert.rejects(writeTape(join(folder, 'cut.jsonl.gz'), lines(), {}), { code: 'ENOSPC' });
  assert.deepEqual(readdirSync(folder), []);
});

test('a stretch before the first market is refused', async (t) => {
  const tape = await drawn(t, 10);
  const whole = openTape(tape);
  const { firstTime: from } = whole;
  whole.close();
  await assert.rejects(joined(sliceText(tape, { from: from - 1, to: from - 1 })), /no market is on it in that stretch/);
});

test('a silent end of a tape counts: a market that is in a gap there was not known for that time', async (t) => {
  const tape = join(temporaryFolder(t), 'day.jsonl');
  const lines = new TapeLines(drawnMarkets[0]!);
  let time = Date.UTC(2026, 10, 20, 12);
  const writer = TapeWriter.open(tape, { now: () => time, standing: () => null });
  const levels = { bids: '[["1000.0","1.000"]]', asks: '[["1000.1","1.000"]]' };
  writer.append([lines.market(), lines.book('book', levels)]);
  time += 600_000;
  writer.append([lines.gap('connection', time)]);
  time += 600_000;
  await writer.close();
  assert.equal(tapeInfo(tape).markets[0]!.known, 0.5);
  rmSync(join(tape, '../day.summary.json'));
  assert.equal(tapeInfo(tape).markets[0]!.known, 0.5, 'also when its contents are counted again');
});
