import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, notFoundFailure } from '../../../base/failure/failure.ts';
import { existingOwnerSecret, type OwnerSecret } from '../../../base/files/owner-secret.ts';
import { dateTime } from '../../../base/text/format.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import type { AuditedOutcome } from '../../../desk/audit/record.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { renderBlocks } from '../../console/output/render.ts';
import { line, listOf, type Result, recordOf } from '../../console/output/result.ts';
import { requirePerson, typedAnswer } from '../../console/person.ts';
import {
  approvalBlocks,
  recordOfWaiting,
  type WaitingRequest,
  waitingColumns,
  waitingFields,
  waitingWords,
} from '../../console/views/audit-view.ts';

type Decided = Awaited<ReturnType<typeof import('../../../bots/gate/approvals/decide.ts').decide>>;

export const command = defineCommand({
  summary: "Approve or reject a bot's order that waits for you",
  description:
    "Orders above a mandate's approve-above wait at the gate. Without an id, lists waiting orders. With one, shows the exact request and its effect on positions and floors, and asks you to type a word: only on a terminal, never with --yes. An approval covers this one request, once; it is void after two minutes or when the mark moves beyond its bound.",
  args: [{ name: 'id', kind: 'word', optional: true, summary: 'approval id, or its beginning' }],
  examples: [
    ['perp approve', 'what waits'],
    ['perp approve 3f2a9c01', 'review one and decide'],
  ],
  changesMore: true,
  async run(console, { id }) {
    const { approvalsFolder } = await import('../../../bots/gate/approvals/approval-files.ts');
    const { waitingRequests } = await import('../../../bots/gate/approvals/decide.ts');
    const now = () => console.outside.now();
    const folder = approvalsFolder(console.variables);
    const secret = existingOwnerSecret(console.variables);
    const waiting = secret === undefined ? [] : waitingRequests(folder, secret, now());
    if (id === undefined)
      return listOf(waiting.map(recordOfWaiting), {
        fields: waitingFields,
        columns: waitingColumns(now()),
        empty: 'Nothing waits for approval.',
      });
    const one = chosen(waiting, id);
    if (console.settings.dryRun) return recordOf(recordOfWaiting(one), () => approvalBlocks(one, now()));
    requirePerson(
      console,
      'Only a person who reads an order can approve it',
      'Nothing was decided.',
      'perp approve ID',
    );
    return await decideAbout(console, folder, secret!, one);
  },
});

function chosen(waiting: readonly WaitingRequest[], id: string): WaitingRequest {
  const found = waiting.filter(({ kept }) => kept.id.startsWith(id.toLowerCase()));
  if (found.length === 1) return found[0]!;
  const problem =
    found.length === 0
      ? `No request ${quoted(id)} waits for approval.`
      : `${found.length} waiting requests begin with ${quoted(id)}.`;
  throw notFoundFailure(problem, 'perp approve lists the waiting requests.');
}

async function decideAbout(
  console: Console,
  folder: string,
  secret: OwnerSecret,
  one: WaitingRequest,
): Promise<Result> {
  const { decide } = await import('../../../bots/gate/approvals/decide.ts');
  const { kept, facts, decision: earlier } = one;
  const now = () => console.outside.now();
  console.io.err(`${await renderBlocks(approvalBlocks(one, now()), console.io.columns, console.palette)}\n`);
  if (earlier !== undefined)
    throw conflict('already_decided', `Someone has ${earlier} it, and its bot has not asked again yet.`);
  if (facts === undefined)
    throw new Failure({
      code: 'gate_silent',
      message: 'The gate that received it does not answer, so nothing was decided.',
      hint: 'Start the gate again; the request waits until its bot asks again.',
    });
  const { mark } = facts;
  const isKnown = mark !== undefined && facts.effect !== undefined;
  if (!isKnown) console.note('It can only be declined, because its effects are unknown now.');
  const decline = `decline ${kept.request.bot}`;
  const answers = isKnown ? [`approve ${kept.request.bot}`, decline] : [decline];
  const untouched = 'Nothing was decided; the request is still waiting.';
  const typed = await typedAnswer(console, answers, '; nothing leaves it waiting', untouched);
  const decision = typed === decline ? 'declined' : 'approved';
  const options = { folder, secret, kept, decision, mark: mark ?? 0, by: userName(), now, sleep } as const;
  const decided = await console.person.during('Waiting for the gate', () => decide(options));
  const outcome = decided.state === 'used' ? await outcomeOf(console, one) : undefined;
  return told(console, one, decided, outcome);
}

function told(console: Console, one: WaitingRequest, decided: Decided, outcome: AuditedOutcome | undefined): Result {
  const { kept } = one;
  const { state } = decided;
  if (state === 'void' || state === 'expired') throw conflict(state, `The order will not be sent: ${decided.why}`);
  const record = { ...recordOfWaiting(one), state, outcome: outcome ?? null };
  const words = `${kept.request.bot}: ${waitingWords(one)}`;
  const says =
    state === 'declined'
      ? `Declined, ${words}.`
      : state === 'kept'
        ? `Approved, ${words}. It is sent when the bot asks again, until ${dateTime(decided.until)}.`
        : `Approved, ${words}. ${outcomeWords(outcome)}`;
  console.hasWritten = true;
  return recordOf(record, () => [
    line({ text: says, tone: state === 'declined' || (outcome?.outcome ?? 'done') !== 'done' ? 'warn' : 'good' }),
  ]);
}

function outcomeWords(outcome: AuditedOutcome | undefined): string {
  if (outcome === undefined) return 'It was sent; perp audit show shows its outcome.';
  const { ids = [], status, code, why } = outcome;
  const parts = [outcome.outcome, status, code, ...ids, why].filter((part) => part !== undefined);
  return `The service: ${parts.join(' ').replace(/\.$/, '')}.`;
}

const outcomeMs = 10_000;
const pollMs = 250;

/** The service's answer, as the audit log has it. */
async function outcomeOf(console: Console, { kept }: WaitingRequest): Promise<AuditedOutcome | undefined> {
  const { auditPlace, newestRecords } = await import('../../../desk/audit/chain.ts');
  const place = auditPlace(console.variables);
  for (let waitedMs = 0; waitedMs < outcomeMs; waitedMs += pollMs) {
    const outcomes = new Map<string, AuditedOutcome>();
    for (const record of newestRecords(place, { bot: kept.request.bot })) {
      if (record.kind === 'outcome') outcomes.set(record.write, outcomes.get(record.write) ?? record);
      if (record.kind !== 'decided' || record.approval !== kept.id) continue;
      const outcome = outcomes.get(record.write);
      if (outcome !== undefined) return outcome;
      break;
    }
    await sleep(pollMs);
  }
  return undefined;
}

/** The person's user on this machine. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}

function conflict(code: 'already_decided' | 'void' | 'expired', message: string): Failure {
  return new Failure({ code, message, hint: 'perp approve lists the waiting requests.' });
}
