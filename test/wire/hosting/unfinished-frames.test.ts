import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { UnfinishedFrames } from '../../../src/wire/hosting/upgrades.ts';
import { test, trial } from '../../tiers.ts';

const mib = 1024 * 1024;
const [continuation, text, ping] = [0, 1, 9];

/** A frame as a client sends it (RFC 6455, 5.2): masked, its length in one, three or nine bytes. */
function frame(opcode: number, length: number, isLast = true): Buffer {
  const header = [opcode | (isLast ? 0x80 : 0)];
  if (length < 126) header.push(0x80 | length);
  else if (length < 65_536) header.push(0x80 | 126, length >> 8, length & 0xff);
  else header.push(0x80 | 127, 0, 0, 0, 0, length >>> 24, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff);
  return Buffer.concat([Buffer.from(header), Buffer.alloc(4 + length, 0xff)]);
}

/** Connections that are followed together. */
function following() {
  const frames = new UnfinishedFrames();
  const ended: string[] = [];
  const open = (name: string) => {
    const socket = new EventEmitter();
    frames.follow(socket as Socket, () => void ended.push(name));
    return { send: (bytes: Buffer) => socket.emit('data', bytes), close: () => socket.emit('close') };
  };
  return { ended, open };
}

trial('complete messages are not held, however many, in whatever pieces they come, with pings between', () => {
  const message = fc.record({
    parts: fc.array(fc.constantFrom(0, 1, 125, 126, 300, 65_535, 65_536, 200_000), { minLength: 1, maxLength: 4 }),
    ping: fc.constantFrom(null, 0, 125),
  });
  const property = fc.property(
    fc.array(message, { minLength: 1, maxLength: 8 }),
    fc.integer({ min: 100, max: 70_000 }),
    (messages, chunk) => {
      const { ended, open } = following();
      const client = open('client');
      const bytes = Buffer.concat(
        messages.flatMap(({ parts, ping: pinged }) =>
          parts.flatMap((length, at) => [
            frame(at === 0 ? text : continuation, length, at === parts.length - 1),
            ...(pinged === null ? [] : [frame(ping, pinged)]),
          ]),
        ),
      );
      for (let at = 0; at < bytes.length; at += chunk) client.send(bytes.subarray(at, at + chunk));
      // Nothing of it counts: what the next message may hold is as much as ever.
      client.send(frame(text, 16 * mib - 128, false));
      assert.deepEqual(ended, []);
      client.send(frame(continuation, 1, false));
      assert.deepEqual(ended, ['client']);
    },
  );
  fc.assert(property, { numRuns: 50 });
});

test('beyond 16 MiB in sum, who holds most is ended, and then no longer counts', () => {
  const { ended, open } = following();
  const [most, less, least] = ['most', 'less', 'least'].map(open);
  less!.send(frame(text, 5 * mib, false));
  most!.send(frame(text, 8 * mib, false));
  least!.send(frame(text, 2 * mib, false));
  assert.deepEqual(ended, []);
  least!.send(frame(continuation, mib, false));
  assert.deepEqual(ended, ['most']);
  most!.send(frame(continuation, 20 * mib, false));
  less!.send(frame(continuation, 7 * mib, false));
  assert.deepEqual(ended, ['most']);
  less!.close();
  least!.send(frame(continuation, 12 * mib, false));
  assert.deepEqual(ended, ['most']);
  least!.send(frame(continuation, mib, false));
  assert.deepEqual(ended, ['most', 'least']);
});

trial('each piece costs 128 bytes besides its own: many small ones are no way around the bound', () => {
  const { ended, open } = following();
  const client = open('client');
  const most = Math.floor((16 * mib) / 129);
  client.send(Buffer.concat(Array.from({ length: most }, (_, at) => frame(at === 0 ? text : continuation, 1, false))));
  assert.deepEqual(ended, []);
  client.send(frame(continuation, 1, false));
  assert.deepEqual(ended, ['client']);
  const empty = open('empty');
  empty.send(
    Buffer.concat(Array.from({ length: 2 * most }, (_, at) => frame(at === 0 ? text : continuation, 0, false))),
  );
  assert.deepEqual(ended, ['client'], 'an empty one is not kept');
  const slow = open('slow');
  const bytes = frame(text, 1_000_000);
  for (let at = 0; at < bytes.length - 1; at++) slow.send(bytes.subarray(at, at + 1));
  assert.deepEqual(ended, ['client', 'slow'], 'a frame that comes byte by byte is kept as so many pieces');
});
