import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, createClient } from '../../src/client/client.ts';
import { NoAnswerError, OutcomeUnknownError } from '../../src/client/errors.ts';
import { finish } from '../../src/client/finish.ts';
import type { Intent } from '../../src/client/intent.ts';
import { answer, refusal, type Step, scriptedTransport, stepClock } from './scripted-transport.ts';

const lost = new NoAnswerError('reset');
const data = (value: unknown) => answer(200, { data: value });
const resting = { id: 'o', status: 'resting', size: 2, limit_price: 100 };
const canceled = data({ ...resting, status: 'canceled' });
const confirmation = data({ id: 'o', canceled: true });
const here = data(resting);
const path = { order_id: 'o' };

interface End {
  /** `answered`, `seen`, or what it rejects with. */
  end: string;
  /** Methods of all requests. */
  sent: string;
  /** What the keeper of intents heard. */
  told: string;
  data: unknown;
}

/** Makes a write whose answer is lost, and finishes it. */
async function run(act: (client: Client) => Promise<unknown>, before: unknown, ...steps: Step[]): Promise<End> {
  const transport = scriptedTransport(lost, ...steps);
  const log: string[] = [];
  const intents = {
    beforeSend: () => void log.push('opened'),
    afterAnswer: (_: Intent, outcome: { kind: string }) => void log.push(outcome.kind),
  };
  const client = createClient({ transport, intents, retry: stepClock().retry });
  const error = await act(client).then(
    () => assert.fail('it was answered'),
    (rejected: unknown) => rejected,
  );
  assert.ok(error instanceof OutcomeUnknownError);
  const facts = await finish(client, error, { before, travelMs: 1 }).then(
    ({ answer: given, seen }) => ({ end: seen === undefined ? 'answered' : 'seen', data: given.data as unknown }),
    (rejected: Error & { code?: string }) => ({ end: rejected.code ?? rejected.name, data: undefined }),
  );
  const sent = transport.requests.map(({ method }) => method).join(' ');
  return { ...facts, sent, told: log.join(' ') };
}

const cancel = (client: Client) => client.call('cancelOrder', { path });
const amend =
  (body: { price: number; size?: number }) =>
  (client: Client): Promise<unknown> =>
    client.call('modifyOrder', { path, body });

test('a write without a key whose answer was lost is read back, and what is not there is sent again', async () => {
  const table: [name: string, steps: Step[], end: string, sent: string, told: string][] = [
    ['done', [canceled], 'seen', 'DELETE GET', 'opened done'],
    ['not done; done now', [here, confirmation], 'answered', 'DELETE GET DELETE', 'opened done'],
    ['lost again, but done', [here, lost, canceled], 'seen', 'DELETE GET DELETE GET', 'opened done'],
    ['nobody can look', [refusal(401, 'unauthorized')], 'OutcomeUnknownError', 'DELETE GET', 'opened'],
    [
      'nobody can look any more',
      [here, lost, refusal(401, 'unauthorized')],
      'OutcomeUnknownError',
      'DELETE GET DELETE GET',
      'opened',
    ],
    [
      'refused, because the first arrived after all',
      [here, refusal(409, 'order_terminal'), canceled],
      'seen',
      'DELETE GET DELETE GET',
      'opened done',
    ],
    [
      'refused, because it was filled meanwhile',
      [here, refusal(409, 'order_terminal'), data({ ...resting, status: 'filled' })],
      'order_terminal',
      'DELETE GET DELETE GET',
      'opened not_done',
    ],
    [
      'never answered, never there',
      [here, lost, here, lost, here],
      'NoAnswerError',
      'DELETE GET DELETE GET DELETE GET GET GET',
      'opened not_done',
    ],
    [
      'never answered, there after the time that it may travel',
      [here, lost, here, lost, here, here, canceled],
      'seen',
      'DELETE GET DELETE GET DELETE GET GET GET',
      'opened done',
    ],
  ];
  for (const [name, steps, end, sent, told] of table) {
    const ended = await run(cancel, undefined, ...steps);
    assert.deepEqual([ended.end, ended.sent, ended.told], [end, sent, told], name);
    const isDone = end === 'seen' || end === 'answered';
    assert.deepEqual(ended.data, isDone ? { id: 'o', canceled: true } : undefined, name);
  }
});

test('where a late first one and a second would be more than one, nothing is sent again: it is waited for instead', async () => {
  const group = { enabled: false, source_account_id: 'lead', targets: [] };
  const save = (config_id?: string) => (client: Client) =>
    client.call('saveCopyTradingConfigurations', {
      body: { groups: [config_id === undefined ? group : { config_id, ...group }], deleted_config_ids: [] },
    });
  const armed = { ...resting, trigger_price: 90 };
  const { limit_price: _, ...trigger } = armed;
  const table: [name: string, act: (client: Client) => Promise<unknown>, before: unknown, isSentAgain: boolean][] = [
    ['a new copy group', save(), [], false],
    ['a known one', save('g1'), [{ ...group, config_id: 'g1', enabled: true }], true],
    ['a price', amend({ price: 101 }), resting, true],
    ['a price, of an order that nobody saw before', amend({ price: 101 }), undefined, false],
    ['a price and a remainder: fills may come between', amend({ price: 101, size: 1 }), resting, false],
    ['a trigger', amend({ price: 101 }), trigger, true],
    ['a trigger with a limit behind it: the second may move that', amend({ price: 101 }), armed, false],
  ];
  for (const [name, act, before, isSentAgain] of table) {
    const ended = await run(act, before, data(before ?? resting));
    const again = ended.sent.split(' ').filter((method) => method !== 'GET').length > 1;
    assert.deepEqual(
      [again, ended.end, ended.told],
      [isSentAgain, isSentAgain ? 'answered' : 'NoAnswerError', isSentAgain ? 'opened done' : 'opened not_done'],
      name,
    );
  }
});
