import { once } from 'node:events';
import { exitCodes, Failure, ownCodeOf, usageFailure } from '../../../base/failure/failure.ts';
import { dateTime } from '../../../base/text/format.ts';
import { plainLines } from '../../../base/text/plain-text.ts';
import { defineCommand } from '../../console/console.ts';
import {
  type Blocks,
  blank,
  type Column,
  fields,
  line,
  listOf,
  type Result,
  recordOf,
  stoppedBy,
  tableOf,
} from '../../console/output/result.ts';
import { requirePerson, typedAnswer } from '../../console/person.ts';
import { rateLimitGiven } from '../../console/settings/serving.ts';
import { recordColumns, recordFields } from '../../console/views/audit-view.ts';

type Served = Awaited<ReturnType<typeof import('../../../bots/gate/serve.ts').serveGate>>;

const serve = defineCommand({
  summary: 'Serve the API to bots, each with its own key and mandate',
  description:
    "Runs until Ctrl-C and listens only on this machine. Bots use its address and their own keys (perp gate key add); the credential stays here. The gate refuses everything that the mandate does not allow. Run it as a different user than the bots, or on another machine: anyone who can read this user's files can read the credential.",
  options: {
    mandate: {
      value: 'FILE',
      kind: 'file',
      repeat: true,
      summary: 'a signed mandate (perp mandate sign): its file, or the name of its bot; once for each bot',
    },
    port: { value: 'PORT', kind: 'port', summary: 'port for bots (default 7450)' },
    'rate-limit': {
      value: 'COUNT|off',
      summary:
        'requests per minute that the service allows, shared by the bots (default 300; less once it refuses some)',
    },
  },
  examples: [
    ['perp gate serve --mandate scalper', 'one bot, in the simulation'],
    ['perp gate serve --env live --mandate scalper --mandate grid', 'two bots'],
  ],
  changesMore: true,
  async run(console, input) {
    const { settings, io, signal } = console;
    if (settings.dryRun) throw usageFailure("perp gate serve can't be combined with --dry-run.", 'Omit --dry-run.');
    if (input.mandate.length === 0)
      throw usageFailure('--mandate is missing.', 'perp mandate add BOT writes one; perp mandate sign FILE signs it.');
    const { serveGate } = await import('../../../bots/gate/serve.ts');
    const port = input.port ?? defaultPort;
    const limit = rateLimitGiven(input.rateLimit) ?? defaultRate;
    const say = (text: string) => io.err(`${plainLines(text)}\n`);
    const serving = serveGate({
      session: console,
      mandates: input.mandate,
      port,
      rateLimit: limit === 'off' ? undefined : limit,
      note: (text) => console.note(text),
      log: settings.debug
        ? ({ method, path, status, durationMs, requestId }) =>
            say(`${method} ${path} ${status} ${durationMs.toFixed(1)} ms ${requestId}`)
        : null,
    });
    const served = await serving.catch((error: unknown) => {
      throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? portTaken(port) : error;
    });
    try {
      await console.show(servedRecord(served));
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      await served[Symbol.asyncDispose]();
    }
    console.note('Stopped.');
    return stoppedBy(signal);
  },
});

const defaultPort = 7450;
/** As many as the simulation allows by default. */
const defaultRate = 300;

function servedRecord({ url, status }: Served): Result {
  const { destination, bots } = status();
  return recordOf({ url, pid: process.pid, destination, bots }, () => [
    line({ text: url, tone: 'strong' }, ` leads to ${destination}, for these bots:`),
    tableOf(bots, botColumns),
    bots.some(({ key_expires_at: expires }) => expires === null)
      ? line({ text: 'A bot without a key gets one with perp gate key add BOT.', tone: 'warn' })
      : [],
    line({ text: 'Ctrl-C stops it.', tone: 'faint' }),
  ]);
}

function portTaken(port: number): Failure {
  return new Failure({
    code: 'port_taken',
    message: `Port ${port} is taken.`,
    hint: 'Choose another port with --port, or stop the process that uses it.',
  });
}

const status = defineCommand({
  summary: 'Show the running gate, its bots and their limits',
  description: 'REFUSED counts since the gate started; OPEN counts writes whose outcome is not known or not shown yet.',
  examples: [['perp gate status', 'as the user that runs the gate']],
  async run({ variables }) {
    const { gateFolder } = await import('../../../bots/gate/bots-file.ts');
    const { askGate } = await import('../../../bots/gate/control.ts');
    const status = await askGate(gateFolder(variables), 'status');
    return recordOf(status, () => statusBlocks(status));
  },
});

const log = defineCommand({
  summary: "Show the gate's last decisions and outcomes, newest last",
  description: 'Shows the records of perp audit show in log order. Texts in requests come from bots.',
  options: {
    bot: { value: 'BOT', kind: 'word', summary: 'only records of this bot' },
    limit: { value: 'COUNT', kind: 'count', summary: 'how many records (default 20)' },
  },
  examples: [
    ['perp gate log', 'the last 20 records'],
    ['perp gate log --bot scalper --limit 5', "one bot's last actions"],
  ],
  async run({ variables }, { bot, limit = shownRecords }) {
    const { auditPlace, newestRecords } = await import('../../../desk/audit/chain.ts');
    const rows = newestRecords(auditPlace(variables), { bot }).take(limit).toArray();
    return listOf(rows.reverse(), { fields: recordFields, columns: recordColumns, empty: 'No records.' });
  },
});

const shownRecords = 20;

const stop = defineCommand({
  summary: 'Let a bot, or all bots, only reduce until you resume them',
  description:
    'Refuses orders that add exposure at once, including those waiting for approval; cancels, exits and closes still pass. The stop survives restarts and applies even when no gate is running. perp gate flatten also closes open positions.',
  args: [{ name: 'bot', kind: 'word', optional: true, summary: 'only this bot (default: all)' }],
  examples: [
    ['perp gate stop', 'all bots'],
    ['perp gate stop scalper', 'one of them'],
  ],
  changesMore: true,
  async run(console, { bot }) {
    const { BotsFile, gateFolder } = await import('../../../bots/gate/bots-file.ts');
    const { askGate } = await import('../../../bots/gate/control.ts');
    const { variables, settings, machine } = console;
    const folder = gateFolder(variables);
    const who = bot ?? 'every bot';
    if (settings.dryRun) return said(bot, `Dry run: would stop ${who}.`, { stopped: false });
    const isRunning = await askGate(folder, 'stop', bot).then(() => true, withoutGate);
    if (!isRunning) new BotsFile(folder).stop(bot, machine.now());
    const has = bot === undefined ? 'runs' : `has ${bot}`;
    const where = isRunning ? '' : ` No perp gate serve ${has}; perp mcp --mandate and the next gate will obey it.`;
    return said(bot, `Stopped ${who}: it may only reduce until perp gate resume.${where}`, { stopped: true });
  },
});

/** False if no running gate has the bot. A gate in perp mcp reads the file of bots itself. */
function withoutGate(error: unknown): false {
  const code = ownCodeOf(error);
  if (code === 'no_gate' || code === 'not_found') return false;
  throw error;
}

type Flattened = Awaited<ReturnType<typeof import('../../../bots/gate/control.ts').askGate<'flatten'>>>[number];

const flatten = defineCommand({
  summary: 'Stop a bot, or all bots, and flatten what they trade',
  description:
    "Flattens the accounts of the bot's mandate, no matter who opened the positions. It does not wait for requests in flight; late fills are flattened, too. The bot stays stopped until perp gate resume. Without a running gate, use perp flatten.",
  args: [{ name: 'bot', kind: 'word', optional: true, summary: 'only this bot (default: all)' }],
  examples: [
    ['perp gate flatten', 'all bots'],
    ['perp gate flatten scalper', 'the accounts of one of them'],
  ],
  changesMore: true,
  async run(console, { bot }) {
    const { gateFolder } = await import('../../../bots/gate/bots-file.ts');
    const { askGate } = await import('../../../bots/gate/control.ts');
    const { variables, settings } = console;
    const folder = gateFolder(variables);
    const who = bot ?? 'every bot';
    const { destination } = await askGate(folder, 'status');
    await console.person.confirm(`Stop ${who}, and end everything in its accounts on ${destination}?`);
    if (settings.dryRun) return recordOf({ bot: bot ?? null }, () => [line(`Dry run: would flatten ${who}.`)]);
    const accounts = await askGate(folder, 'flatten', bot);
    const isFlat = accounts.every(({ is_flat: flat }) => flat);
    const record = { bot: bot ?? null, destination, accounts };
    return recordOf(
      record,
      () => [tableOf(accounts, flattenedColumns)],
      isFlat ? exitCodes.done : exitCodes.incomplete,
    );
  },
});

const flattenedColumns: readonly Column<Flattened>[] = [
  { header: 'ACCOUNT', cell: ({ account_id: id }) => id },
  { header: 'CANCELED', cell: ({ canceled }) => String(canceled), align: 'right' },
  { header: 'CLOSED', cell: ({ closed }) => String(closed), align: 'right' },
  {
    header: '',
    cell: ({ is_flat: isFlat, failures }) =>
      isFlat ? { text: 'flat', tone: 'good' } : { text: failures[0] ?? 'not known to be flat', tone: 'bad' },
  },
];

const resume = defineCommand({
  summary: 'Let a stopped bot, or all bots, trade again',
  description: 'Asks you to type a word on a terminal; --yes does not answer it.',
  args: [{ name: 'bot', kind: 'word', optional: true, summary: 'only this bot (default: all)' }],
  examples: [['perp gate resume scalper', 'after perp gate stop scalper']],
  changesMore: true,
  async run(console, { bot }) {
    const { BotsFile, gateFolder } = await import('../../../bots/gate/bots-file.ts');
    const { askGate } = await import('../../../bots/gate/control.ts');
    const { settings, variables } = console;
    const untouched = 'Nothing was changed.';
    requirePerson(console, 'Only a person can let a bot trade again', untouched, 'perp gate resume');
    await typedAnswer(console, [`resume ${bot ?? 'all'}`], ` to let ${bot ?? 'every bot'} trade again`, untouched);
    const folder = gateFolder(variables);
    if (settings.dryRun) return said(bot, 'Dry run: nothing was changed.');
    const file = new BotsFile(folder);
    const isRunning = await askGate(folder, 'resume', bot).then(() => true, withoutGate);
    if (!isRunning) file.resume(bot);
    const isStopped = bot !== undefined && file.stoppedSince(bot) !== undefined;
    return said(
      bot,
      isStopped ? `${bot} is still stopped, because all bots are.` : `${bot ?? 'Every bot'} may trade again.`,
    );
  },
});

function said(bot: string | undefined, text: string, facts: object = {}): Result {
  return recordOf({ bot: bot ?? null, ...facts }, () => [line(text)]);
}

export const commands = { serve, status, log, stop, flatten, resume };

type Status = Awaited<ReturnType<typeof import('../../../bots/gate/control.ts').askGate<'status'>>>;
type BotRow = Status['bots'][number];

/** A gate's bots, as text. */
const botColumns: readonly Column<BotRow>[] = [
  { header: 'BOT', cell: ({ bot }) => bot },
  {
    header: 'MAY',
    cell: ({ stopped_since: stopped, mandate_until: until }) => {
      if (until === null) return { text: 'do nothing: no mandate is in force', tone: 'bad' };
      return stopped === null ? 'trade' : { text: `only reduce, stopped ${dateTime(stopped)}`, tone: 'warn' };
    },
  },
  { header: 'UNTIL', cell: ({ mandate_until: until }) => (until === null ? '' : dateTime(until)), keep: 3 },
  {
    header: 'KEY UNTIL',
    cell: ({ key_expires_at: at }) => (at === null ? { text: 'no key', tone: 'warn' } : dateTime(at)),
    keep: 2,
  },
  { header: 'ACCOUNTS', cell: ({ accounts }) => accounts.join(' '), keep: 4 },
];

const activityColumns: readonly Column<BotRow>[] = [
  ...botColumns.slice(0, 2),
  { header: 'REQUESTS/MIN', cell: ({ requests }) => String(requests), align: 'right', keep: 3 },
  { header: 'ORDERS/MIN', cell: ({ orders }) => String(orders), align: 'right', keep: 2 },
  { header: 'REFUSED', cell: ({ refused }) => String(refused), align: 'right', keep: 1 },
  {
    header: 'OPEN',
    cell: ({ open_writes: open }) => (open === 0 ? '0' : { text: String(open), tone: 'warn' }),
    align: 'right',
    keep: 4,
  },
  ...botColumns.slice(2),
];

/** A running gate. */
function statusBlocks({ url, pid, destination, since, bots, accounts, unknown_marks: unknown }: Status): Blocks {
  const stale = accounts.filter(({ is_current: current }) => !current).map(({ account_id: id }) => id);
  return [
    fields(['address', url], ['leads to', destination], ['since', dateTime(since)], ['process', String(pid)]),
    blank,
    tableOf(bots, activityColumns),
    ...accounts
      .filter(({ is_current: current }) => current)
      .map(({ account_id: id, open_positions: positions, working_orders: orders, running_twaps: twaps }) =>
        line(`${id}: positions ${positions ?? '-'}, working orders ${orders ?? '-'}, running TWAPs ${twaps ?? '-'}`),
      ),
    stale.length === 0
      ? []
      : line({ text: `Unknown now: ${stale.join(', ')}. Only reductions pass there.`, tone: 'bad' }),
    unknown.length === 0
      ? []
      : line({ text: `The mark of ${unknown.join(', ')} is unknown: only reductions pass there.`, tone: 'warn' }),
  ];
}
