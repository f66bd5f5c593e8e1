import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertAbsent, code, echoTrials, filesBelow, planted } from './planted-secrets.ts';

describe('a planted code and credential', { concurrency: 2 }, () => {
  it('appear in no output and no file, except the requested one', async (t) => {
    const { machine, secrets, seen, run } = await planted(t);
    const login = await run(['login', '--insecure-storage', '--no-browser'], `${code}\n`);
    assert.equal(login.exit, 0, login.err);
    assert.equal(secrets.length, 4);
    const commands = [
      ['whoami', '--json'],
      ['order', 'place', 'binance:BTCUSDT', 'buy', '0.01', '--account', 'acc', '--json'],
      ['cancel-all', '--account', 'acc', '--yes'],
      ['logout'],
      ['pending', 'list', '--json'],
    ];
    for (const argv of commands) await run(argv);
    assertAbsent(secrets, seen);
    const files = filesBelow(machine.folder);
    const holders = [...files]
      .filter(([, text]) => secrets.some((secret) => text.includes(secret)))
      .map(([name]) => name);
    assert.deepEqual(holders, [join('state', 'credentials.json')]);
    assertAbsent([code, secrets[3]!], [...files.values()]);
    // After logging out, it is in no file.
    await run(['logout', '--force']);
    assertAbsent(secrets, [...filesBelow(machine.folder).values(), ...seen]);
  });

  echoTrials(['a rejection']);
});
