import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTape } from '../../../src/venues/tape/tape-source.ts';
import { temporaryFolder } from '../../exchange/markets/recording-file.ts';
import { venueServer } from './live-scene.ts';
import { ListeningVenue } from './servers/listening.ts';

test('a recorder that is killed again and again loses no complete line, and its tape replays', {
  timeout: 240_000,
}, async (t) => {
  const server = venueServer('binance', Date.now);
  await using venue = await ListeningVenue.open(server);
  venue.move(2);
  const tape = join(temporaryFolder(t), 'day.jsonl.gz');
  const program = new URL('./programs/record.ts', import.meta.url).pathname;
  const written = () => readFileSync(tape.replace('.gz', ''), 'utf8');
  let before = '';
  for (let run = 0; run < 5; run += 1) {
    const child = spawn(process.execPath, [program, tape, JSON.stringify(venue.address)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await heard(child, 'live 1');
    while (written().split('"delta":').length < 20 * (run + 1)) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    const text = written();
    assert.ok(text.startsWith(before), 'whole lines of earlier runs stay');
    before = text.slice(0, text.lastIndexOf('\n') + 1);
  }
  const opened = openTape(tape);
  const cursor = opened.source.open(0);
  cursor.watch('binance|BTCUSDT', true);
  const kinds = new Map<string, number>();
  for (let event = cursor.next(opened.lastTime); event !== null; event = cursor.next(opened.lastTime)) {
    kinds.set(event.kind, (kinds.get(event.kind) ?? 0) + 1);
  }
  assert.equal(kinds.get('gap'), 4);
  assert.equal(kinds.get('gap_end'), 4);
  assert.ok(kinds.get('delta')! > 20);
  opened.close();
});

async function heard(child: ChildProcess, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', (data) => {
      if (String(data).includes(text)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the recorder ended with ${code}`)));
  });
}
