import { verdictOf } from '../../../src/programs/lab/verdict.ts';
import { sweptTrials } from './sweeps.ts';
const base = { variants: 20, days: 730, shared: 0, active: 1, sharpe: 0, edged: 0, costs: 0 };
const cases = { 'single 1y': { variants: 1, edged: 1, days: 365 }, 'one of 20, 1y': { edged: 1, days: 365 }, 'one of 20, 2y': { edged: 1 }, 'one of 50, 3y': { variants: 50, edged: 1, days: 1095 }, 'one of 20 shared .9, 2y': {edged:1, shared:.9},'one of 20, 60 days':{edged:1,days:60} };
for (const [name, c] of Object.entries(cases)) {
  const sweep = { ...base, ...c }; const sharpe = 5 / Math.sqrt(sweep.days / 365);
  let found = 0; for (let s = 1; s <= 100; s++) if (verdictOf(sweptTrials(s, { ...sweep, sharpe })).isFound) found++;
  console.log(name, sharpe.toFixed(2), found);
}
