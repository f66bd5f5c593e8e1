import type { Console } from '../../../../console/console.ts';
import { rangeOptions } from '../../../../console/grammar/option-groups.ts';
import { defineCommand, type InputOf } from '../../../../console/grammar/spec.ts';
import type { Result } from '../../../../console/output/result.ts';
import { writeOut } from '../../../../console/where.ts';

export const command = defineCommand({
  summary: "Print a tape's events, one JSON object per line",
  description:
    'All parts, one after the other, each event once. The line of each market comes first. What is printed from the start of a tape is a recording; from a later time, perp sim tapes slice adds the state at that time.',
  args: [{ name: 'tape', kind: 'file', summary: 'the tape' }],
  options: rangeOptions,
  examples: [
    ['perp sim tapes cat day.jsonl.gz | grep gap', 'its gaps'],
    ['perp sim tapes cat day.jsonl.gz --from 14:00 --until 14:05 --market BTC', 'five minutes of a market'],
  ],
  simulationOnly: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { printTape } = await import('../../../../service/live/tapes.ts');
  const { tape, from, until, market } = input;
  await printTape(tape, { from, until, markets: market }, (text) => writeOut(console, text));
  return { kind: 'text', text: '' };
}
