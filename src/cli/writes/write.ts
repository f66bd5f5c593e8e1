import type { BulkOperationId } from '../../client/bulk.ts';
import type { Answer, CallOptions } from '../../client/client.ts';
import { newIdempotencyKey } from '../../client/identifiers.ts';
import type { Intent } from '../../client/intent.ts';
import type { Operation } from '../../contract/operation.ts';
import { type KnownOperationId, operations, type RequestOf } from '../../contract/operations.ts';
import { bodyIssues } from '../../contract/request.ts';
import { simulationOperations } from '../../contract/simulation.ts';
import type { Context } from '../context/context.ts';
import { exitCodes } from '../failure/exit-codes.ts';
import { usageFailure } from '../failure/failure.ts';
import { factsOf } from '../failure/report.ts';
import { renderBlocks } from '../output/render.ts';
import { type Block, fields, line, type RecordResult, type Result, recordOf } from '../output/result.ts';
import { quantity } from '../text/format.ts';
import { named } from './naming.ts';

export interface Write<Id extends KnownOperationId> {
  /** What a person sees on a terminal before it is sent; a failure refuses it. */
  preview?: () => Promise<readonly Block[]>;
  /** Asked on a terminal: `Place this order?` */
  question: string;
  /** Never without a yes: off a terminal it then takes --yes. */
  sweeping?: true;
  done(answer: Answer<Id>): Result | Promise<Result>;
  /** Sends it, where that is more than one call. */
  send?: (request: RequestOf<Id> & CallOptions) => Promise<Answer<Id>>;
}

/**
 * One write, as every command makes it: with --dry-run its exact request and nothing more; on a terminal first what it
 * will do and a question; then the write, and what came of it.
 */
export async function write<Id extends KnownOperationId>(
  context: Context,
  id: Id,
  request: RequestOf<Id>,
  { preview, question, sweeping, done, send }: Write<Id>,
): Promise<Result> {
  checkBody(id, request);
  const idempotencyKey = context.settings.idempotencyKey ?? newIdempotencyKey();
  const keyed = { ...named(id, request, idempotencyKey), idempotencyKey };
  if (context.settings.dryRun) {
    const { client } = await context.connection();
    return dryRunResult([client.intend(id, keyed)]);
  }
  const earlier = context.isInteractive ? await settledInstead(context, id, keyed) : undefined;
  if (earlier !== undefined) return earlier;
  if (sweeping === true) requireYes(context, question);
  if (context.isInteractive && preview !== undefined) {
    // Worked out under --quiet, too: it is what refuses an order whose worst case breaks a floor.
    const shown = await preview();
    if (!context.settings.quiet) await show(context, shown);
  }
  await context.confirm(question);
  const answer = await (send === undefined ? context.call(id, keyed) : send(keyed));
  return conclude(context, answer, done);
}

/** The write is done. What can't be read any more after it must not look as if nothing had happened. */
export async function conclude<Id extends KnownOperationId, R extends Result>(
  context: Context,
  answer: Answer<Id>,
  done: (answer: Answer<Id>) => R | Promise<R>,
): Promise<R | RecordResult> {
  try {
    return await done(answer);
  } catch (error) {
    const cause = await context.blamed(error);
    const { exit, message } = factsOf(cause);
    if (exit === exitCodes.bug) throw error;
    context.note(`It is done, but what it led to can't be read: ${message}`);
    const isBulk = answer.data !== null && typeof answer.data === 'object' && 'results' in answer.data;
    return recordOf(answer.data, () => [line('Done.')], isBulk ? exitCodes.incomplete : exitCodes.done);
  }
}

/** On a terminal: an unsettled write that this one would repeat is settled instead, if the person says so. */
async function settledInstead<Id extends KnownOperationId>(
  context: Context,
  id: Id,
  request: RequestOf<Id> & CallOptions,
): Promise<Result | undefined> {
  const { client, intents } = await context.connection();
  const earlier = intents.earlier(client.intend(id, request));
  if (earlier === undefined) return undefined;
  const { settleInstead } = await import('./settle-instead.ts');
  return settleInstead(context, earlier);
}

/** Refuses a body that the contract refuses, before anything is shown or sent. */
function checkBody(id: KnownOperationId, request: { body?: unknown }): void {
  const all: Readonly<Record<KnownOperationId, Operation>> = { ...operations, ...simulationOperations };
  const issues = bodyIssues(all[id], request.body);
  if (issues.length > 0) throw usageFailure('The request is not valid.', undefined, issues);
}

/** A bulk operation's write: run slice by slice to its end. */
export function sendBulk<Id extends BulkOperationId>(context: Context, id: Id, what: string) {
  return (request: RequestOf<Id> & CallOptions): Promise<Answer<Id>> =>
    context.during(what, async (say) => {
      const { client } = await context.connection();
      const progressed = (progress: unknown) => {
        const { succeeded_count: done, failed_count: failed, total_count: total } = progress as BulkCounts;
        say(
          `${what}: ${quantity(done + failed)} of ${quantity(total)}${failed > 0 ? `, ${quantity(failed)} failed` : ''}`,
        );
      };
      try {
        const answer = await client.runBulk(id, { ...request, signal: context.signal }, progressed);
        context.hear(id, answer);
        return answer;
      } catch (error) {
        throw await context.explained(request, error);
      }
    });
}

interface BulkCounts {
  succeeded_count: number;
  failed_count: number;
  total_count: number;
}

/** The requests that would be sent, exactly. */
export function dryRunResult(intents: readonly Intent[]): Result {
  const requests = intents.map((intent) => ({
    method: intent.method,
    path: intent.target,
    ...(intent.body === undefined ? {} : { body: JSON.parse(intent.body) as unknown }),
    ...(intent.idempotencyKey === undefined ? {} : { idempotency_key: intent.idempotencyKey }),
  }));
  const blocks = () =>
    requests.flatMap(({ method, path, body, idempotency_key }): Block[] => [
      line({ text: `${method} ${path}`, tone: 'strong' }),
      fields(idempotency_key === undefined ? undefined : ['Idempotency-Key', idempotency_key]),
      ...(body === undefined
        ? []
        : JSON.stringify(body, null, 2)
            .split('\n')
            .map((text) => line(text))),
      line({ text: 'Dry run: nothing was sent.', tone: 'faint' }),
    ]);
  return recordOf(requests.length === 1 ? requests[0] : requests, blocks);
}

/** What sweeps needs a yes: on a terminal it is asked for, elsewhere it must be on the command line. */
export function requireYes(context: Context, question: string): void {
  if (context.settings.yes || context.isInteractive) return;
  throw usageFailure(`${question} There is no terminal to answer on.`, 'Add --yes if it is meant.');
}

async function show(context: Context, blocks: readonly Block[]): Promise<void> {
  context.io.err(`${await renderBlocks(blocks, context.io.columns, context.palette)}\n`);
}
