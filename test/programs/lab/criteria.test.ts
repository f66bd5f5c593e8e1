import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Figures, judge, parseCriteria } from '../../../src/programs/lab/criteria.ts';

const unknown: Figures = {
  sharpe: null,
  return: null,
  drawdown: null,
  trips: null,
  breaches: null,
  failed: null,
  luck: null,
  dsr: null,
  pbo: null,
};

describe('criteria', () => {
  it('are lines of a figure, a sign and a number', () => {
    const { list, text } = parseCriteria('# mine\nSharpe>=1.50\r\n\n drawdown  <= 5 % # of equity\ntrips > 0030\n');
    assert.equal(text, 'sharpe >= 1.5\ndrawdown <= 5%\ntrips > 30');
    assert.deepEqual(
      list.map(({ figure, sign, bound }) => [figure, sign, bound]),
      [
        ['sharpe', '>=', 1.5],
        ['drawdown', '<=', 0.05],
        ['trips', '>', 30],
      ],
    );
  });

  it('have a hash of what they say, not of how it is written', () => {
    const { hash } = parseCriteria('sharpe >= 1.5');
    assert.equal(parseCriteria('  sharpe>=1.500 # more\n').hash, hash);
    assert.notEqual(parseCriteria('sharpe >= 1.6').hash, hash);
    assert.notEqual(parseCriteria('sharpe > 1.5').hash, hash);
  });

  it('that can not be read name their line', () => {
    for (const [text, message] of [
      ['', /no criteria/],
      ['sharpe >= 1\nsharp >= 1', /Line 2 of the criteria: no figure "sharp". Figures: sharpe, return/],
      ['sharpe = 1', /has no comparison/],
      ['sharpe >= much', /"much" is not a number/],
      ['sharpe >=', /"" is not a number/],
      ['sharpe >= NaN', /not a number/],
      ['trips >= 5%', /trips is not a percentage/],
      ['drawdown <= 5', /drawdown is a percentage. Write: drawdown <= 5%/],
      ['constructor > 1', /no figure/],
    ] as const)
      assert.throws(() => parseCriteria(text), { name: 'Failure', message });
  });

  it('are kept by figures at the bound only if the sign says so; an unknown figure keeps none', () => {
    const criteria = parseCriteria('trips >= 30\ntrips > 30\ndrawdown <= 5%\ndrawdown < 5%\npbo <= 1\nreturn > 0');
    const met = (figures: Partial<Figures>) => judge(criteria, { ...unknown, ...figures }).map(({ isMet }) => isMet);
    assert.deepEqual(met({ trips: 30, drawdown: 0.05, return: 0 }), [true, false, true, false, false, false]);
    assert.deepEqual(met({ trips: 31, drawdown: 0.01, return: 0.1, pbo: 0 }), [true, true, true, true, true, true]);
  });
});
