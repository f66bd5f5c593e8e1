import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { KeychainSession, noKeychain } from './keychain-session.ts';
import { assertAbsent, code, credential, echoTrials, filesBelow, planted } from './planted-secrets.ts';

describe('a planted code and credential', { concurrency: 2 }, () => {
  echoTrials([
    'a rejection',
    'a refusal of the credential',
    'fields of a request',
    'a redirect',
    'resources',
    'a broken answer',
  ]);

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

  it('never appear in an argument list or environment, even while a keychain hangs', {
    skip: noKeychain,
  }, async (t) => {
    const session = await KeychainSession.start(t);
    const { gateway, machine, secrets, seen } = await planted(t, session.variables);
    const decide = gateway.decide;
    let scanned = 0;
    gateway.decide = (request, attempt) => {
      // From now on, the process that passes the credential on waits and can be inspected.
      if (request.path === '/v1/auth/cli/token') session.hang();
      return decide(request, attempt);
    };
    const running = machine.start(['login', '--no-browser', '--debug']);
    await running.address();
    running.stdin.end(`${code}\n`);
    const isOver = running.ended.then(() => true);
    while (!(await Promise.race([isOver, delay(50, false)]))) {
      const lists = processesBelow(running.process.pid!);
      assertAbsent(secrets, lists);
      scanned = Math.max(scanned, lists.length);
    }
    const { exit, out, err } = await running.ended;
    assert.equal(exit, 7, err);
    assertAbsent(secrets, [out, err, ...seen, ...filesBelow(machine.folder).values()]);
    // Arguments and environment of the command itself and of the keychain's process.
    assert.ok(scanned >= 4, `only ${scanned} lists were found`);
    // The credential that could not be stored was not left anywhere either.
    assert.ok(
      gateway.requests.some(
        ({ path, authorization }) => path === '/v1/auth/cli/revoke' && authorization === `Bearer ${credential}`,
      ),
    );
  });
});

/** Arguments and environment of a process and of its descendants, as others on the machine may read them. */
function processesBelow(pid: number): string[] {
  try {
    const lists = ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'latin1'));
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    return [...lists, ...children.flatMap(processesBelow)];
  } catch {
    return [];
  }
}
