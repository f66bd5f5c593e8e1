import type { Console } from '../../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../../console/grammar/spec.ts';
import { fields, line, type Result, recordOf } from '../../../../console/output/result.ts';
import { withDestination } from '../../../../console/where.ts';
import { dryRunResult } from '../../../writes/write.ts';

export const command = defineCommand({
  summary: 'Create an API key for another client; it is shown only once',
  options: {
    scope: { value: 'SCOPE', choices: ['read', 'trade'], summary: 'scope of the key (default trade)' },
    sandbox: { summary: 'for the sandbox address instead of the main one' },
    prefix: { value: 'TEXT', summary: 'prefix for clients that require one other than sim_live_ or sim_test_' },
    name: { value: 'TEXT', summary: 'a label' },
  },
  examples: [
    ['perp sim keys create', 'a key with trade scope'],
    ['perp sim keys create --scope read --name dashboard', 'a read-only key'],
  ],
  simulationOnly: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const body = {
    name: input.name,
    environment: input.sandbox ? ('test' as const) : ('live' as const),
    scope: input.scope,
    prefix: input.prefix,
  };
  if (console.settings.dryRun) {
    const { client } = await console.access();
    return dryRunResult([client.intend('simCreateKey', { body })]);
  }
  const { data } = await console.call('simCreateKey', { body });
  return withDestination(
    console,
    undefined,
    recordOf(data, () => [
      line({ text: data.api_key, tone: 'strong' }),
      fields(
        ['for', input.sandbox ? 'the sandbox address' : 'the main address'],
        ['scope', data.key.scope],
        ['name', data.key.name],
      ),
      line({ text: 'This key is not shown again.', tone: 'warn' }),
    ]),
  );
}
