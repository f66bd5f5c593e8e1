import { hash } from 'node:crypto';
import { exitCodes, Failure, type FailureFacts } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { isJsonObject } from '../../base/terms/json-object.ts';
import { destinationName } from '../../desk/intents/note.ts';
import { accountRisk } from '../../desk/resolve/account.ts';
import type { ObjectSchema } from '../../wire/contract/schema.ts';
import { validate } from '../../wire/contract/validate.ts';
import type { Console } from '../console/console.ts';
import {
  type AgentCall,
  type AgentDesk,
  agentCall,
  readOnlyFailure,
  type Tool,
  type ToolResult,
} from './agent-console.ts';
import { keyReused } from './placed.ts';
import { money } from './shapes.ts';

/** The answer to one call: the agent's view, and whether it failed. */
interface CallAnswer {
  readonly shown: Record<string, unknown>;
  readonly isError: boolean;
}

/** The writes made under a key. */
interface Intention {
  /** The tool and its arguments. */
  readonly print: string;
  readonly kept: Map<string, unknown>;
  /** Set while it runs, and after it has succeeded. */
  answer: Promise<CallAnswer> | undefined;
}

/** More intentions than anyone repeats. */
const mostIntentions = 2_000;
/** Maximum number of concurrent calls; a loop that never waits must not pile up. */
const mostCalls = 32;

/** The calls of one connection: checked, carried out, and answered in one form. */
export class Calls {
  readonly #desk: AgentDesk;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #intentions = new Map<string, Intention>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #inputEnded = new AbortController();

  constructor(desk: AgentDesk, tools: readonly Tool[]) {
    this.#desk = desk;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** Nothing more arrives: calls that only wait are ended, and it resolves when no call is running. */
  async settled(): Promise<void> {
    this.#inputEnded.abort();
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  /** Calls a tool; undefined for one that does not exist. Never rejects. */
  call(name: string, given: unknown, canceled: AbortSignal): Promise<CallAnswer> | undefined {
    const tool = this.#tools.get(name);
    if (tool === undefined) return undefined;
    const stop = tool.waits === true ? AbortSignal.any([canceled, this.#inputEnded.signal]) : canceled;
    const answer = this.#answer(tool, withoutOmitted(tool.input, given ?? {}), stop);
    this.#running.add(answer);
    void answer.finally(() => this.#running.delete(answer));
    return answer;
  }

  async #answer(tool: Tool, given: unknown, canceled: AbortSignal): Promise<CallAnswer> {
    const args = isJsonObject(given) ? given : {};
    const key = typeof args.idempotency_key === 'string' ? args.idempotency_key : '';
    const account = typeof args.account === 'string' ? args.account : undefined;
    const terms = { account, idempotencyKey: key === '' ? undefined : key, canceled, sends: tool.changes };
    const call = agentCall(this.#desk, terms);
    try {
      this.#check(tool, given);
      if (!tool.changes) {
        const run = tool.run(call.console, args as never, { ...call, key: '', kept: new Map() });
        return await this.#done(call, await run);
      }
      return await this.#once(call, tool, args, key);
    } catch (error) {
      return this.#failed(call, error);
    } finally {
      await call.console.close();
    }
  }

  #check(tool: Tool, given: unknown): void {
    if (tool.changes && this.#desk.mandate === undefined) throw readOnlyFailure();
    if (this.#running.size >= mostCalls)
      throw new Failure({
        code: 'too_many_calls',
        message: `${mostCalls} calls are running. Nothing was sent.`,
        hint: 'Wait for answers before you call again; wait_for waits for a condition.',
        retryable: true,
      });
    const issues = validate(tool.input, given);
    if (issues.length > 0) throw invalid(issues);
  }

  /** Does the work of a key once. A repeated call gets its answer, updated by the tool itself. */
  async #once(call: AgentCall, tool: Tool, args: Record<string, unknown>, key: string): Promise<CallAnswer> {
    const print = hash('sha256', JSON.stringify([tool.name, sorted(args)]), 'hex');
    let known = this.#intentionOf(key, print);
    // Nothing else may run between looking and starting: two simultaneous calls are one intention.
    for (; known?.answer !== undefined; known = this.#intentionOf(key, print)) {
      const first = await known.answer.catch((error: unknown) => {
        // A canceled call has done nothing; the next one does the work.
        if (factsOf(error).exit !== exitCodes.interrupted) throw error;
      });
      if (first !== undefined) return this.#repeated(call.console, first);
    }
    const intention: Intention = known ?? { print, kept: new Map(), answer: undefined };
    this.#keep(key, intention);
    intention.answer = tool
      .run(call.console, args as never, { ...call, key, kept: intention.kept })
      .then((result) => this.#done(call, result))
      .catch((error: unknown) => {
        intention.answer = undefined;
        // Nothing was done, so the key is free.
        if (!isOpen(asAgentFacts(factsOf(error)))) this.#intentions.delete(key);
        throw error;
      });
    return intention.answer;
  }

  /** The call that this key names; undefined if there is none yet. Throws for another intention. */
  #intentionOf(key: string, print: string): Intention | undefined {
    const known = this.#intentions.get(key);
    if (known !== undefined && known.print !== print) throw keyReused();
    return known;
  }

  #keep(key: string, intention: Intention): void {
    this.#intentions.set(key, intention);
    if (this.#intentions.size <= mostIntentions) return;
    for (const [old, { answer }] of this.#intentions) {
      if (answer === undefined || old === key) continue;
      this.#intentions.delete(old);
      return;
    }
  }

  /** The answer that this key got, with the account's current state. */
  async #repeated(console: Console, { shown }: CallAnswer): Promise<CallAnswer> {
    const { summary, notes: _, ...rest } = shown;
    const again = `Nothing was done again; this is what the same call did before. ${typeof summary === 'string' ? summary : ''}`;
    return { shown: { ...rest, ...(await this.#head(console)), summary: again, repeated: true }, isError: false };
  }

  async #done({ console, notes, foreign }: AgentCall, { summary, ...result }: ToolResult): Promise<CallAnswer> {
    const head = await this.#head(console);
    const noted = notes.map(asFields);
    const all = { summary, ...head, ...result, ...(noted.length === 0 ? {} : { notes: noted }) };
    return { shown: foreign.sealed(all) as Record<string, unknown>, isError: false };
  }

  async #failed({ console, foreign }: AgentCall, error: unknown): Promise<CallAnswer> {
    const facts = asAgentFacts(factsOf(await console.memory.diagnosed(error)));
    const failed = {
      summary: summaryOf(facts),
      ...(await this.#head(console)),
      error: {
        code: facts.code,
        message: asFields(facts.message),
        rule_id: facts.ruleId,
        details: facts.details,
        what_to_do: whatToDo(facts),
        sent: facts.sent,
        nothing_was_sent: facts.sent === 'no',
      },
    };
    return { shown: foreign.sealed(failed) as Record<string, unknown>, isError: true };
  }

  /** The fields of every result: its source, and the remaining room (null if unknown). */
  async #head(console: Console): Promise<Record<string, unknown>> {
    const unknown = { account: console.settings.account ?? null, room_usd: { daily_loss: null, max_drawdown: null } };
    const where = { environment: console.settings.environment, mandate: this.#desk.mandate ?? null };
    try {
      const { destination } = await console.access();
      const place = { ...where, destination: destinationName(destination) };
      const read = await accountRisk(console).catch(() => undefined);
      if (read === undefined) return { ...place, ...unknown };
      const { daily_loss_room: daily, max_drawdown_room: drawdown } = read.risk ?? {};
      return { ...place, account: read.id, room_usd: { daily_loss: money(daily), max_drawdown: money(drawdown) } };
    } catch {
      return { ...where, destination: null, ...unknown };
    }
  }
}

/** Some clients send null for an optional argument that was omitted. Null stays where it has a meaning. */
function withoutOmitted({ properties = {}, required = [] }: ObjectSchema, given: unknown): unknown {
  if (!isJsonObject(given)) return given;
  const isOmitted = (name: string, value: unknown) =>
    value === null && !required.includes(name) && validate(properties[name] ?? {}, null).length > 0;
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => !isOmitted(name, value)));
}

/** Arguments in one order of fields. */
function sorted(args: Record<string, unknown>): unknown {
  return Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** A failure as an agent has to see it: for an order that waits, with its approval. */
function asAgentFacts(facts: FailureFacts): FailureFacts {
  const approval = facts.status === 503 ? approvalIn(facts.details) : undefined;
  return approval === undefined ? facts : { ...facts, code: waits, details: { approval } };
}

const waits = 'waits_for_approval';

/** Whether the same request may still be carried out. */
function isOpen({ sent, code }: FailureFacts): boolean {
  return sent === 'unknown' || code === waits;
}

/** The approval that a gate's answer names. */
function approvalIn(details: unknown): string | undefined {
  const [detail] = Array.isArray(details) ? (details as { field?: unknown; issue?: unknown }[]) : [];
  return detail?.field === 'approval' && typeof detail.issue === 'string' ? detail.issue : undefined;
}

function summaryOf({ exit, sent, code }: FailureFacts): string {
  if (code === waits) return 'Waits for a person: nothing was sent yet.';
  if (exit === exitCodes.bug) return `Failed: a bug in perp (${code}).`;
  if (sent === 'unknown') return `Unknown: it was sent, and nobody knows yet whether it was done (${code}).`;
  return sent === 'no' ? `Not sent, so nothing was done (${code}).` : `Refused, and nothing was done (${code}).`;
}

/** The way on. Hints of the command line name its options, so only those of these tools are passed on. */
function whatToDo({ exit, code, hint, retryable, details }: FailureFacts): string | undefined {
  if (code === waits) {
    const { approval } = details as { approval: string };
    return `A person decides on a terminal: perp approve ${approval.slice(0, 8)}. Then repeat the same call with the same idempotency_key. Nothing that you can send approves it.`;
  }
  if (exit === exitCodes.outcomeUnknown)
    return 'Repeat the same call with the same idempotency_key and arguments: it finds out, and does nothing twice.';
  if (hint !== undefined && !/\bperp (?!mcp|mandate|approve)|--force/.test(hint)) return asFields(hint);
  return retryable === true ? 'Try again later, with the same idempotency_key.' : undefined;
}

/** Options of the command line whose field has another name. */
const fieldNames: Readonly<Record<string, string>> = {
  add: 'a second one',
  'cross-ok': 'time_in_force',
  expires: 'time_in_force',
  margin: 'margin_mode',
  'replace-exits': 'replace_overlapping_exits',
  size: 'size_base',
  slippage: 'slippage_tolerance_bps',
  'stop-loss': 'stop_loss_price',
  'take-profit': 'take_profit_price',
  tif: 'time_in_force',
};

/** Options of `perp mcp` itself. */
const ownOptions = new Set(['env', 'mandate', 'state']);

/** A sentence of the desk with the names that tools have for its options: `--stop-loss` is `stop_loss_price`. */
function asFields(text: string): string {
  return text.replace(/--([a-z]+(?:-[a-z]+)*)/g, (flag, name: string) =>
    ownOptions.has(name) ? flag : (fieldNames[name] ?? name.replaceAll('-', '_')),
  );
}

function invalid(issues: readonly { field: string; issue: string }[]): Failure {
  const shown = issues.slice(0, 10).map(({ field, issue }) => `${field} ${issue}`);
  return new Failure({
    code: 'invalid_arguments',
    message: `The arguments are not valid: ${shown.join('; ')}. Nothing was sent.`,
    details: issues.slice(0, 10),
  });
}
