import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { serve } from '../../../src/service/serve.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { beginning, seed } from '../../seed.ts';
import { CuttingProxy } from '../../wire/client/streams/cutting-proxy.ts';
import { Desk } from '../cli/practice.ts';
import { Armory } from './armory.ts';

/** Faults in all; each session has `perSession` of them. */
const faults = process.env.PERP_LONG === '1' ? 1_000 : 60;
const perSession = 10;
const atOnce = 6;

type Fault = 'cut' | 'stall' | 'restart' | 'clock' | 'focus' | 'resize' | 'paste' | 'repeat' | 'storm' | 'stopped';
const kinds: readonly Fault[] = [
  'cut',
  'stall',
  'restart',
  'clock',
  'focus',
  'resize',
  'paste',
  'repeat',
  'storm',
  'stopped',
];
/** The bar of armed keys is gone; an earlier fault's message may still be there. */
const disarmed = /^(?![\s\S]*\bARMED\b)[\s\S]*\bDISARMED\b/;
/** Those after which keys must be disarmed before anything else is sent. */
const disarming: ReadonlySet<Fault> = new Set(['cut', 'stall', 'restart', 'clock', 'focus', 'resize', 'stopped']);

test(`${faults} faults under armed keys: nothing is sent when disarmed or stale, and nothing stays unconfirmed`, async (t) => {
  const counts = { disarmed: 0, sent: 0 };
  // Most of a session is waiting, so several run side by side.
  for (let from = 0; from < faults; from += perSession * atOnce) {
    const sessions = Array.from({ length: Math.min(atOnce, Math.ceil((faults - from) / perSession)) }, (_, at) =>
      session(t, new Chance(seed * 1_000 + from + at), perSession, counts),
    );
    await Promise.all(sessions);
  }
  t.diagnostic(`seed ${seed}: ${counts.sent} orders, disarmed ${counts.disarmed} times`);
  assert.ok(counts.disarmed >= faults / 3, `${counts.disarmed} times disarmed`);
  assert.ok(counts.sent >= faults / 5, `${counts.sent} orders`);
});

/** A host behind a proxy, a trader with armed keys, and faults, one after the other. */
async function session(
  t: { after(fn: () => void | Promise<void>): void },
  chance: Chance,
  count: number,
  counts: { disarmed: number; sent: number },
): Promise<void> {
  using desk = new Desk();
  const options = {
    stateDir: join(desk.folder, 'host'),
    beginning,
    sandboxPort: 0,
    drainMs: 0,
    rateLimit: 'off',
  } as const;
  const host = { PERP_STATE_DIR: options.stateDir };
  let service = await serve({ ...options, port: 0 });
  t.after(() => service.stop());
  const port = Number(new URL(service.baseUrl).port);
  const proxy = await CuttingProxy.open(t, service.baseUrl);
  const origin = `127.0.0.1:${proxy.port}`;
  const variables = {
    PERP_ENV: 'live',
    PERP_BASE_URL: `http://${origin}`,
    // One that outlives the service.
    PERP_API_KEY: (await desk.perp(['sim', 'key', 'add', '--json'], { variables: host })).json.api_key as string,
    PERP_MARKET_STREAM_URL: `ws://${origin}`,
    PERP_ACCOUNT_STREAM_URL: `ws://${origin}`,
  };
  const direct = { ...variables, PERP_BASE_URL: `http://127.0.0.1:${port}` };
  const json = async (...argv: string[]) => (await desk.perp([...argv, '--json'], { variables: direct })).json;
  const orders = async () => ((await json('order', 'list', '--ended', '--limit', '100')) as unknown[]).length;
  await using trader = await Armory.opened(desk, { variables });
  const { screen, clock } = trader;
  let isArmed = false;
  for (let at = 0; at < count; at++) {
    if (!isArmed) {
      screen.press('escape', 'escape', 't');
      await screen.shows(/connected$[\s\S]*ladder[\s\S]*\d\.\d[\s\S]*TRADING/m);
      await trader.arm('arm 0.001 --position 50000 --loss 2000 --for 15m --rate 1000');
      await screen.shows(/ARMED/);
      isArmed = true;
    }
    const before = await orders();
    // One order, well armed.
    clock.uptime += 800;
    screen.press('b');
    let after = before;
    for (let look = 0; look < 40 && after === before; look++) {
      await delay(25);
      after = await orders();
    }
    assert.ok(after - before <= 1, `${after - before} orders of one key`);
    counts.sent += after - before;
    // On a busy machine, an answer may take longer than the second after which keys are disarmed: then b was typed.
    if (!/\bARMED\b/.test((await screen.screen()).join('\n'))) {
      isArmed = false;
      continue;
    }
    const fault = chance.pick(kinds);
    service = await strike(fault, { trader, proxy, service, restart: () => serve({ ...options, port }) });
    if (disarming.has(fault)) {
      isArmed = false;
      await screen.shows(disarmed);
      counts.disarmed++;
      const then = await orders();
      // Keys of someone who has not noticed: they only type commands now, or ask.
      clock.uptime += 800;
      screen.press('b', 's', 'escape', 'escape');
      await delay(20);
      assert.equal(await orders(), then, `an order after ${fault}`);
    } else assert.ok((await orders()) - after <= 1, `${fault} placed more than one order`);
  }
  proxy.isCut = false;
  // By the clock that was set, which is the one that its writes have.
  const outside = { now: () => clock.wall + clock.uptime };
  await desk.perp(['pending', 'resume', '--yes'], { variables, outside });
  assert.deepEqual(await json('pending'), []);
}

interface Scene {
  readonly trader: Armory;
  readonly proxy: CuttingProxy;
  readonly service: Awaited<ReturnType<typeof serve>>;
  restart(): ReturnType<typeof serve>;
}

async function strike(fault: Fault, { trader, proxy, service, restart }: Scene) {
  const { screen, clock } = trader;
  switch (fault) {
    case 'cut':
      proxy.isCut = true;
      proxy.cut();
      screen.press('s');
      await screen.shows(disarmed);
      proxy.isCut = false;
      break;
    case 'stall':
      proxy.hold();
      for (let n = 0; n < 6; n++) {
        clock.uptime += 400;
        await delay(260);
      }
      await screen.shows(disarmed);
      proxy.release();
      break;
    case 'restart': {
      await service.stop();
      await screen.shows(disarmed);
      return restart();
    }
    case 'clock':
      clock.wall += 3_600_000;
      break;
    case 'focus':
      screen.send('\u001b[O');
      break;
    case 'resize':
      for (let n = 0; n < 20; n++) screen.resize(n % 2 === 0 ? 30 : 100, n % 2 === 0 ? 8 : 30);
      screen.resize(30, 8);
      await delay(300);
      screen.resize(100, 30);
      break;
    case 'paste':
      screen.send('\u001b[200~bbbsss\r\u001b[201~');
      break;
    case 'repeat':
      for (let n = 0; n < 30; n++) {
        clock.uptime += 33;
        screen.press('s');
        await delay(1);
      }
      break;
    case 'storm':
      screen.send('bsbsbsbs'.repeat(50));
      break;
    case 'stopped':
      clock.uptime += 5_000;
      break;
  }
  return service;
}
