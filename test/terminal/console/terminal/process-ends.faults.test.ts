import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { BuiltRun, buildPerp, freshWorld, machine, type Served, servedWorld } from '../../cli/built-perp.ts';
import { HalfOpenHost, type Silence } from './half-open-host.ts';

/** A process has to end within this time, plus what a busy machine takes to start the next turn. */
const withinMs = 2_000;
const slackMs = 5_000;

const here = machine();
let served: Served;

before(async () => {
  buildPerp();
  await freshWorld(here.variables, 1);
  served = await servedWorld(here.variables);
  const buy = ['order', 'place', 'BTC', 'buy', '0.1', '--leverage', '1', '--margin', 'cross'];
  assert.equal((await new BuiltRun(buy, here.variables).ended).exit, 0);
});
after(async () => {
  await served.stop();
  here.remove();
});

const long = ['stream trades BTC', 'stream account', 'watch -o ndjson', 'guard --trail 5%', 'positions --watch'];
const rest = [
  'order place BTC buy 0.01 --limit-price 1000 --leverage 1 --margin cross --wait',
  'accounts',
  'batch',
  'flatten --yes',
];
const timed = ['stream trades BTC --for 1s', 'stream account --for 1s'];

/** What perp needs to use a host whose streams, or which as a whole, is half open. */
function variables(host: HalfOpenHost, isWhole: boolean): Record<string, string> {
  const stream = `ws://${host.address}`;
  return {
    ...here.variables,
    PERP_ENV: 'live',
    PERP_BASE_URL: isWhole ? `http://${host.address}` : served.baseUrl,
    PERP_API_KEY: served.key,
    PERP_MARKET_STREAM_URL: stream,
    PERP_ACCOUNT_STREAM_URL: stream,
  };
}

async function endsInTime(words: string, run: BuiltRun, signal: NodeJS.Signals | undefined): Promise<void> {
  if (signal !== undefined) run.process.kill(signal);
  const begun = performance.now();
  const ended = await Promise.race([run.ended, delay(withinMs + slackMs + 7_000, undefined, { ref: false })]);
  run.process.kill('SIGKILL');
  const tookMs = Math.round(performance.now() - begun);
  assert.ok(
    ended !== undefined && tookMs <= withinMs + slackMs,
    `${words}: ${tookMs} ms after ${signal ?? 'its time'}`,
  );
}

const hosts: [silence: Silence, isWhole: boolean][] = [
  ['from the start', false],
  ['after the handshake', false],
  ['after the handshake', true],
];

for (const [silence, isWhole] of hosts)
  test(`every command ends in time when ${isWhole ? 'a host' : 'its streams'} fall${isWhole ? 's' : ''} silent ${silence}`, async (t) => {
    await using host = await HalfOpenHost.open(silence);
    const own = variables(host, isWhole);
    const signals = ['SIGTERM', 'SIGINT'] as const;
    const failures: string[] = [];
    const trial = async (words: string, nth: number) => {
      const isTimed = words.includes('--for');
      const run = new BuiltRun(words.split(' '), own);
      if (words === 'batch') run.process.stdin.write('accounts\n');
      await delay(isTimed ? 1_500 : 1_000);
      const signal = isTimed ? undefined : signals[nth % 2]!;
      await endsInTime(`perp ${words}`, run, signal).catch((error: Error) =>
        failures.push(`${error.message}\n${run.err}`),
      );
    };
    const words = isWhole ? [...long.slice(0, 4), ...rest] : [...long, rest[0]!, ...timed];
    for (let at = 0; at < words.length; at += 6)
      await Promise.all(words.slice(at, at + 6).map((one, nth) => trial(one, at + nth)));
    t.diagnostic(`${words.length} commands`);
    assert.deepEqual(failures, []);
  });

test('serving and recording a venue that falls silent end in time', async () => {
  await using venue = await HalfOpenHost.open('after the handshake');
  const binance = {
    PERP_VENUES_BINANCE_WS_URL: `ws://${venue.address}`,
    PERP_VENUES_BINANCE_REST_URL: `http://${venue.address}`,
  };
  const file = join(here.folder, 'day.jsonl.gz');
  for (const [nth, words] of [
    `sim record BTC --out ${file}`,
    'sim serve --port 0 --sandbox-port 0 --state other --books live',
    'sim serve --port 0 --sandbox-port 0 --state third',
  ].entries()) {
    const run = new BuiltRun(words.split(' '), { ...here.variables, ...binance });
    await delay(1_500);
    await endsInTime(`perp ${words}`, run, nth % 2 === 0 ? 'SIGTERM' : 'SIGINT');
  }
});
