import { exitCodes, usageFailure } from '../../../base/failure/failure.ts';
import { venueNames } from '../../../base/terms/venues.ts';
import { counted } from '../../../base/text/format.ts';
import { wrap } from '../../../base/text/plain-text.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { type Blocks, blank, line, type Tone } from '../../console/output/result.ts';
import { examine } from '../doctor/checks.ts';
import type { Finding } from '../doctor/finding.ts';

export const command = defineCommand({
  summary: 'Check the installation and suggest fixes',
  description:
    'Checks Node, the config file, folders, the keychain, the configured hosts and their clocks, the venues of live markets, the databases of all simulations, writes with an unknown outcome, and completion. Changes nothing, and never shows or sends a credential, except with --contract, which reads your accounts. With --live, follows the public feeds of one or all venues for a minute (--timeout changes it), without an account: lists, subscriptions, fields, books and prints compared with REST, marks, limits and clocks. Exits 7 if a check fails; a warning is not a failure.',
  args: [{ name: 'venue', choices: venueNames, optional: true, summary: 'with --live: which venue (default: all)' }],
  options: {
    live: { summary: 'follow the public feeds of live markets for a minute, and report what was verified' },
    contract: {
      summary: "instead, compare the environment's answers and streams with the API contract, and name each difference",
    },
  },
  examples: [
    ['perp doctor', 'all checks, with fixes'],
    ['perp doctor --contract', 'differences between this environment and the contract'],
    ['perp doctor --live binance', 'a minute on its feeds: what is verified, missing, unknown or late'],
    ['perp doctor --json', 'for scripts'],
  ],
  toleratesBadConfig: true,
  async run(console, { contract, live, venue }) {
    if (live && contract) throw usageFailure("--live and --contract can't be combined.", 'Run one after the other.');
    if (venue !== undefined && !live) throw usageFailure('A venue needs --live.', `perp doctor --live ${venue}`);
    const look = live ? async () => (await import('../doctor/live.ts')).followVenues(console, venue) : null;
    const findings = await console.person.during(live ? 'Following live markets' : 'Checking', () =>
      look !== null ? look() : contract ? driftIn(console) : examine(console),
    );
    const hasFailed = findings.some(({ status }) => status === 'fail');
    return {
      kind: 'list',
      rows: findings,
      fields: ['check', 'status', 'message', 'fix'],
      columns: [],
      empty: '',
      blocks: () => [
        ...findings.flatMap((finding) => blocksOf(finding, findings, console.io.columns)),
        summary(findings),
      ],
      exit: hasFailed ? exitCodes.unavailable : exitCodes.done,
    };
  },
});

const tones: Readonly<Record<Finding['status'], Tone>> = { ok: 'good', warn: 'warn', fail: 'bad' };

const statusWidth = 'warn'.length + 2;

/** A status, a label and a message; the fix goes on its own lines further left, where a command is easy to copy. */
function blocksOf({ check, status, message, fix }: Finding, all: readonly Finding[], columns: number): Blocks {
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

/** Differences between the environment and the contract. */
async function driftIn(console: Console): Promise<Finding[]> {
  const { compareWithContract } = await import('../doctor/contract.ts');
  return compareWithContract(console);
}

function summary(findings: readonly Finding[]): Blocks {
  const count = (wanted: Finding['status']) => findings.filter(({ status }) => status === wanted).length;
  const [failures, warnings] = [count('fail'), count('warn')];
  if (failures + warnings === 0) return [blank, line({ text: 'No problems found.', tone: 'good' })];
  const counts = [failures && counted(failures, 'failure'), warnings && counted(warnings, 'warning')];
  return [blank, line(`${counts.filter(Boolean).join(', ')}.`)];
}
