import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LinkReport, PersistentLink } from '../../../src/base/sockets/persistent-link.ts';
import { VirtualTime } from '../../wire/client/streams/scripted-stream.ts';

/** A connection that a test opens and loses. */
interface Scripted {
  readonly report: LinkReport<string>;
  isClosed: boolean;
  close(): void;
}

function lasting(raceMs: number | null = null, takesOver = true) {
  const time = new VirtualTime();
  const opened: Scripted[] = [];
  const told: string[] = [];
  const name = (one: Scripted) => opened.indexOf(one) + 1;
  const link: PersistentLink<Scripted, string> = new PersistentLink(
    time,
    { firstMs: 1_000, longestMs: 4_000, raceMs },
    {
      open(report) {
        const one: Scripted = {
          report,
          isClosed: false,
          close: () => {
            one.isClosed = true;
          },
        };
        opened.push(one);
        return one;
      },
      opened: (one) => told.push(`opened ${name(one)}`),
      lost: (one, end) => {
        told.push(`lost ${name(one)}: ${end}`);
        link.retry();
      },
      replacementLost: (end) => told.push(`replacement lost: ${end}`),
      takesOver: () => takesOver,
      promoted: (one) => told.push(`promoted ${name(one)}`),
    },
  );
  link.open();
  return { time, opened, told, link };
}

test('a lost connection is opened again after a delay that grows, and starts again once it has worked', async () => {
  const { time, opened, link } = lasting();
  // Delays are shortened by a quarter here.
  for (const delayMs of [750, 1_500, 3_000, 3_000]) {
    opened.at(-1)!.report.lost('gone');
    const { length } = opened;
    await time.pass(delayMs - 1);
    assert.equal(opened.length, length);
    await time.pass(1);
    assert.equal(opened.length, length + 1);
  }
  opened.at(-1)!.report.opened();
  link.worked();
  opened.at(-1)!.report.lost('gone');
  await time.pass(750);
  assert.equal(opened.length, 6);
});

test('a server that asks to wait is not asked sooner', async () => {
  const { time, opened, link } = lasting();
  link.holdOff(10_000);
  opened[0]!.report.lost('refused');
  await time.pass(9_999);
  assert.equal(opened.length, 1);
  await time.pass(1);
  assert.equal(opened.length, 2);
});

test('a connection that is slow to open is raced by another, and the first that opens is used', async () => {
  const { time, opened, told, link } = lasting(2_500);
  await time.pass(2_500);
  assert.equal(opened.length, 2);
  opened[1]!.report.opened();
  assert.equal(opened[0]!.isClosed, true);
  assert.equal(link.current, opened[1]);
  await time.pass(10_000);
  assert.deepEqual(told, ['opened 2']);
});

test('a replacement overlaps with its connection, and takes over at once when that is lost', () => {
  const { opened, told, link } = lasting();
  opened[0]!.report.opened();
  link.replace();
  link.replace();
  opened[1]!.report.opened();
  opened[0]!.report.lost('cut');
  assert.equal(link.current, opened[1]);
  assert.deepEqual(told, ['opened 1', 'opened 2', 'promoted 2']);
});

test('a connection whose replacement can’t take over is lost with it, and another is opened', async () => {
  const { time, opened, told, link } = lasting(null, false);
  opened[0]!.report.opened();
  link.replace();
  opened[0]!.report.lost('gone');
  assert.deepEqual([opened[1]!.isClosed, link.current, told.at(-1)], [true, null, 'lost 1: gone']);
  await time.pass(750);
  assert.equal(opened.length, 3);
});

test('a lost replacement leaves the connection as it is', () => {
  const { opened, told, link } = lasting();
  opened[0]!.report.opened();
  link.replace();
  opened[1]!.report.lost('cut');
  assert.equal(link.current, opened[0]);
  assert.deepEqual(told, ['opened 1', 'replacement lost: cut']);
});

test('once closed, everything is closed and nothing is opened again', async () => {
  const { time, opened, link } = lasting();
  opened[0]!.report.lost('gone');
  link.close();
  await time.pass(60_000);
  assert.equal(opened.length, 1);
  opened[0]!.report.opened();
  assert.equal(link.links.length, 0);
});
