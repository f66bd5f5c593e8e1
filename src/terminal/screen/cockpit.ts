import { exitCodes, Failure } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { nextTradingDayStart } from '../../base/terms/day.ts';
import { quantity, usd } from '../../base/text/format.ts';
import { wrap } from '../../base/text/plain-text.ts';
import { type LadderMarket, linesOf, PriceLadder } from '../../desk/ladder/price-ladder.ts';
import { Armed, type ArmedContext, HeldKeys, type Moment, pingEveryMs } from '../../desk/mandate/armed.ts';
import { judgeWrite } from '../../desk/mandate/judge-write.ts';
import { refusalText } from '../../desk/mandate/would-be.ts';
import { tickAt } from '../../desk/resolve/grid.ts';
import { type ArmTerms, armTerms, suggestedLine, termsText } from '../../desk/watch/arm-terms.ts';
import {
  ArmedOrders,
  entryOrder,
  exposedOf,
  lostUsd,
  mandatedWrite,
  type Written,
} from '../../desk/watch/armed-orders.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { ModelReader } from '../../desk/watch/model-reader.ts';
import { heldIn, standingOf } from '../../desk/watch/standing.ts';
import { readTicketFacts, type TicketFacts, ticketOf } from '../../desk/watch/ticket.ts';
import type { KnownOperationId } from '../../wire/contract/operations.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import type { Console } from '../console/console.ts';
import { textOf } from '../console/output/result.ts';
import { confirmWrite } from '../console/person.ts';
import { whereNow } from '../console/where.ts';
import { consoleFor, reported, type ScreenCommands } from './running-command.ts';
import type { Deck, Runner, ScreenGuide } from './view.ts';

/** Dependencies of the cockpit. */
interface CockpitParts {
  readonly console: Console;
  readonly model: LiveModel;
  readonly reader: ModelReader;
  readonly commands: ScreenCommands;
  readonly ownKeys: ReadonlyMap<string, string>;
  /** Whether previews fit on the terminal. */
  isLargeEnough(): boolean;
  changed(): void;
  bell(): void;
}

/** The state of the trading screen besides the model. */
export interface CockpitShown extends ReturnType<Cockpit['shown']> {
  readonly guide?: ScreenGuide | undefined;
  /** The control that moves the clock, with its own row. */
  readonly deck?: Pick<Deck, 'row' | 'keys'> | undefined;
}

/** How often armed keys are checked, ms. */
const checkMs = 250;
/** How long values that no stream carries are used before they are read again, ms. */
const factsMs = 30_000;
const maxSaid = 6;

/** Trading by hand on the live screen: the ladder, the ticket, armed keys, and the outcome of each key. */
export class Cockpit {
  readonly ladder = new PriceLadder();
  readonly #parts: CockpitParts;
  readonly #held = new HeldKeys();
  readonly #orders: ArmedOrders;
  readonly #timer: NodeJS.Timeout;
  #armed: Armed | undefined;
  #terms: ArmTerms | undefined;
  #reportsFocus = false;
  /** As of the last check: computing it takes longer than a key may. */
  #endAway: number | undefined;
  #pingedAt = 0;
  #facts: { read: TicketFacts; at: number } | undefined;
  #reading: Promise<void> | undefined;
  /** The equity with which the account was first armed on a trading day. */
  #dayEquity: { account: string; day: number; equity: number } | undefined;
  /** The outcome of keys, newest last. */
  #said: readonly { readonly text: string; readonly isBad: boolean }[] = [];
  #draft: CreateOrderRequest | undefined;

  constructor(parts: CockpitParts) {
    this.#parts = parts;
    const { console: session, model } = parts;
    this.#orders = new ArmedOrders({
      session,
      model,
      moment: () => this.#moment(),
      isArmed: () => this.#isArmedNow(),
      facts: () => this.#factsNow(),
      equityThen: () => this.#dayEquity?.equity,
    });
    this.#timer = setInterval(() => this.#tick(), checkMs);
  }

  get isArmed(): boolean {
    return this.#armed !== undefined;
  }

  /** An order got no answer, and it is unknown yet whether it arrived. */
  get isUnknown(): boolean {
    return this.#orders.isUnknown;
  }

  get feeBps(): number | undefined {
    return this.#factsNow()?.feeBps;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#armed?.disarm('the screen was closed');
    this.#armed = undefined;
  }

  /** The contents of the screen. */
  shown() {
    const { model, ownKeys } = this.#parts;
    const facts = this.#factsNow();
    const draft = this.#draft ?? this.#cursorOrder();
    return {
      ladder: this.ladder,
      /** The chosen market for the ladder; undefined until its price grid is known. */
      market: this.#ladderMarket(),
      ticket: draft === undefined || facts === undefined ? undefined : ticketOf(model, facts, draft),
      armed: this.#armedShown(),
      said: this.#said,
      /** Own keys and templates. */
      ownKeys,
      uptime: this.#moment().uptime,
    };
  }

  /** The order of the typed command, for the ticket. */
  draft(order: CreateOrderRequest | undefined): void {
    this.#draft = order;
    if (order !== undefined) this.prepare();
  }

  /** Reads the values that tickets need, unless they are known; call when trading begins. */
  prepare(): void {
    void this.#readFacts();
  }

  say(text: string, isBad = true): void {
    this.#said = [...this.#said, { text, isBad }].slice(-maxSaid);
    this.#parts.changed();
  }

  /** The user pressed a key or a button. */
  touched(): void {
    this.#armed?.touched(this.#moment());
  }

  focused(hasFocus: boolean): void {
    this.#reportsFocus = true;
    this.#armed?.focused(hasFocus);
    this.#tick();
  }

  /** Whether a key was pressed on its own and not held down. */
  isPressed(name: string): boolean {
    return this.#held.isPressed(name, this.#moment());
  }

  disarm(reason: string): void {
    this.#armed?.disarm(reason);
    this.#tick();
  }

  /** The line that arms keys, to be completed. */
  armLine(): string {
    this.prepare();
    return suggestedLine(this.#parts.model);
  }

  /** Runs the line that arms the keys: shows its terms, asks, and arms. */
  readonly arm: Runner = async (console, line, account, terminal) => {
    try {
      const { model } = this.#parts;
      const terms = armTerms(line, model, console.settings, this.#moment().wall);
      const place = textOf(whereNow(console, account));
      const focus = this.#reportsFocus ? [] : ['focus: not reported by this terminal, so 10 s without a key disarm'];
      const said = [...termsText(terms, this.#moment().wall), ...focus];
      terminal.print(said.map((text) => `${wrap(text, terminal.columns, '')}\n`).join(''));
      const { client, destination } = await console.access();
      const accounts = account === undefined ? [] : [account];
      const question = `On ${place}, one key is then one order, without a question. Arm the keys?`;
      await confirmWrite(consoleFor(console, account, terminal), question, { client, destination, accounts });
      await this.#readFacts();
      if (this.#factsNow() === undefined)
        throw new Failure({
          code: 'unknown',
          message: 'What orders would do is not known.',
        });
      await this.#orders.makeReady();
      // Time passes while a user reads.
      this.#arm(armTerms(line, model, console.settings, this.#moment().wall));
      return exitCodes.done;
    } catch (error) {
      return reported(error, terminal);
    }
  };

  /** Enters at a price or at market, under the mandate. */
  async enter(side: 'buy' | 'sell', limit: number | undefined): Promise<void> {
    const [armed, terms] = [this.#armed, this.#terms];
    if (armed === undefined || terms === undefined || !this.#isArmedNow()) return;
    const { text, isBad } = await this.#orders.enter({ side, limit }, armed, terms);
    this.say(text, isBad);
    this.#tick();
  }

  /** Runs a complete command under the mandate. */
  async command(line: string): Promise<void> {
    const armed = this.#armed;
    if (armed === undefined || !this.#isArmedNow()) return;
    const { commands, model } = this.#parts;
    const done = await commands.runArmed(line, model.accountId, {
      isArmed: () => this.#armed === armed && this.#isArmedNow(),
      refuse: (id, request) => this.#refuse(armed, id, request),
    });
    if (done === undefined) return this.say('Not sent: a command is under way.');
    const first = done.printed
      .split('\n')
      .map((text) => text.trim())
      .filter((text) => text !== '');
    this.say(first.slice(0, 2).join('  '), done.exit !== exitCodes.done);
  }

  #arm(terms: ArmTerms): void {
    const { model } = this.#parts;
    const { account, time } = model;
    const equity = account && standingOf(account, model).equity;
    if (account !== undefined && equity !== undefined) {
      const day = nextTradingDayStart(time);
      const known = this.#dayEquity;
      if (known?.account !== account.account.id || known.day !== day)
        this.#dayEquity = { account: account.account.id, day, equity };
    }
    this.#terms = terms;
    const at = this.#moment();
    this.#armed = new Armed(terms.mandate, at, this.#reportsFocus);
    this.#pingedAt = at.uptime - pingEveryMs;
    this.#tick();
  }

  #moment(): Moment {
    const { machine } = this.#parts.console;
    return { uptime: machine.uptime?.() ?? performance.now(), wall: machine.now() };
  }

  #isArmedNow(): boolean {
    return this.#armed?.check(this.#moment(), this.#surroundings()) === true;
  }

  #surroundings(): ArmedContext {
    const { model, isLargeEnough } = this.#parts;
    const { account: state, streams, chosen } = model;
    return {
      account: state?.account.id,
      market: chosen.market_id,
      isCurrent: streams.isLive('market') && streams.isLive('account'),
      isActive: state?.account.status === 'active',
      isLocked: state !== undefined && model.locks.has(state.account.id),
      endAway: this.#endAway,
      isLargeEnough: isLargeEnough(),
    };
  }

  /** The distance to the nearest end of the account or a position, as a share of the mark. */
  #nearestEnd(): number | undefined {
    const { model } = this.#parts;
    const held = model.account === undefined ? [] : heldIn(model.account, model);
    const away = held.flatMap(({ end, mid }) =>
      end === undefined || mid === undefined ? [] : [Math.abs(end.price - mid) / mid],
    );
    return away.length === 0 ? undefined : Math.min(...away);
  }

  /** Asks the service once a second, and disarms for the first reason. */
  #tick(): void {
    const armed = this.#armed;
    if (armed === undefined) return;
    this.#endAway = this.#nearestEnd();
    const now = this.#moment();
    if (armed.check(now, this.#surroundings())) {
      if (now.uptime - this.#pingedAt >= pingEveryMs) {
        this.#pingedAt = now.uptime;
        armed.asked(now);
        this.#parts.reader.ping().then(
          () => armed.answered(this.#moment()),
          () => {},
        );
      }
      this.#parts.changed();
      return;
    }
    this.#armed = undefined;
    this.#parts.bell();
    this.say(`DISARMED: ${armed.reason}.`);
  }

  /** Throws a failure for a write of a command that the mandate does not allow. */
  #refuse(armed: Armed, id: KnownOperationId, request: unknown): void {
    const stopped = (why: string) => new Failure({ code: 'mandate_refused', message: `Not sent: ${why}` });
    if (this.#armed !== armed || !this.#isArmedNow()) throw stopped('the keys are disarmed.');
    const { model } = this.#parts;
    const write = mandatedWrite(id, request as Written, model);
    if (write === undefined) throw stopped('armed keys only place, amend, cancel and close.');
    const { sentAt, mandate } = armed;
    const counted = { sentAt, equityThen: this.#dayEquity?.equity, facts: this.#factsNow() };
    const exposed = exposedOf(model, counted, write.order);
    const verdict = judgeWrite(mandate, exposed, write.write, armed.timeAt(this.#moment()));
    if (!verdict.isAllowed) throw stopped(refusalText(verdict));
    for (let at = 0; at < verdict.effect.orders; at += 1) armed.sent(this.#moment());
  }

  /** The armed keys, as the bar shows them. */
  #armedShown() {
    const [armed, terms] = [this.#armed, this.#terms];
    if (armed === undefined || terms === undefined) return undefined;
    const now = this.#moment();
    const { model, console } = this.#parts;
    const { largestPositionUsd, lossPerDayUsd } = terms.mandate;
    return {
      /** Where orders go: `SIM default, synthetic`. */
      place: textOf(whereNow(console, model.accountId)),
      terms: `${quantity(terms.size)} ${terms.symbol} a key  position <= ${usd(largestPositionUsd)}  loss <= ${usd(lossPerDayUsd)}`,
      leftMs: armed.leftMs(now),
      idleLeftMs: armed.idleLeftMs(now),
      reportsFocus: armed.reportsFocus,
      lostUsd: lostUsd(model, this.#dayEquity?.equity),
    };
  }

  /** The order that a key would send at the cursor, or at market. */
  #cursorOrder(): CreateOrderRequest | undefined {
    const { model } = this.#parts;
    if (this.#terms === undefined || this.#armed === undefined) return undefined;
    const limit = this.ladder.priceAtCursor();
    const mid = model.mid(model.chosen.market_id);
    const side = limit !== undefined && mid !== undefined && limit > mid ? 'sell' : 'buy';
    return entryOrder(model, this.#terms, { side, limit });
  }

  #ladderMarket(): LadderMarket | undefined {
    const { model } = this.#parts;
    const { chosen, grid, account: state, book, ahead, prints } = model;
    const mid = model.mid(chosen.market_id) ?? Number(book?.bids[0]?.px ?? book?.asks[0]?.px);
    if (grid?.tick === undefined || !(mid > 0)) return undefined;
    const held =
      state === undefined ? undefined : heldIn(state, model).find(({ position }) => position === model.position);
    return {
      marketId: chosen.market_id,
      run: model.states.run,
      tick: tickAt(grid, mid),
      book,
      orders: model.orders,
      ahead,
      lines: held === undefined ? [] : linesOf(held, this.feeBps),
      prints,
    };
  }

  #factsNow(): TicketFacts | undefined {
    const { model } = this.#parts;
    const read = this.#facts?.read;
    return read?.account === model.accountId && read?.market === model.chosen.market_id ? read : undefined;
  }

  async #readFacts(): Promise<void> {
    const isFresh = this.#factsNow() !== undefined && this.#moment().uptime - this.#facts!.at < factsMs;
    if (isFresh) return;
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #readNow(): Promise<void> {
    const { console, model, changed } = this.#parts;
    if (model.accountId === undefined) return;
    try {
      const read = await readTicketFacts(console, model.accountId, model.chosen);
      this.#facts = { read, at: this.#moment().uptime };
      changed();
    } catch (error) {
      this.say(factsOf(error).message);
    }
  }
}
