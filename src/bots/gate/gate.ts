import { ownerSecret } from '../../base/files/owner-secret.ts';
import { AuditLog } from '../../desk/audit/audit-log.ts';
import { auditPlace, newestRecords } from '../../desk/audit/chain.ts';
import { destinationText } from '../../desk/intents/note.ts';
import { type Mandate, minuteMs } from '../../desk/mandate/mandate.ts';
import { SeenTimes } from '../../desk/mandate/signed.ts';
import type { Session } from '../../desk/session/session.ts';
import type { RenewableTransport } from '../../wire/client/send.ts';
import type { Operation } from '../../wire/contract/operation.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { OpenedStream, StreamEvents, WireRequest, WireResponse } from '../../wire/contract/wire.ts';
import { Failure, refusalResponse } from '../../wire/hosting/failure.ts';
import { type BodyProblems, newRequestId } from '../../wire/hosting/read-request.ts';
import type { Outlet, StreamConnection } from '../../wire/hosting/stream-host.ts';
import { Admission } from './admission.ts';
import { Approvals } from './approvals/approvals.ts';
import { askedRead, askedWrite, type Named, named, ofCredential } from './asked.ts';
import { BotsFile } from './bots-file.ts';
import { AccountCache } from './cache/account-cache.ts';
import { Bot } from './cache/bot.ts';
import { handling } from './cache/handling.ts';
import { wantedBy } from './cache/readings.ts';
import { clockOf, type GateParts, Judgment, noMandate } from './judgment.ts';
import { Outcomes } from './outcomes.ts';
import { idIn, Reach, Refused, named as withNames } from './reach.ts';
import { BotStreams } from './streams/bot-streams.ts';
import { Upstream, unavailable } from './upstream.ts';
import { type Asker, earlierWrites, type FlattenedAccount, flattenAccounts, Writes } from './writes.ts';

/** Finds the bot of a request for an operation; null: a reader without a key. Throws a 401. */
export type Identify = (operation: Operation) => string | null;

/** How long a bot waits for a read, including the wait for a lane, ms. */
const readMs = 15_000;

/** Dependencies of a gate. */
export interface GateOptions {
  /**
   * The connection to the service, with the credential that no bot sees: the gate's own session, which it doesn't
   * close.
   */
  readonly session: Session;
  /** The mandates in force now, by bot: the signed terms, tightened by the file. */
  readonly mandates: () => ReadonlyMap<string, Mandate>;
  /** The gate's private folder: approvals, hashes of keys, and stopped bots. */
  readonly folder: string;
  /** Requests per minute that the service allows; undefined if unknown. */
  readonly rateLimit?: number | undefined;
  /** How long a bot waits for the outcome of a write before it is told to ask again, ms. */
  readonly holdMs?: number | undefined;
  /** How long a bot waits for a read, ms. */
  readonly readMs?: number | undefined;
  /** How long a request that waits for a person is held before its bot is told so, ms. */
  readonly approvalHoldMs?: number | undefined;
  /** Takes a remark for the gate's owner, in a sentence. */
  note(text: string): void;
}

/** The parts of a gate. */
interface Parts extends Omit<GateParts, 'session' | 'upstream' | 'stopping' | 'holdMs'> {
  readonly options: GateOptions;
  readonly streams: BotStreams;
}

/**
 * Stands between bots and the service: each request is confined to its bot's accounts, each write is judged by its
 * mandate, sent with the gate's own credential and recorded, and each answer has the bot's own ids.
 */
export class Gate implements AsyncDisposable {
  readonly #parts: Parts;
  readonly #upstream: Upstream;
  readonly #reach: Reach;
  readonly #writes: Writes;
  readonly #admission: Admission;
  readonly #known: Map<string, Bot>;
  readonly #stopping = new AbortController();
  readonly #since: number;
  readonly #undo: AsyncDisposableStack;

  private constructor(parts: Parts, known: Map<string, Bot>, undo: AsyncDisposableStack) {
    const { options, clock, cache } = parts;
    const { session } = options;
    this.#parts = parts;
    this.#known = known;
    this.#undo = undo;
    this.#since = clock.wall();
    this.#admission = new Admission(options.rateLimit, [...known.keys()], clock.steady);
    this.#upstream = new Upstream(session, {
      distrusted: options.note,
      rateLimited: () => this.#admission.limited(),
    });
    this.#reach = new Reach(this.#upstream, cache);
    const writing: GateParts = {
      ...parts,
      session,
      upstream: this.#upstream,
      stopping: this.#stopping.signal,
      holdMs: options.holdMs,
    };
    const judgment = new Judgment(writing);
    const outcomes = new Outcomes(writing);
    this.#writes = new Writes({ ...parts, reach: this.#reach, judgment, outcomes });
  }

  /** Opens a gate: reads the accounts' exposure, and takes over unfinished writes of an earlier run. */
  static async open(options: GateOptions): Promise<Gate> {
    const { session, folder, note } = options;
    const { machine } = session;
    const { variables } = machine;
    const clock = clockOf(machine);
    await using undo = new AsyncDisposableStack();
    const known = new Map<string, Bot>();
    const botOf = (name: string) => botIn(known, options, name);
    for (const name of options.mandates().keys()) botOf(name);
    const secret = ownerSecret(variables);
    const audit = undo.use(AuditLog.open(auditPlace(variables), { secret, note, now: clock.wall }));
    const approvals = undo.use(
      new Approvals({
        variables,
        secret,
        audit,
        now: clock.wall,
        ...(machine.uptime && { uptime: machine.uptime }),
        ...(options.approvalHoldMs !== undefined && { holdMs: options.approvalHoldMs }),
      }),
    );
    const cache = undo.use(
      await AccountCache.open({ session, wanted: () => wantedBy(options.mandates()), now: clock.steady, note }),
    );
    const streams = undo.use(
      new BotStreams({
        cache,
        accountsOf: (bot) => botOf(bot).accounts,
        shown: (bot, order) => withNames(botOf(bot), order) as Order,
        uptime: () => performance.now(),
      }),
    );
    const destination = destinationText((await session.access()).destination);
    const times = new SeenTimes(variables, machine.uptime);
    const parts = { options, clock, bots: new BotsFile(folder), times, audit, approvals, cache, streams, destination };
    const gate = new Gate(parts, known, undo.move());
    gate.#takeOver();
    gate.#event('started', `The gate is starting for ${[...known.keys()].join(', ')}, on ${destination}.`);
    return gate;
  }

  /**
   * Answers one request of a bot, in the shapes of the API. Its `authorization` header is not looked at. It rejects only
   * for bugs.
   */
  handle(bot: string, request: WireRequest, signal?: AbortSignal): Promise<WireResponse> {
    return this.answer(request, { identify: () => bot, signal });
  }

  /** `handle` for one bot as a transport, for a client in this process. */
  transport(bot: string): RenewableTransport {
    return (request, { signal }) => this.handle(bot, request, signal);
  }

  /** The same for a request whose bot isn't known yet. */
  async answer(
    request: WireRequest,
    context: { identify: Identify; problems?: BodyProblems | undefined; signal?: AbortSignal | undefined },
  ): Promise<WireResponse> {
    const requestId = newRequestId();
    const limits = { until: performance.now() + (this.#parts.options.readMs ?? readMs), signal: context.signal };
    let name: Named | undefined;
    let bot: string | null = null;
    try {
      name = named(request);
      bot = context.identify(name.operation);
      if (this.#stopping.signal.aborted) throw unavailable('The gate is stopping.');
      const [who, asked] = [bot, name];
      const answer = await this.#admission.run(who ?? '', asked, () =>
        this.#answered(who, asked, request, context.problems, {
          ...limits,
          allowed: () => context.identify(asked.operation),
        }),
      );
      const headers = { 'x-request-id': idIn(answer) ?? requestId, ...this.#upstream.sharedHeaders };
      return { ...answer, headers: { ...headers, ...answer.headers } };
    } catch (error) {
      if (bot !== null && error instanceof Failure && error.facts.ruleId !== undefined) this.#admission.refused(bot);
      return this.#refusal(error, requestId, name?.operation ?? null);
    }
  }

  /** Admits a bot to a stream before it is opened; an error is the answer. */
  admit(
    bot: string | null,
    path: string,
    search: URLSearchParams,
    isStillAllowed: () => boolean,
  ): (outlet: Outlet) => StreamConnection {
    if (this.#stopping.signal.aborted) throw unavailable('The gate is stopping.');
    return this.#parts.streams.admit(bot ?? '', path, search, isStillAllowed);
  }

  /** The account stream or the market stream as a bot sees it. */
  stream(bot: string, target: string, events: StreamEvents): OpenedStream {
    return this.#parts.streams.open(bot, target, events);
  }

  /** The bots with access, and the stopped ones. */
  get bots(): BotsFile {
    return this.#parts.bots;
  }

  /** The time for keys and mandates, whatever the clock says now. */
  get times(): SeenTimes {
    return this.#parts.times;
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** The gate's current state, as its owner reads it; null is unknown, and times are Unix ms. */
  status() {
    const { bots, clock, cache, destination } = this.#parts;
    const now = clock.wall();
    const owners = new Map([...this.#known.values()].flatMap(({ name, accounts }) => accounts.map((id) => [id, name])));
    return {
      ...{ destination, since: this.#since },
      bots: [...this.#known.values()].map((bot) => ({
        bot: bot.name,
        accounts: bot.accounts,
        stopped_since: bots.stoppedSince(bot.name) ?? null,
        key_expires_at: bots.validKey(bot.name, now)?.expires_at ?? null,
        mandate_until: bot.mandate?.until ?? null,
        orders: bot.accounts[0] === undefined ? 0 : cache.exposed(bot.name, bot.accounts[0]).sentAt.length,
        ...this.#admission.figures(bot.name),
        // Those whose outcome is unknown.
        open_writes: cache.open(bot.name),
      })),
      accounts: [...owners].map(([account_id, bot]) => {
        const is_current = cache.isCurrent(account_id);
        const known = is_current ? cache.exposed(bot, account_id) : undefined;
        const counts = [known?.positions, known?.working, known?.twaps].map((rows) => rows?.length ?? null);
        const [open_positions = null, working_orders = null, running_twaps = null] = counts;
        return { account_id, is_current, open_positions, working_orders, running_twaps };
      }),
      // Nothing is added in these markets.
      unknown_marks: wantedBy(this.#parts.options.mandates()).markets.filter((id) => !cache.marks.has(id)),
    };
  }

  /** No new exposure for a bot, or for all; reductions still pass. It lasts until `resume`. */
  stop(bot?: string): void {
    this.#parts.bots.stop(bot, this.#parts.clock.wall());
    this.#happened('bot stopped', `${bot ?? 'Every bot'} is stopped: it can only reduce.`, bot);
  }

  /** Undoes `stop`. Only ever called for a person at a terminal. */
  resume(bot?: string): void {
    this.#parts.bots.resume(bot);
    this.#happened('bot resumed', `${bot ?? 'Every bot'} may trade again.`, bot);
  }

  /** Stops a bot, or all, then cancels its orders and closes its positions, in parallel with everything else. */
  async flatten(bot?: string): Promise<FlattenedAccount[]> {
    this.stop(bot);
    const { options, cache } = this.#parts;
    const bots = bot === undefined ? [...this.#known.values()] : [this.#bot(bot)];
    const accounts = [...new Set(bots.flatMap((one) => one.accounts))];
    const isAnyPending = () => bots.some(({ name }) => cache.open(name) > 0);
    const names = bots.map(({ name }) => name);
    const end = () => flattenAccounts(options.session, accounts, isAnyPending);
    const flattened = await this.#admission.without(names, end);
    const left = flattened.filter(({ is_flat: isFlat }) => !isFlat).map(({ account_id: id }) => id);
    const says = left.length === 0 ? 'is flat' : `is not flat yet: ${left.join(', ')}`;
    this.#happened('flattened', `${bot ?? 'Every bot'} ${says}.`, bot);
    return flattened;
  }

  /** Answers everything that waits, and refuses later requests. The next start settles writes that are then open. */
  drain(): void {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    this.#parts.streams[Symbol.dispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.drain();
    if (this.#undo.disposed) return;
    this.#happened('ended', 'The gate has stopped.');
    await this.#undo.disposeAsync();
  }

  /** State from earlier runs: writes with open outcomes, keys that still answer, and orders of the last minute. */
  #takeOver(): void {
    const { clock, cache, options } = this.#parts;
    const records = newestRecords(auditPlace(options.session.machine.variables));
    for (const earlier of earlierWrites(records, (name) => this.#bot(name), clock.wall())) {
      this.#writes.adopt(earlier);
      const { going, state, orders } = earlier;
      const age = clock.wall() - going.forwarded.sentAt;
      // The service lists the orders that it made.
      if (state === 'open' || going.forwarded.intent.clientOrderId !== undefined || age > minuteMs) continue;
      cache.countSent(going.bot.name, Array<number>(orders).fill(clock.steady() - Math.max(0, age)));
    }
  }

  async #answered(
    name: string | null,
    asked: Named,
    request: WireRequest,
    problems: BodyProblems = {},
    asker: Asker,
  ): Promise<WireResponse> {
    if (handling[asked.id].confined === 'credential') throw ofCredential(asked, request, problems);
    const bot = name === null ? null : this.#bot(name);
    if (bot !== null && bot.mandate === undefined && handling[asked.id].confined !== 'open') throw noMandate(bot.name);
    if (request.method === 'GET') return await this.#reach.read(bot, askedRead(asked, request, problems), asker);
    return await this.#writes.answer(bot!, askedWrite(asked, request, problems), request, asker);
  }

  #bot(name: string): Bot {
    return botIn(this.#known, this.#parts.options, name);
  }

  #refusal(error: unknown, requestId: string, operation: Operation | null): WireResponse {
    if (error instanceof Refused) return error.answer;
    const headers = { ...this.#upstream.sharedHeaders };
    if (error instanceof Failure) return refusalResponse(error, { requestId, operation, headers });
    const message = error instanceof Error ? error.message : String(error);
    this.#parts.options.note(`A request could not be answered: ${message}`);
    const failure = unavailable('The gate could not do this; its log has the reason. Nothing was sent.', 5);
    return refusalResponse(failure, { requestId, operation, headers });
  }

  #event(event: string, says: string, bot?: string): void {
    const { audit, clock } = this.#parts;
    audit.append({ kind: 'event', time: clock.wall(), event, says, ...(bot !== undefined && { bot }) });
  }

  /** Records a past event; a failing log doesn't change it. */
  #happened(event: string, says: string, bot?: string): void {
    try {
      this.#event(event, says, bot);
    } catch (error) {
      this.#parts.options.note(`${says} It could not be recorded: ${error instanceof Error ? error.message : error}`);
    }
  }
}

function botIn(known: Map<string, Bot>, { mandates }: GateOptions, name: string): Bot {
  const bot = known.get(name) ?? new Bot(name, () => mandates().get(name));
  known.set(name, bot);
  return bot;
}
