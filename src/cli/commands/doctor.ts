import type { Context } from '../context/context.ts';
import { examine } from '../doctor/checks.ts';
import type { Finding } from '../doctor/finding.ts';
import { exitCodes } from '../failure/exit-codes.ts';
import { defineCommand } from '../grammar/spec.ts';
import { type Block, blank, type ListResult, line, type Tone } from '../output/result.ts';
import { counted } from '../text/format.ts';
import { wrap } from '../text/wrap.ts';

export const command = defineCommand({
  summary: 'Check the installation and suggest fixes',
  description:
    'Checks Node, the config file, folders, the keychain, the configured hosts and their clocks, the venues of live markets, the databases of all simulations, writes with an unknown outcome, and completion. Changes nothing, and never shows or sends a credential. Exits 7 if a check fails; a warning is not a failure.',
  examples: [
    ['perp doctor', 'all checks, with fixes'],
    ['perp doctor --json', 'for scripts'],
  ],
  toleratesBadConfig: true,
});

const tones: Readonly<Record<Finding['status'], Tone>> = { ok: 'good', warn: 'warn', fail: 'bad' };

const statusWidth = 'warn'.length + 2;

export async function run(context: Context): Promise<ListResult> {
  const findings = await context.during('Checking', () => examine(context));
  const hasFailed = findings.some(({ status }) => status === 'fail');
  return {
    kind: 'list',
    rows: findings,
    fields: ['check', 'status', 'message', 'fix'],
    columns: [],
    empty: '',
    blocks: () => [
      ...findings.flatMap((finding) => blocksOf(finding, findings, context.io.columns)),
      ...summary(findings),
    ],
    exit: hasFailed ? exitCodes.unavailable : exitCodes.done,
  };
}

/** A status, a label and a message; the fix goes on its own lines further left, where a command is easy to copy. */
function blocksOf({ check, status, message, fix }: Finding, all: readonly Finding[], columns: number): Block[] {
  const label = Math.min(Math.max(...all.map((one) => one.check.length)), Math.floor(columns / 4));
  const indent = ' '.repeat(statusWidth + label + 2);
  const [first = '', ...rest] = wrap(message, columns, indent).slice(indent.length).split('\n');
  const fixes = fix === undefined ? [] : wrap(fix, columns, ' '.repeat(statusWidth)).split('\n');
  return [
    line({ text: status.padEnd(statusWidth), tone: tones[status] }, `${check.padEnd(label)}  ${first}`),
    ...rest.map((text) => line(text)),
    ...fixes.map((text) => line({ text, tone: 'strong' })),
  ];
}

function summary(findings: readonly Finding[]): Block[] {
  const count = (wanted: Finding['status']) => findings.filter(({ status }) => status === wanted).length;
  const [failures, warnings] = [count('fail'), count('warn')];
  if (failures + warnings === 0) return [blank, line({ text: 'No problems found.', tone: 'good' })];
  const counts = [failures && counted(failures, 'failure'), warnings && counted(warnings, 'warning')];
  return [blank, line(`${counts.filter(Boolean).join(', ')}.`)];
}
