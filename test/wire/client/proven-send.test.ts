import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createClient } from '../../../src/wire/client/client.ts';
import { NoAnswerError, OutcomeUnknownError } from '../../../src/wire/client/client-errors.ts';
import { proving } from '../../../src/wire/client/proven-send.ts';
import { finish } from './outcomes.ts';
import { answer, refusal } from './scripted-transport.ts';

const sources = globSync('src/**/*.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const filesWith = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test('requests go to a transport by a proven send, and elsewhere only reads and what trades nothing', () => {
  assert.deepEqual(filesWith(/\bsendProven\(/).sort(), ['src/wire/client/proven-send.ts', 'src/wire/client/send.ts']);
  const others = filesWith(
    /(?:await|return|=) (?:\w+\.)*transport\((?:sending\.)?\w*[rR]equest\b|await transport\((?:\{|\.\.\.)/,
  );
  assert.deepEqual(others.sort(), [
    // The owner's side of a gate.
    'src/bots/gate/control.ts',
    // Reads, and a listener for answers of what a proven send handed over.
    'src/bots/gate/upstream.ts',
    // Time, accounts and rules of a simulation of the program's own.
    'src/programs/sdk/sim/open.ts',
    // Whether a host answers at all.
    'src/terminal/cli/doctor/hosts.ts',
    // What refuses writes.
    'src/terminal/console/open-access.ts',
    'src/wire/client/proven-send.ts',
  ]);
});

test('a proof is made by a proven send only, and asked wherever a client may add exposure', () => {
  assert.deepEqual(filesWith(/\{\} as Proof;/), ['src/wire/client/proven-send.ts']);
  assert.deepEqual(filesWith(/\bproving\(/).sort(), [
    'src/bots/gate/judgment.ts',
    'src/desk/lock/trading-lock.ts',
    'src/wire/client/proven-send.ts',
  ]);
});

const order = { account_id: 'a', market_id: 'm', side: 'buy', size: 1, leverage: 1, margin_mode: 'cross' } as const;

test('a proof is asked at each attempt, in the turn in which it leaves', async () => {
  const turns: string[] = [];
  let mayGo = true;
  const transport = async () => {
    turns.push('sent');
    mayGo = false;
    return refusal(429, 'rate_limited');
  };
  const why = new Error('locked');
  const prove = () =>
    proving(() => {
      turns.push('proved');
      return mayGo ? undefined : why;
    });
  const client = createClient({ transport, prove, retry: { sleep: async () => {} } });
  await assert.rejects(client.call('createOrder', { body: order }), why);
  assert.deepEqual(turns, ['proved', 'sent', 'proved']);
});

test('what is withdrawn after an attempt without an answer stays unknown; after a look that it is absent, it is not done', async () => {
  let sends = 0;
  const transport = async ({ method }: { method: string }) => {
    if (method === 'GET') return answer(200, { data: [] });
    sends += 1;
    throw new NoAnswerError('lost');
  };
  const why = new Error('locked');
  const prove = () => proving(() => (sends > 0 ? why : undefined));
  const client = createClient({ transport, prove, retry: { sleep: async () => {}, arrivalMs: 0 } });
  const body = { ...order, client_order_id: 'mine' };
  const lost = await client.call('createOrder', { body }).catch((error: unknown) => error);
  assert.ok(lost instanceof OutcomeUnknownError);
  await assert.rejects(finish(client, lost, { arrivalMs: 0 }), why);
  assert.equal(sends, 1);
});
