import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkPortfolio } from './portfolio.ts';

it('the account fails at exactly the first mark at or beyond the stated price, over thousands of portfolios', () => {
  let stated = 0;
  for (let seed = 1_000; seed < 4_000; seed++) stated += checkPortfolio(seed);
  assert.ok(stated > 2_000, `only ${stated} breach prices were stated`);
});
