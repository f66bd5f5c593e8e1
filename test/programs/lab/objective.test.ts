import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Objective, scoreText } from '../../../src/programs/lab/returns.ts';

test('a score says what it is of, and in which unit', () => {
  const cases: [Objective, number, string][] = [
    ['return', 0.01968, 'return 1.968%'],
    ['return', -0.0000000123, 'return -0.00000123%'],
    ['sharpe', 0.041234, 'Sharpe ratio of a period 0.04123'],
    ['return-per-drawdown', 1234.5, 'return per drawdown 1,235'],
    ['profit-factor', 1.5, 'profit factor 1.5'],
  ];
  for (const [objective, score, text] of cases) assert.equal(scoreText(objective, score), text);
});
