import { dateTime } from '../../../../base/text/format.ts';
import { SimulationKey } from '../../../../wire/contract/simulation.ts';
import { defineCommand } from '../../../console/console.ts';
import { type Column, fields, fieldsOf, line, listOf, recordOf, shownOnce } from '../../../console/output/result.ts';
import { withDestination } from '../../../console/where.ts';
import { dryRunOf, write } from '../../writes/write.ts';

const list = defineCommand({
  summary: 'List issued API keys and sessions',
  examples: [['perp sim key', 'without the secrets']],
  simulationOnly: true,
  async run(console) {
    const { data } = await console.call('simListKeys', {});
    return listOf(data, {
      fields: fieldsOf(SimulationKey),
      columns,
      empty: 'No keys yet; create one with perp sim key add.',
    });
  },
});

const columns: readonly Column<SimulationKey>[] = [
  { header: 'NAME', cell: (key) => key.name },
  { header: 'KIND', cell: (key) => key.kind, keep: 2 },
  { header: 'FOR', cell: (key) => (key.environment === 'live' ? 'main' : 'sandbox') },
  { header: 'SCOPE', cell: (key) => key.scope },
  { header: 'CREATED', cell: (key) => dateTime(key.created_at), keep: 3 },
  { header: 'EXPIRES', cell: (key) => (key.expires_at === null ? '' : dateTime(key.expires_at)), keep: 1 },
  {
    header: 'REVOKED',
    cell: (key) => (key.revoked_at === null ? '' : { text: dateTime(key.revoked_at), tone: 'warn' }),
    keep: 4,
  },
  { header: 'ID', cell: (key) => key.id, keep: 0 },
];

const add = defineCommand({
  summary: 'Create an API key for a client; it is shown only once',
  options: {
    scope: { value: 'SCOPE', choices: ['read', 'trade'], summary: 'scope of the key (default trade)' },
    sandbox: { summary: 'for the sandbox address instead of the main one' },
    prefix: { value: 'TEXT', summary: 'prefix for clients that require one other than sim_live_ or sim_test_' },
    name: { value: 'TEXT', summary: 'a label' },
  },
  examples: [
    ['perp sim key add', 'a key with trade scope'],
    ['perp sim key add --scope read --name dashboard', 'a read-only key'],
  ],
  simulationOnly: true,
  async run(console, input) {
    const body = {
      name: input.name,
      environment: input.sandbox ? ('test' as const) : ('live' as const),
      scope: input.scope,
      prefix: input.prefix,
    };
    if (console.settings.dryRun) return dryRunOf(console, 'simCreateKey', { body });
    const { data } = await console.call('simCreateKey', { body });
    const result = recordOf(data, () => [
      line({ text: data.api_key, tone: 'strong' }),
      fields(
        ['for', input.sandbox ? 'the sandbox address' : 'the main address'],
        ['scope', data.key.scope],
        ['name', data.key.name],
      ),
      shownOnce,
    ]);
    return withDestination(console, undefined, result);
  },
});

const expire = defineCommand({
  summary: 'Expire an API key or session, now or later',
  args: [{ name: 'id', summary: 'id, from perp sim key' }],
  options: { in: { value: 'DURATION', kind: 'duration', summary: 'how long it is still valid (default: not at all)' } },
  examples: [
    ['perp sim key expire key_0123456789abcdef', 'now'],
    ['perp sim key expire key_0123456789abcdef --in 10m', 'in ten minutes; a later time makes it valid again'],
  ],
  simulationOnly: true,
  async run(console, { id, in: delayMs = 0 }) {
    const request = { path: { key_id: id }, body: { expires_at: Date.now() + delayMs } };
    return write(console, 'simEndKey', request, {
      question: `Let the key ${id} expire?`,
      done: ({ data }) =>
        recordOf(data, () => [line(`Key ${data.id} (${data.name}) is valid until ${dateTime(data.expires_at!)}.`)]),
    });
  },
});

const revoke = defineCommand({
  summary: 'Revoke an API key or session for good',
  args: [{ name: 'id', summary: 'id, from perp sim key' }],
  examples: [['perp sim key revoke key_0123456789abcdef', 'its client gets 401 from now on']],
  simulationOnly: true,
  async run(console, { id }) {
    const request = { path: { key_id: id }, body: { revoked: true as const } };
    return write(console, 'simEndKey', request, {
      question: `Revoke the key ${id}?`,
      done: ({ data }) => recordOf(data, () => [line(`Revoked key ${data.id} (${data.name}).`)]),
    });
  },
});

export const commands = { list, add, expire, revoke };
