import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../../seed.ts';
import { cronTrial, flattenTrial, guardTrial, type Measured } from './staged/trial.ts';

const count = process.env.PERP_LONG === '1' ? 10_000 : 200;

test(`with ${count} drawn faults, guard and flatten are flat within 15 s of an accepted close, and a guard tells within 60 s`, {
  timeout: 3_600_000,
}, async (t) => {
  const results: Measured[] = [];
  const failures: string[] = [];
  for (let nth = 0; nth < count; nth++)
    await (nth % 10 === 9 ? flattenTrial : nth % 10 === 8 ? cronTrial : guardTrial)(seed * 100_000 + nth).then(
      (result) => results.push(result),
      (error: Error) => failures.push(`${seed * 100_000 + nth}: ${error.message}`),
    );
  const most = (of: (one: Measured) => number) => results.reduce((max, one) => Math.max(max, of(one)), 0);
  t.diagnostic(`seeds ${seed * 100_000} to ${seed * 100_000 + count - 1}`);
  t.diagnostic(
    `flat after at most ${most((one) => one.flatAfter)} ms, told after at most ${most((one) => one.toldAfter)} ms, first word after at most ${most((one) => one.wordAfter)} ms`,
  );
  assert.equal(failures.length, 0, `${failures.length} failed:\n${failures.slice(0, 5).join('\n\n')}`);
});
