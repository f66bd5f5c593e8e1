import { usageFailure } from '../../../base/failure/failure.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import type { ValueKind, ValueSpec } from '../../../desk/values/values.ts';
import { nearest } from '../../../wire/contract/nearest.ts';
import type { Operation } from '../../../wire/contract/operation.ts';
import { operations } from '../../../wire/contract/operations.ts';
import type { Schema } from '../../../wire/contract/schema.ts';
import { simulationOperations } from '../../../wire/contract/simulation.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { globalOptions } from '../../console/grammar/global-options.ts';
import { type CommandSpec, kebabCase, type OptionSpec } from '../../console/grammar/spec.ts';
import { line, listOf, recordOf } from '../../console/output/result.ts';
import { outputs } from '../schemas/outputs.ts';

export const command = defineCommand({
  summary: 'Print the JSON Schema of a command or an operation',
  description:
    'For a command: `args`, as in a line of perp batch ({"command": ..., "args": ...}), and `output`, what it prints with --json. For an API operation (perp api lists them): path, query, body and answers. JSON Schema 2020-12. Without arguments, lists the commands.',
  args: [{ name: 'command', repeat: true, optional: true, summary: 'a command, such as order place, or an operation' }],
  examples: [
    ['perp schema order place', 'input and output of order place'],
    ['perp schema createOrder', 'body and answers of an operation'],
  ],
  ignoresProfile: true,
  async run(console, input) {
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
  },
});

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

/**
 * The written form of a kind of value, in addition to its argument's or option's text: for kinds other than plain text.
 */
const written: { readonly [Kind in ValueKind]?: Schema } = {
  price: text("USD, or relative: 61650.5, mark-1%, entry+150, bid+10bps; 'perp help values' has them all"),
  exitPrice: text('USD, or relative; 1% is from the entry, 2R is a multiple of the loss at the stop'),
  optionalPrice: text('as a price, or none'),
  size: text('base asset, or 500usd, or 50% of the position'),
  orderSize: { type: ['string', 'number'] },
  duration: text('45s, 30m, 1h30m, 2d'),
  time: text('Unix ms, ISO 8601, or a duration from now'),
  pastTime: text('Unix ms, ISO 8601, a day, or a duration before now'),
  optionalPositive: text('a number above zero, or none'),
  basisPoints: { type: ['number', 'string'] },
  gap: { type: ['number', 'string'] },
  positive: { type: 'number', exclusiveMinimum: 0 },
  amount: { type: 'number', minimum: 0 },
  number: { type: 'number' },
  count: { type: 'integer', minimum: 1 },
  port: { type: 'integer', minimum: 0, maximum: 65_535 },
};

function text(description: string): Schema {
  // Numbers need no quotes: a batch line accepts both 0.5 and "0.5".
  return { type: ['string', 'number'], description };
}

/** Options that a batch line may have besides its own, by name. */
const lineOptions = ['account', 'idempotency-key', 'new', 'dry-run', 'yes'] as const;

/**
 * The `args` of a command in a batch line, as JSON Schema (2020-12): its arguments and options by their names with
 * underscores, and the options that each line may have.
 */
export function inputSchema(spec: CommandSpec): Schema {
  const args = (spec.args ?? []).map((arg) => [snakeCase(arg.name), valueSchema(arg, arg.repeat === true)] as const);
  const options = Object.entries({ ...spec.options, ...sharedOptions() }).map(
    ([name, option]) => [name.replaceAll('-', '_'), optionSchema(option)] as const,
  );
  const required = [
    ...(spec.args ?? []).filter(({ optional }) => optional !== true).map(({ name }) => snakeCase(name)),
    ...Object.entries(spec.options ?? {}).flatMap(([name, option]) =>
      option.required === true ? [name.replaceAll('-', '_')] : [],
    ),
  ];
  const properties = Object.fromEntries([...args, ...options]);
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false };
}

function sharedOptions(): Record<string, OptionSpec> {
  return Object.fromEntries(lineOptions.map((name) => [name, globalOptions[name]]));
}

function optionSchema(option: OptionSpec): Schema {
  if (option.value === undefined) return { type: 'boolean', description: option.summary };
  return valueSchema(option, option.repeat === true);
}

function valueSchema(spec: ValueSpec, isList: boolean): Schema {
  const one = oneSchema(spec);
  if (!isList) return one;
  const { description, ...items } = one;
  return { type: 'array', ...(description === undefined ? {} : { description }), items };
}

function oneSchema({ summary, kind = 'text', choices, maximum }: ValueSpec): Schema {
  if (choices !== undefined) return { type: 'string', description: summary, enum: choices };
  const { description: how, ...schema } = written[kind] ?? { type: 'string' };
  const description = how === undefined ? summary : `${summary}: ${how}`;
  return { ...schema, description, ...(maximum === undefined ? {} : { maximum }) };
}

function snakeCase(name: string): string {
  return kebabCase(name).replaceAll('-', '_');
}
