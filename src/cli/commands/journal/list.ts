import type { Context } from '../../context/context.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import type { Result } from '../../output/result.ts';
import { extentOptions } from '../../reading/lists.ts';

const defaultLimit = 20;

export const command = defineCommand({
  summary: 'List round trips with your notes and tags, newest first',
  description:
    'A round trip is a position from flat to flat. Open positions come first. Notes and tags stay on this machine, in the state folder.',
  options: {
    tag: { value: 'TAG', summary: 'only trips with this tag' },
    market: { value: 'MARKET', kind: 'market', summary: 'only this market' },
    limit: { ...extentOptions.limit, summary: `number of rows to show (default ${defaultLimit})` },
    all: extentOptions.all,
    markdown: { summary: 'print a Markdown table' },
  },
  examples: [
    ['perp journal', 'the last round trips'],
    ['perp journal --tag breakout', 'trips of one strategy'],
    ['perp journal --all -o ndjson > trips.ndjson', 'all of them, for a program'],
    ['perp journal --all --markdown > trips.md', 'all of them, for a document'],
  ],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const { listTrips } = await import('../../history/list-trips.ts');
  return listTrips(context, { ...input, limit: input.limit ?? defaultLimit });
}
