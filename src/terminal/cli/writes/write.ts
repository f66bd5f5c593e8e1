import { exitCodes, usageFailure } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { quantity } from '../../../base/text/format.ts';
import { accountIn, accountOf, destinationText } from '../../../desk/intents/note.ts';
import type { FarStop } from '../../../desk/preview/prospect.ts';
import { isSending } from '../../../desk/reading/before.ts';
import { explained } from '../../../desk/resolve/unknown.ts';
import type { Taker } from '../../../desk/writes/drift.ts';
import type { Answer, BulkOperationId, CallOptions } from '../../../wire/client/client.ts';
import { named, newIdempotencyKey } from '../../../wire/client/form-request.ts';
import type { Intent } from '../../../wire/client/intent.ts';
import type { Operation } from '../../../wire/contract/operation.ts';
import { type KnownOperationId, operations, type RequestOf } from '../../../wire/contract/operations.ts';
import { bodyIssues } from '../../../wire/contract/request.ts';
import { simulationOperations } from '../../../wire/contract/simulation.ts';
import type { Console } from '../../console/console.ts';
import { renderBlocks } from '../../console/output/render.ts';
import { type Blocks, fields, line, type RecordResult, type Result, recordOf } from '../../console/output/result.ts';
import { confirmWrite } from '../../console/person.ts';
import { withDestination } from '../../console/where.ts';

const operationOf: Readonly<Record<KnownOperationId, Operation>> = { ...operations, ...simulationOperations };

/** How a write is previewed, checked and reported. */
interface Write<Id extends KnownOperationId> {
  /** The preview shown on a terminal before sending; throws a failure to reject the write. */
  preview?: (request: RequestOf<Id>) => Promise<Blocks>;
  /** A check before sending if there is no preview; throws a failure to reject the write. */
  check?: (request: RequestOf<Id>) => Promise<void>;
  /** The question on a terminal: `Place this order?`; the destination is added to it. */
  question: string;
  /** The account it concerns, if the request does not name it. */
  account?: string;
  /** The order, if it meets the book at once: the preview is shown again if its fill has moved in the meantime. */
  taker?: Taker | undefined;
  /** Always needs confirmation: without a terminal, it requires --yes. */
  needsYes?: true;
  done(answer: Answer<Id>): Result | Promise<Result>;
  /** Sends the write, if that takes more than one call. */
  send?: (request: RequestOf<Id> & CallOptions) => Promise<Answer<Id>>;
}

/**
 * Performs one write, for any command. With --dry-run, prints only the exact request. On a terminal, shows the preview
 * and asks. Then sends the write and prints its result.
 */
export async function write<Id extends KnownOperationId>(
  console: Console,
  id: Id,
  request: RequestOf<Id>,
  { preview, check, question: what, account, taker, needsYes, done, send }: Write<Id>,
): Promise<Result> {
  // The preview shows the account; repeating it in the question would not fit on a line.
  const isShown = preview !== undefined && !console.settings.quiet;
  const issues = bodyIssues(operationOf[id], (request as { body?: unknown }).body);
  if (issues.length > 0) throw usageFailure('The request is invalid.', undefined, issues);
  console.memory.concerns(account);
  const known = account ?? accountOf(request);
  // A line of a batch must not wait for its turn if there is no question.
  const isAsked = console.person.isInteractive || needsYes === true;
  const question = isAsked ? await placedQuestion(console, what, known, isShown) : what;
  const idempotencyKey = console.settings.idempotencyKey ?? newIdempotencyKey();
  const keyed = { ...named(id, request, idempotencyKey), idempotencyKey };
  if (console.settings.dryRun) return dryRunOf(console, id, keyed);
  // Refused before anything is shown; without a question, the access does it.
  if (console.person.isInteractive) await refuseIfLocked(console, id, keyed);
  const earlier = console.person.isInteractive ? await settledInstead(console, id, keyed) : undefined;
  if (earlier !== undefined) return earlier;
  if (needsYes === true) requireYes(console, question);
  const tellNotes = await console.person.checked(async () =>
    console.person.isInteractive ? undefined : check?.(keyed),
  );
  const accounts = known === undefined ? [] : [known];
  if (id === 'createOrder') console.outside.prompts.propose?.((keyed as RequestOf<'createOrder'>).body);
  const asks = preview === undefined ? undefined : () => preview(keyed);
  if (console.person.isInteractive) await confirm(console, question, accounts, asks, taker);
  await isSending(console);
  const answer = await (send === undefined ? console.call(id, keyed) : send(keyed)).catch((error: unknown) => {
    if (factsOf(error).exit === exitCodes.outcomeUnknown) tellNotes();
    throw error;
  });
  tellNotes();
  return withDestination(console, accountIn(answer.data) ?? known, await conclude(console, answer, done));
}

/** Whether to ask about a stop that is far away: only where a question follows. */
export function farStopOf(console: Console, isAllowed: boolean): FarStop {
  if (isAllowed) return 'allow';
  return console.person.isInteractive && !console.settings.yes ? 'ask' : 'refuse';
}

/** Shows the preview and asks, for bulk commands that send several writes. */
export async function confirmBulk(
  console: Console,
  question: string,
  accounts: readonly string[],
  preview: () => Promise<Blocks>,
): Promise<void> {
  const asked = await placedQuestion(console, question, accounts.length === 1 ? accounts[0] : undefined);
  requireYes(console, asked);
  if (console.person.isInteractive) await confirm(console, asked, accounts, preview);
}

async function confirm(
  console: Console,
  question: string,
  accounts: readonly string[],
  preview: (() => Promise<Blocks>) | undefined,
  taker?: Taker,
): Promise<void> {
  if (preview !== undefined) {
    // Computed even with --quiet, because the preview rejects orders whose worst case breaches a floor.
    const shown = await preview();
    if (!console.settings.quiet) console.io.err(`${await renderBlocks(shown, console.io.columns, console.palette)}\n`);
  }
  const { client, destination } = await console.access();
  await confirmWrite(console, question, { client, destination, accounts });
  if (taker === undefined || console.settings.yes) return;
  const { driftOf } = await import('../../../desk/writes/drift.ts');
  const drift = await driftOf(console, taker);
  if (drift === undefined) return;
  console.io.err(`${drift}\n`);
  console.memory.forget();
  await confirm(console, question, accounts, preview, taker);
}

/**
 * The question with the write's destination: `Place market buy 0.05 BTC on SIM default, synthetic, account acc_1?` An
 * account that `isShown` is not repeated, except the one on live.
 */
export async function placedQuestion(
  console: Console,
  question: string,
  account: string | undefined,
  isShown = account !== undefined && question.includes(account),
): Promise<string> {
  const { destination } = await console.access();
  const isLive = destination.environment === 'live';
  return `${question.replace(/\?$/, '')} on ${destinationText(destination, isShown && !isLive ? undefined : account)}?`;
}

/** The write is done, so failing to read its result must not look as if nothing had happened. */
export async function conclude<Id extends KnownOperationId, R extends Result>(
  console: Console,
  answer: Answer<Id>,
  done: (answer: Answer<Id>) => R | Promise<R>,
): Promise<R | RecordResult> {
  const { flaw } = answer;
  if (flaw !== undefined) {
    console.note(`The write is done, but the answer can't be read: ${flaw}.`);
    return recordOf(answer.data, () => [line('Done.')]);
  }
  try {
    return await done(answer);
  } catch (error) {
    const { exit, message } = factsOf(await console.memory.diagnosed(error));
    if (exit === exitCodes.bug) throw error;
    console.note(`The write is done, but the result could not be fetched: ${message}`);
    const isBulk = answer.data !== null && typeof answer.data === 'object' && 'results' in answer.data;
    return recordOf(answer.data, () => [line('Done.')], isBulk ? exitCodes.incomplete : exitCodes.done);
  }
}

async function refuseIfLocked<Id extends KnownOperationId>(
  console: Console,
  id: Id,
  request: RequestOf<Id> & CallOptions,
): Promise<void> {
  const { client, exposureProof } = await console.access();
  const prove = await exposureProof(client.intend(id, request));
  prove();
}

/** On a terminal, offers to settle an unsettled write that this one would repeat. */
async function settledInstead<Id extends KnownOperationId>(
  console: Console,
  id: Id,
  request: RequestOf<Id> & CallOptions,
): Promise<Result | undefined> {
  const { client, intents } = await console.access();
  const earlier = intents.earlier(client.intend(id, request));
  if (earlier === undefined) return undefined;
  const { settleInstead } = await import('./settle-instead.ts');
  return settleInstead(console, earlier);
}

/** Runs a bulk operation part by part until it is complete. */
export function sendBulk<Id extends BulkOperationId>(console: Console, id: Id, what: string) {
  return (request: RequestOf<Id> & CallOptions): Promise<Answer<Id>> =>
    console.person.during(what, async (say) => {
      const { client } = await console.access();
      const progressed = (progress: unknown) => {
        const { succeeded_count: done, failed_count: failed, total_count: total } = progress as BulkCounts;
        say(
          `${what}: ${quantity(done + failed)} of ${quantity(total)}${failed > 0 ? `, ${quantity(failed)} failed` : ''}`,
        );
      };
      try {
        const answer = await client.runBulk(id, { ...request, signal: console.signal }, progressed);
        console.memory.took(id, answer);
        return answer;
      } catch (error) {
        throw await explained(console, request, error);
      }
    });
}

interface BulkCounts {
  succeeded_count: number;
  failed_count: number;
  total_count: number;
}

/** The exact request that would be sent. */
export async function dryRunOf<Id extends KnownOperationId>(
  console: Console,
  id: Id,
  request: RequestOf<Id> & CallOptions,
): Promise<Result> {
  const { client } = await console.access();
  return dryRunResult([client.intend(id, request)]);
}

/** The exact requests that would be sent. */
export function dryRunResult(intents: readonly Intent[]): Result {
  const requests = intents.map((intent) => ({
    method: intent.method,
    path: intent.target,
    ...(intent.body === undefined ? {} : { body: JSON.parse(intent.body) as unknown }),
    ...(intent.idempotencyKey === undefined ? {} : { idempotency_key: intent.idempotencyKey }),
  }));
  const blocks = () =>
    requests.map(({ method, path, body, idempotency_key }) => [
      line({ text: `${method} ${path}`, tone: 'strong' }),
      fields(['Idempotency-Key', idempotency_key]),
      body === undefined
        ? []
        : JSON.stringify(body, null, 2)
            .split('\n')
            .map((text) => line(text)),
      line({ text: 'Dry run: nothing was sent.', tone: 'faint' }),
    ]);
  return recordOf(requests.length === 1 ? requests[0] : requests, blocks);
}

/** Bulk commands need confirmation: on a terminal by prompt, otherwise by --yes. */
export function requireYes(console: Console, question: string): void {
  if (console.settings.yes || console.person.isInteractive) return;
  throw usageFailure(`${question} Can't ask for confirmation without a terminal.`, 'Add --yes to confirm.');
}
