import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../../src/base/failure/failure.ts';
import type { Variables } from '../../../../src/base/files/folders.ts';
import { configFolder, stateFolder } from '../../../../src/base/files/folders.ts';
import type { GlobalInput } from '../../../../src/terminal/console/grammar/global-options.ts';
import { settingsOf } from '../../../../src/terminal/console/settings/settings.ts';

const says = (given: GlobalInput, variables: Variables = {}, config = {}) => {
  try {
    settingsOf(given, variables, config);
  } catch (error) {
    assert.ok(error instanceof Failure);
    assert.equal(error.facts.exit, 2);
    return `${error.message} ${error.facts.hint ?? ''}`;
  }
  return assert.fail('settled');
};

test('precedence is option, variable, config, default; an empty variable counts as unset', () => {
  const table: [GlobalInput, Variables, object, string][] = [
    [{ env: 'live' }, { PERP_ENV: 'sandbox' }, { env: 'sim' }, 'live'],
    [{}, { PERP_ENV: 'sandbox' }, { env: 'live' }, 'sandbox'],
    [{}, { PERP_ENV: '' }, { env: 'live' }, 'live'],
    [{}, {}, {}, 'sim'],
  ];
  for (const [given, variables, config, environment] of table) {
    assert.equal(settingsOf(given, variables, config).environment, environment);
  }
});

test('a timeout is in seconds, 30 without one', () => {
  assert.deepEqual([settingsOf({}, {}, {}).timeoutMs, settingsOf({ timeout: 5 }, {}, {}).timeoutMs], [30_000, 5_000]);
});

test('the account in the config belongs to its environment', () => {
  const config = { 'sim.account': 'acc_s', 'live.account': 'acc_l' };
  assert.equal(settingsOf({}, {}, config).account, 'acc_s');
  assert.equal(settingsOf({ env: 'live' }, {}, config).account, 'acc_l');
  assert.equal(settingsOf({ env: 'sandbox' }, {}, config).account, undefined);
  assert.equal(settingsOf({}, { PERP_ACCOUNT: 'acc_v' }, config).account, 'acc_v');
});

test('colors need a terminal that supports them', () => {
  assert.equal(settingsOf({}, {}, {}).color, true);
  assert.equal(settingsOf({ noColor: true }, {}, {}).color, false);
  assert.equal(settingsOf({}, { NO_COLOR: '1' }, {}).color, false);
  assert.equal(settingsOf({}, { NO_COLOR: '' }, {}).color, true);
  assert.equal(settingsOf({}, { NO_COLOR: '1', FORCE_COLOR: '1' }, {}).color, true);
  assert.equal(settingsOf({}, { FORCE_COLOR: '0' }, {}).color, false);
  assert.equal(settingsOf({ noColor: true }, { FORCE_COLOR: '1' }, {}).color, false);
  assert.equal(settingsOf({}, { TERM: 'dumb' }, {}).color, false);
});

test('addresses are https, or http on this machine', () => {
  const baseUrl = (PERP_BASE_URL: string) => settingsOf({ env: 'live' }, { PERP_BASE_URL }, {}).baseUrl;
  assert.equal(baseUrl('https://api.example.com/'), 'https://api.example.com');
  assert.equal(baseUrl('http://127.0.0.1:7400'), 'http://127.0.0.1:7400');
  for (const address of ['http://api.example.com', 'ftp://x', 'nonsense', 'https://u:p@x.com', 'https://x.com/?a=b']) {
    assert.match(says({ env: 'live' }, { PERP_BASE_URL: address }), /PERP_BASE_URL/, address);
  }
  assert.equal(settingsOf({ env: 'live' }, {}, {}).baseUrl, undefined);
});

test('contradictory settings are rejected', () => {
  const table: [GlobalInput, Variables, RegExp][] = [
    [{}, { PERP_ENV: 'prod' }, /PERP_ENV is "prod"; allowed: live, sandbox, sim/],
    [{}, { PERP_OUTPUT: 'yaml' }, /PERP_OUTPUT is "yaml"/],
    [{ json: true, output: 'csv' }, {}, /--json and -o csv can't be combined/],
    [{ env: 'live', state: 'x' }, {}, /--state works only in the simulation/],
    [{ state: '../evil' }, {}, /--state is "\.\.\/evil"/],
    [{ speed: 0 }, {}, /--speed must be above zero/],
    [{ timeout: 0 }, {}, /--timeout must be above zero/],
    [{ idempotencyKey: 'ü' }, {}, /printable ASCII/],
    [{ idempotencyKey: 'k'.repeat(129) }, {}, /1 to 128/],
  ];
  for (const [given, variables, expected] of table) assert.match(says(given, variables), expected);
});

test('folders follow their own variables, then XDG, then home', {
  skip: process.platform === 'win32' ? 'POSIX paths' : false,
}, () => {
  assert.equal(configFolder({ PERP_CONFIG_DIR: '/c', XDG_CONFIG_HOME: '/x', HOME: '/h' }), '/c');
  assert.equal(configFolder({ XDG_CONFIG_HOME: '/x', HOME: '/h' }), '/x/perp');
  assert.equal(configFolder({ HOME: '/h', PERP_CONFIG_DIR: '' }), '/h/.config/perp');
  assert.equal(stateFolder({ HOME: '/h' }), '/h/.local/state/perp');
});
