import assert from 'node:assert/strict';
import { test } from 'node:test';
import { survivalTrial } from './survivors.ts';

test('at least 99% of the accounts that take the largest size live when they meet their own stop', {
  timeout: 7_200_000,
}, async () => {
  const accounts = process.env.PERP_LONG ? 10_000 : 30;
  const survival = await survivalTrial(accounts);
  console.log(JSON.stringify(survival));
  assert.ok(survival.failed <= survival.met / 100, JSON.stringify(survival));
  assert.ok(survival.by.max.met > 0 && survival.by.risk.met > 0, JSON.stringify(survival));
});
