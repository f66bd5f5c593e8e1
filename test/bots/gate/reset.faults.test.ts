import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BotsFile, gateFolder } from '../../../src/bots/gate/bots-file.ts';
import { mandateText } from '../../../src/desk/mandate/mandate-file.ts';
import { signMandate } from '../../../src/desk/mandate/signed.ts';
import { sentIn } from '../../../src/wire/contract/errors.ts';
import { BuiltRun, buildPerp, machine } from '../../terminal/cli/built-perp.ts';
import { overHttp } from './trials/refusals.ts';

const largestPositionUsd = 3_000;

/** What a simulation is reset to: the same markets, others, other plans. */
const resets = [[], ['--seed', '7'], ['--seed', '7'], ['--seed', '9', '--plan', 'prime,none'], ['--seed', '11']];

test('a gate whose simulation is reset judges its bots in the new run, and says of each refusal whether it was sent', {
  timeout: 300_000,
}, async (t) => {
  buildPerp();
  const { folder, variables, remove } = machine();
  t.after(remove);
  const perp = async (...argv: string[]) => {
    const run = new BuiltRun([...argv, '--json'], variables);
    await run.ended;
    assert.notEqual(run.out, '', run.err);
    return JSON.parse(run.out);
  };
  const [{ id: account_id }] = await perp('accounts', 'list');
  const terms = { accounts: [account_id], markets: ['binance|BTCUSDT'], sides: ['buy' as const, 'sell' as const] };
  const limits = { largestOrderUsd: 2_000, largestPositionUsd, lossPerDayUsd: 1e9, ordersPerMinute: 100_000 };
  const mandate = { name: 'all', ...terms, ...limits, until: Date.now() + 86_400_000 };
  const file = join(folder, 'all.toml');
  writeFileSync(file, mandateText(mandate));
  signMandate(variables, mandate, Date.now());
  const bots = new BotsFile(gateFolder(variables));
  const { text: botKey } = bots.add('all', 'live', Date.now(), Date.now() + 3_600_000);
  const gate = new BuiltRun(
    ['gate', 'serve', '--port', '0', '--rate-limit', 'off', '--json', '--mandate', file],
    variables,
  );
  t.after(async () => {
    gate.process.kill('SIGTERM');
    await gate.ended;
  });
  await gate.printed(/\}\s*$/);
  const ask = overHttp(JSON.parse(gate.out).url, botKey);
  const body = {
    account_id,
    market_id: 'binance|BTCUSDT',
    side: 'buy',
    size: 0.005,
    leverage: 2,
    margin_mode: 'cross',
  };
  const order = async (key: string) => {
    const answer = await ask({ method: 'POST', path: '/v1/orders', key, body });
    const { error } = answer.body;
    assert.ok([200, 201, 422, 503].includes(answer.status), JSON.stringify(answer));
    if (answer.status === 503) assert.notEqual(sentIn(error.details), undefined, JSON.stringify(error));
    return answer;
  };
  /** Asks again while the gate opens the new run. */
  const patiently = async (key: string) => {
    for (;;) {
      const answer = await order(key);
      if (answer.status !== 503) return answer;
      await sleep(20);
    }
  };
  /** Buys until the mandate refuses; how many orders that took. */
  const fill = async (run: number) => {
    for (let orders = 0; ; orders += 1) {
      const { status, body } = await patiently(`${run}-${orders}`);
      if (status === 422) return { orders, rule: body.error.rule_id };
    }
  };
  const used: number[] = [];
  for (const [run, options] of [undefined, ...resets].entries()) {
    if (options !== undefined) {
      let isOver = false;
      const reset = perp('sim', 'reset', '--yes', ...options).finally(() => (isOver = true));
      for (let asked = 0; !isOver; asked += 1) await order(`during-${run}-${asked}`);
      await reset;
      // What was done before the reset is nothing in the new run: its key is judged anew, as an order of its own.
      const again = await patiently('0-0');
      assert.ok([201, 422].includes(again.status), JSON.stringify(again.body));
    }
    const { orders, rule } = await fill(run);
    assert.equal(rule, 'mandate-largest-position');
    used.push(orders);
    const positions = await perp('positions', '--account', account_id);
    const worth = positions.reduce(
      (sum: number, { size, entry_price }: Record<string, number>) => sum + size! * entry_price!,
      0,
    );
    assert.ok(worth > 0 && worth <= largestPositionUsd, `run ${run}: ${worth} USD`);
  }
  console.log(`orders until the mandate refused, run by run: ${used.join(', ')}`);
});
