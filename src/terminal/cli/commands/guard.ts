import { existsSync } from 'node:fs';
import { Failure } from '../../../base/failure/failure.ts';
import { writePrivateFile } from '../../../base/files/private-files.ts';
import { dateTime } from '../../../base/text/format.ts';
import type { Task } from '../../../desk/guard/guard-state.ts';
import { lockFolders, readLock, unlockAccount } from '../../../desk/lock/trading-lock.ts';
import { lockOf } from '../../../desk/reading/locks.ts';
import { noted } from '../../../desk/session/session.ts';
import { defineCommand } from '../../console/console.ts';
import { rulesOption } from '../../console/grammar/spec.ts';
import { blank, type Cell, fields, line, recordOf, tableOf, wrote } from '../../console/output/result.ts';
import { requireYes } from '../writes/write.ts';

const add = defineCommand({
  summary: 'Write a rules file with an example of every rule',
  description: 'The examples are commented out: remove the # from the ones you want. An existing file is not changed.',
  options: rulesOption,
  examples: [['perp guard add', 'then edit the file, and check it with perp guard rules']],
  changesMore: true,
  async run(console, input) {
    const { rulesFile } = await import('../../../desk/guard/rule-file.ts');
    const { rulesTemplate } = await import('../../../desk/guard/rules.ts');
    const file = rulesFile(console.variables, input.rules);
    if (existsSync(file))
      throw new Failure({
        code: 'exists',
        message: `${file} exists; nothing was changed.`,
        hint: 'Edit it, remove it, or name another with --rules FILE.',
      });
    if (!console.settings.dryRun) writePrivateFile(file, rulesTemplate);
    return recordOf({ file }, () => [
      wrote(file, console.settings.dryRun),
      line({ text: 'Edit it, check it with perp guard rules, and start perp guard.', tone: 'faint' }),
    ]);
  },
});

const rules = defineCommand({
  summary: 'Check the rules file and explain it',
  description: 'Exits 2 and reports the line if the file is invalid. Sends nothing.',
  options: rulesOption,
  examples: [['perp guard rules', 'what each rule watches, and what it does']],
  async run(console, input) {
    const { readRules, rulesFile } = await import('../../../desk/guard/rule-file.ts');
    const { conditionOf, consequenceOf } = await import('../../../desk/guard/rules.ts');
    const file = rulesFile(console.variables, input.rules);
    const rules = readRules(file);
    return recordOf({ file, ...rules }, () => [
      fields(
        ['file', file],
        ['account', rules.account ?? 'any'],
        ['time zone', rules.zone],
        ['alerts to', rules.exec?.join(' ') ?? 'the terminal'],
      ),
      blank,
      rules.rules.length === 0
        ? line('No rules.')
        : tableOf(rules.rules, [
            { header: 'LINE', cell: (rule) => String(rule.line), align: 'right', keep: 1 },
            { header: 'RULE', cell: (rule) => rule.kind },
            { header: 'WHEN', cell: (rule) => conditionOf(rule) },
            { header: 'THEN', cell: (rule) => consequenceOf(rule) },
          ]),
    ]);
  },
});

const run = defineCommand({
  summary: 'Watch an account and enforce your own rules',
  description:
    'Runs until Ctrl-C. Rules come from the rules file (perp guard add) and from these options; without a file, only from the options. Each rule that fires prints one line and is passed as JSON to the standard input of the --exec program. Only one guard at a time can watch an account.',
  options: {
    ...rulesOption,
    trail: {
      value: 'DISTANCE',
      kind: 'text',
      summary: 'trail every stop by 1.5% or 200; stops only move closer',
    },
    heartbeat: { value: 'FILE', kind: 'text', summary: 'flatten when this file is no longer touched' },
    'max-age': { value: 'DURATION', kind: 'text', summary: 'maximum age of the heartbeat file (default 60s)' },
    exec: { value: 'COMMAND', kind: 'text', summary: 'program that receives every alert; started without a shell' },
    once: { summary: 'check once, act, and exit: for cron' },
  },
  examples: [
    ['perp guard', 'the rules of guard.toml'],
    ['perp guard --trail 1.5%', 'trailing stops for all positions'],
    ['perp guard --heartbeat ~/bot.alive --max-age 60s', "a dead man's switch"],
    ['perp guard --once --json', 'one check, from cron'],
    ['perp guard --dry-run', 'only report what would be done'],
  ],
  changesMore: true,
  async run(console, input) {
    const { runGuard } = await import('../guard/run-guard.ts');
    return runGuard(console, input);
  },
});

const status = defineCommand({
  summary: 'Show the guard in charge, its unfinished steps and the lock',
  examples: [['perp guard status', 'the account in use']],
  async run(console) {
    const { chargeOf, guardPlace } = await import('../../../desk/guard/place.ts');
    const { peekState } = await import('../../../desk/guard/guard-state.ts');
    const { account, folder, locks, files } = await guardPlace(console);
    const charge = chargeOf(folder, account);
    const reading = console.call('getAccount', { path: { account_id: account } }).then(({ data }) => data);
    const known = await noted(console, 'The account', reading, undefined);
    // The exchange's time decides whether a lock has ended.
    const lock = known === undefined ? readLock(locks, account) : await lockOf(console, known);
    const state = peekState(files.state);
    const isDamaged = state === 'damaged';
    const { tasks, time } = isDamaged || state === undefined ? { tasks: [], time: null } : state;
    const record = {
      account_id: account,
      guard: charge ?? null,
      lock: lock ?? null,
      judged_at: time,
      state: isDamaged ? 'damaged' : 'sound',
      unfinished: tasks,
    };
    return recordOf(record, () => [
      fields(
        ['account', account],
        [
          'guard',
          charge === undefined
            ? { text: 'none is running', tone: 'warn' }
            : `process ${charge.pid}, since ${dateTime(charge.since)}`,
        ],
        ['last check', time === null ? 'never' : dateTime(time)],
        ['lock', lockCell(lock)],
      ),
      isDamaged ? line({ text: `${files.state} is damaged; the next guard starts over.`, tone: 'bad' }) : [],
      ...tasks.map((task) => line({ text: unfinished(task), tone: 'warn' })),
    ]);
  },
});

function lockCell(lock: ReturnType<typeof readLock>): Cell {
  if (lock === undefined) return 'none';
  if (lock === 'damaged') return { text: 'damaged, and still in effect; perp guard unlock removes it', tone: 'bad' };
  return { text: `until ${dateTime(lock.until)}: ${lock.why}`, tone: 'bad' };
}

function unfinished({ time, says, steps }: Task): string {
  return `${dateTime(time)}  ${says}; not done yet: ${steps.map(({ kind }) => kind).join(', ')}`;
}

const unlock = defineCommand({
  summary: 'End the lock on new exposure early',
  description: 'Asks first. Without a terminal, this needs --yes.',
  examples: [['perp guard unlock', 'trade again today']],
  changesMore: true,
  async run(console) {
    const { guardPlace } = await import('../../../desk/guard/place.ts');
    const { account } = await guardPlace(console);
    const { destination } = await console.access();
    const folders = lockFolders(console.variables, destination);
    const lock = folders.map((folder) => readLock(folder, account)).find((found) => found !== undefined);
    if (lock === undefined)
      return recordOf({ account_id: account, unlocked: false }, () => [line(`Account ${account} is not locked.`)]);
    const why = lock === 'damaged' ? '' : ` It is locked until ${dateTime(lock.until)}: ${lock.why}.`;
    const question = `Unlock account ${account}?${why}`;
    if (!console.settings.dryRun) {
      requireYes(console, question);
      await console.person.confirm(question);
      for (const folder of folders) unlockAccount(folder, account);
    }
    const text = console.settings.dryRun
      ? `Dry run: account ${account} stays locked.`
      : `Account ${account} is unlocked.`;
    return recordOf({ account_id: account, unlocked: !console.settings.dryRun }, () => [line(text)]);
  },
});

export const commands = { add, rules, run, status, unlock };
