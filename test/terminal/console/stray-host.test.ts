import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Desk } from '../cli/practice.ts';

const key = { PERP_API_KEY: 'sim_live_0123456789abcdef' };
const address = { PERP_BASE_URL: 'https://api.example.com' };
const said = /is ignored in the simulation\. To use the host, add --env live or set PERP_ENV\./;

const table: [argv: string, variables: Record<string, string>, isSaid: boolean][] = [
  ['accounts', key, true],
  ['order place BTC buy 0.01', { ...key, ...address }, true],
  ['accounts', address, true],
  ['accounts --api-key-file nowhere', {}, true],
  ['accounts', {}, false],
  ['accounts --quiet', key, false],
  ['accounts --env sim', key, false],
  ['accounts', { ...key, PERP_ENV: 'sim' }, false],
  ['sim status', key, false],
  ['completion fish', key, false],
  ['config list', key, false],
];

for (const [argv, variables, isSaid] of table) {
  const given = Object.keys(variables).join(' and ') || 'nothing';
  test(`perp ${argv} with ${given} ${isSaid ? 'says once' : 'does not say'} that it is ignored in the simulation`, async () => {
    using desk = new Desk();
    const run = await desk.perp(argv.split(' '), { variables });
    assert.equal(run.exit, 0, run.err);
    assert.equal(run.err.split('is ignored in the simulation').length - 1, isSaid ? 1 : 0, run.err);
    if (isSaid) assert.match(run.err, said);
  });
}
