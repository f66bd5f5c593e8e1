import { usageFailure } from '../../../base/failure/failure.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import { nearest } from '../../../wire/contract/nearest.ts';
import type { Operation } from '../../../wire/contract/operation.ts';
import { operations } from '../../../wire/contract/operations.ts';
import { simulationOperations } from '../../../wire/contract/simulation.ts';
import type { Console } from '../../console/console.ts';
import { defineCommand, type InputOf } from '../../console/grammar/spec.ts';
import { line, listOf, type Result, recordOf } from '../../console/output/result.ts';
import { inputSchema } from '../schemas/inputs.ts';
import { outputs } from '../schemas/outputs.ts';

export const command = defineCommand({
  summary: 'Print the JSON Schema of a command or an operation',
  description:
    'Of a command: `args`, as a line of perp batch takes them ({"command": ..., "args": ...}), and `output`, what it prints with --json. Of an operation of the API (perp api lists them): path, query, body and answers. JSON Schema 2020-12. Without arguments, lists the commands.',
  args: [{ name: 'command', repeat: true, optional: true, summary: 'a command, such as order place, or an operation' }],
  examples: [
    ['perp schema order place', 'what order place takes and prints'],
    ['perp schema createOrder', 'the body and the answers of an operation'],
  ],
  ignoresProfile: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const words = (input.command as string[] | undefined) ?? [];
  const { registry } = console;
  if (words.length === 0) {
    const rows = [...registry.summaries].map(([path, summary]) => ({ command: path, summary }));
    return listOf(rows, {
      fields: ['command', 'summary'],
      columns: [
        { header: 'COMMAND', cell: ({ command: path }) => path },
        { header: 'DOES', cell: ({ summary }) => summary, keep: 1 },
      ],
      empty: 'There are no commands.',
    });
  }
  const name = words.join(' ');
  const schema = operationSchema(name) ?? commandSchema(console, name);
  return recordOf(schema, () =>
    JSON.stringify(schema, null, 2)
      .split('\n')
      .map((text) => line(text)),
  );
}

function commandSchema({ registry }: Console, name: string) {
  // A noun alone lists: perp order is perp order list.
  const path = [name, `${name} list`].find((one) => registry.summaries.has(one));
  if (path === undefined) {
    const near = nearest(name, [...registry.summaries.keys(), ...Object.keys(operations)]);
    const hint = near === undefined ? 'perp schema lists the commands.' : `Did you mean ${near}?`;
    throw usageFailure(`There is no command or operation ${quoted(name)}.`, hint);
  }
  const spec = registry.spec(path);
  return {
    $schema: draft,
    command: path,
    summary: spec.summary,
    args: inputSchema(spec),
    output: outputs[path] ?? null,
  };
}

const draft = 'https://json-schema.org/draft/2020-12/schema';

function operationSchema(id: string) {
  const all: Readonly<Record<string, Operation>> = { ...operations, ...simulationOperations };
  if (!Object.hasOwn(all, id)) return undefined;
  const { method, path, summary, query, body, idempotent, responses } = all[id]!;
  const answers = Object.entries(responses).map(([status, { schema }]) => [status, schema] as const);
  return {
    $schema: draft,
    operation: id,
    method,
    path,
    summary,
    idempotent,
    query,
    body,
    answers: Object.fromEntries(answers),
  };
}
