import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { Failure } from '../../../../src/base/failure/failure.ts';
import { approvedSession } from '../../../../src/terminal/cli/login/log-in.ts';
import { LoopbackReceiver } from '../../../../src/terminal/cli/login/receiver.ts';
import { Console } from '../../../../src/terminal/console/console.ts';
import { plainPalette } from '../../../../src/terminal/console/output/themes.ts';
import { settingsOf } from '../../../../src/terminal/console/settings/settings.ts';
import { Person } from './person.ts';

const state = 's'.repeat(43);
const address = 'https://login.example.com/cli/authorize?code_challenge=x';

const nothing = () => assert.fail('nothing is loaded');

/** A person at a terminal who types `lines` and then nothing. */
function atTerminal(lines: readonly string[], variables: Record<string, string> = {}) {
  const said: string[] = [];
  const left = [...lines];
  const console = new Console({
    settings: settingsOf({ env: 'live' }, variables, {}),
    registry: { version: '0', commit: null, summaries: new Map(), spec: nothing, load: nothing },
    lineReader: nothing,
    outside: {
      io: {
        stdinIsTerminal: true,
        stdoutIsTerminal: true,
        stderrIsTerminal: true,
        columns: 80,
        out: (text) => void said.push(text),
        err: (text) => void said.push(text),
        input: nothing,
      },
      variables,
      now: Date.now,
      prompts: {
        confirm: async () => false,
        choose: nothing,
        line: nothing,
        secret: (_, signal) =>
          left.length > 0
            ? Promise.resolve(left.shift()!)
            : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
    },
    interruption: () => new AbortController().signal,
    palette: plainPalette,
  });
  return { console, said: () => said.join('') };
}

const asIs = async (code: string) => code;

async function receiving(t: TestContext): Promise<LoopbackReceiver> {
  const receiver = await LoopbackReceiver.open(() => true);
  t.after(() => receiver.close());
  return receiver;
}

it('without approval in time, the login ends with exit 7', async (t) => {
  const { console } = atTerminal([]);
  const approval = { address, state, opensBrowser: false, maxWaitMs: 50 };
  await assert.rejects(approvedSession(console, await receiving(t), approval, asIs), (error: Failure) => {
    assert.equal(error.facts.exit, 7);
    assert.equal(error.facts.code, 'login_timeout');
    assert.match(error.message, /The login was not approved/);
    return true;
  });
});

it('if a person pastes something else, perp says so and asks again', async (t) => {
  const { console, said } = atTerminal([
    '',
    address,
    'the code is below',
    `http://127.0.0.1:1/callback?code=evil&state=another`,
    `http://127.0.0.1:1/callback?code=good&state=${state}`,
  ]);
  const approval = { address, state, opensBrowser: false, maxWaitMs: 60_000 };
  assert.equal(await approvedSession(console, await receiving(t), approval, asIs), 'good');
  assert.equal(said().match(/neither a code nor the address/g)?.length, 3);
  assert.equal(said().match(/belongs to another login/g)?.length, 1);
  assert.ok(said().includes(address));
});

it('the browser may answer while the prompt is open', async (t) => {
  const { console } = atTerminal([]);
  const receiver = await receiving(t);
  const code = approvedSession(console, receiver, { address, state, opensBrowser: false, maxWaitMs: 60_000 }, asIs);
  const page = new Person().follow(`${receiver.redirectUri}?code=good&state=${state}`);
  assert.equal(await code, 'good');
  await receiver.close();
  await page;
});

it('where no browser can be opened, the code is always prompted for', {
  skip: process.platform !== 'linux' && 'of Linux',
}, async (t) => {
  const { console, said } = atTerminal(['good-code']);
  const approval = { address, state, opensBrowser: true, maxWaitMs: 60_000 };
  assert.equal(await approvedSession(console, await receiving(t), approval, asIs), 'good-code');
  assert.match(said(), /Open this address in a browser/);
});

it('a pasted code that the host refuses can be pasted again; a refused answer from the browser ends the login', async (t) => {
  const refused = new Failure({ code: 'invalid_grant', message: 'The code is no longer valid.' });
  const accept = async (code: string) => {
    if (code === 'wrong') throw refused;
    return code;
  };
  const { console, said } = atTerminal(['wrong', 'wrong', 'right']);
  const approval = { address, state, opensBrowser: false, maxWaitMs: 60_000 };
  assert.equal(await approvedSession(console, await receiving(t), approval, accept), 'right');
  assert.equal(said().match(/The host does not accept that code/g)?.length, 2);
  const receiver = await receiving(t);
  const session = approvedSession(atTerminal([]).console, receiver, approval, accept);
  const page = new Person().follow(`${receiver.redirectUri}?code=wrong&state=${state}`);
  await assert.rejects(session, refused);
  await receiver.close();
  await page;
});
