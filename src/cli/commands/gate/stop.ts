import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { Failure } from '../../../ground/failure/failure.ts';

export const command = defineCommand({
  summary: 'Stop a bot, or all: they may only reduce, until perp gate resume',
  description:
    'Orders that add are refused at once, also those that wait for an approval; cancels, exits and closes still pass. It lasts over restarts, and counts even if no gate runs. perp gate flatten also ends what is open.',
  args: [{ name: 'bot', kind: 'word', optional: true, summary: 'only this bot (default: all)' }],
  examples: [
    ['perp gate stop', 'all bots'],
    ['perp gate stop scalper', 'one of them'],
  ],
  changesMore: true,
});

export async function run(console: Console, { bot }: InputOf<typeof command>): Promise<Result> {
  const { BotsFile, gateFolder } = await import('../../../gate/bots-file.ts');
  const { askGate } = await import('../../../gate/control.ts');
  const { variables, settings, machine } = console;
  const folder = gateFolder(variables);
  const who = bot ?? 'every bot';
  if (settings.dryRun) return said(bot, false, `Dry run: would stop ${who}.`);
  const isRunning = await askGate(folder, 'stop', bot).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure && error.facts.code === 'no_gate') return false;
      throw error;
    },
  );
  if (!isRunning) new BotsFile(folder).stop(bot, machine.now());
  const where = isRunning ? '' : ' No gate runs; it counts for the next one.';
  return said(bot, true, `Stopped ${who}: it may only reduce until perp gate resume.${where}`);
}

function said(bot: string | undefined, stopped: boolean, text: string): Result {
  return recordOf({ bot: bot ?? null, stopped }, () => [line(text)]);
}
