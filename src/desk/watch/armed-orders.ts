import { factsOf } from '../../base/failure/report.ts';
import { quantity, usd } from '../../base/text/format.ts';
import { OutcomeUnknownError } from '../../wire/client/client-errors.ts';
import { named, newIdempotencyKey } from '../../wire/client/form-request.ts';
import type { WriteId } from '../../wire/client/writes.ts';
import type { KnownOperationId } from '../../wire/contract/operations.ts';
import type { CreateOrderRequest, Order } from '../../wire/contract/orders.ts';
import { withoutLastPart } from '../account/means.ts';
import { type Armed, answerMs, type Moment } from '../mandate/armed.ts';
import { judgeWrite } from '../mandate/judge-write.ts';
import type { Exposed, GateWrite, Mandate } from '../mandate/mandate.ts';
import { refusalText } from '../mandate/would-be.ts';
import { fittingText, largestLots } from '../preview/largest-size.ts';
import { onlyReduces } from '../preview/protection.ts';
import { onGrid } from '../resolve/grid.ts';
import { nearestFloor } from '../risk/breach.ts';
import type { Mark } from '../risk/path-account.ts';
import type { Session } from '../session/session.ts';
import { type Move, moved } from '../values/prices.ts';
import type { ArmTerms } from './arm-terms.ts';
import type { LiveModel } from './live-model.ts';
import { standingOf } from './standing.ts';
import { displayedQuote, type Ticket, type TicketFacts, ticketOf } from './ticket.ts';

/** The outcome of a key: sent and answered, or why not. `isBad`: to be noticed. */
interface Outcome {
  readonly text: string;
  readonly isBad: boolean;
}

/** An entry as a key asks for it. */
interface Entry {
  readonly side: 'buy' | 'sell';
  /** The price on the screen; undefined: at market. */
  readonly limit: number | undefined;
}

/** The order of one key under these terms; undefined while prices or the market's grid are not known. */
export function entryOrder(model: LiveModel, terms: ArmTerms, { side, limit }: Entry): CreateOrderRequest | undefined {
  const { chosen, account: state, book, grid } = model;
  const best = (side === 'buy' ? book?.asks : book?.bids)?.[0]?.px;
  const price = limit ?? (best === undefined ? undefined : Number(best));
  if (state === undefined || price === undefined || grid?.tick === undefined) return undefined;
  const held = model.position;
  const { size } = terms;
  const order: CreateOrderRequest = {
    type: limit === undefined ? 'market' : 'limit',
    account_id: state.account.id,
    market_id: chosen.market_id,
    side,
    size,
    leverage: held?.leverage ?? terms.leverage,
    margin_mode: held?.margin_mode ?? terms.marginMode,
    ...(limit === undefined ? { expected_price: price } : { limit_price: limit }),
  };
  // The exits of an order that only closes would be left out.
  if (onlyReduces(order, held)) return order;
  const away = (move: Move | undefined, isStop: boolean, risk?: number) => {
    if (move === undefined) return undefined;
    const distance = { ...move, amount: Math.abs(move.amount), isUnsigned: true };
    return moved(price, distance, (side === 'buy') === isStop ? -1 : 1, risk);
  };
  const placed = (exact: number | undefined) =>
    exact !== undefined && exact > 0 ? onGrid(grid, exact, side === 'buy' ? 'sell' : 'buy') : undefined;
  const risk = away(terms.stop, true);
  const stop = placed(risk);
  const target = placed(away(terms.target, false, risk === undefined ? undefined : Math.abs(price - risk)));
  return {
    ...order,
    ...(stop !== undefined && { stop_loss_price: stop }),
    ...(target !== undefined && { take_profit_price: target }),
    // They are for the whole position, as its exits were.
    ...((stop ?? target) !== undefined && { replace_overlapping_exits: true }),
  };
}

/** Facts used to judge a write, besides the frames. */
interface Counted {
  readonly sentAt: readonly number[];
  /** The account's equity when the loss began to count, USD. */
  readonly equityThen: number | undefined;
  readonly facts: Pick<TicketFacts, 'twaps' | 'policy'> | undefined;
}

/** The account's loss since the loss limit took effect, USD. */
export function lostUsd(model: LiveModel, equityThen: number | undefined): number | undefined {
  const equity = model.account && standingOf(model.account, model).equity;
  return equity === undefined || equityThen === undefined ? undefined : equityThen - equity;
}

/**
 * The exposure of the account on the screen, from its frames. Copies of it are not counted: a user who arms keys knows
 * that they trade. `taken`: an order whose walk through the streamed book counts.
 */
export function exposedOf(model: LiveModel, { sentAt, equityThen, facts }: Counted, taken?: Taken): Exposed {
  const { account: state, chosen } = model;
  const positions = state && [...state.positions.values()];
  const working = state && [...state.orders.values()];
  const involved = [chosen, ...(positions ?? []), ...(working ?? [])];
  return {
    account: state?.account,
    positions,
    working,
    twaps: facts?.twaps,
    copies: [],
    followers: new Map(),
    policy: facts?.policy,
    marks: withDepth(model.marks(involved), model, taken),
    markets: new Map(
      involved.flatMap(({ market_id: id }) => {
        const market = model.market(id);
        return market === undefined ? [] : [[id, market]];
      }),
    ),
    lostUsd: lostUsd(model, equityThen),
    sentAt,
    pending: [],
  };
}

/** The part of an order that a walk through the book depends on. */
interface Taken {
  readonly market_id: string;
  readonly side: 'buy' | 'sell';
  readonly size: number;
}

/** With the walk of an order through the streamed book. */
function withDepth(marks: Map<string, Mark>, { book, chosen }: LiveModel, taken: Taken | undefined): Map<string, Mark> {
  const mark = marks.get(chosen.market_id);
  if (mark === undefined || book === undefined || taken?.market_id !== chosen.market_id) return marks;
  const { side, size } = taken;
  const { worst_price: worst } = displayedQuote(book, chosen, { side, size, feeBps: undefined });
  if (worst === undefined) return marks;
  const away = Math.max(0, side === 'buy' ? worst - mark.price : mark.price - worst);
  return marks.set(chosen.market_id, { ...mark, depth: { [side]: { size, average: away, worst: away } } });
}

/** Dependencies of sending with armed keys. */
interface Desk {
  readonly session: Session;
  readonly model: LiveModel;
  moment(): Moment;
  /** Whether the keys are still armed; checked again just before an order is sent. */
  isArmed(): boolean;
  facts(): TicketFacts | undefined;
  equityThen(): number | undefined;
}

/**
 * Sends the orders of armed keys: one at a time, each within the mandate, judged by the streams, stored on disk before
 * it is sent, and sent once. An order without an answer is not sent again.
 */
export class ArmedOrders {
  readonly #desk: Desk;
  #isSending = false;
  #last: string | undefined;
  /** An order got no answer, and it is unknown yet whether it arrived. */
  isUnknown = false;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Prepares the slow parts, so that no key waits for them. */
  async makeReady(): Promise<void> {
    const { intents } = await this.#desk.session.access();
    intents.makeReady();
  }

  /** Sends the order of a key, or gives the reason why not. */
  async enter(entry: Entry, armed: Armed, terms: ArmTerms): Promise<Outcome> {
    const { model } = this.#desk;
    const refused = (text: string): Outcome => ({ text: `Not sent: ${text}`, isBad: true });
    if (this.#isSending) return refused('the previous order has no answer yet.');
    if (this.#last !== undefined && !model.hasHeardOf(this.#last))
      return refused('the previous order is not on the screen yet.');
    const order = entryOrder(model, terms, entry);
    const facts = this.#desk.facts();
    const ticket = order === undefined || facts === undefined ? undefined : ticketOf(model, facts, order);
    if (order === undefined || facts === undefined || ticket === undefined)
      return refused('its effects are not known yet.');
    const problem = this.#problemOf(ticket, facts, armed, terms.mandate);
    if (problem !== undefined) return refused(problem);
    if (!this.#desk.isArmed()) return refused('the keys are disarmed.');
    armed.sent(this.#desk.moment());
    return this.#send(order, armed);
  }

  /** Why the mandate or the trader's own rules don't allow an order. */
  #problemOf(ticket: Ticket, facts: TicketFacts, armed: Armed, mandate: Mandate): string | undefined {
    const { order, quote, breach, market } = ticket;
    const { model, session, moment, equityThen } = this.#desk;
    const { settings } = session;
    const reduces = onlyReduces(order, model.position);
    if ((order.limit_price ?? quote.worst_price) === undefined) return "the streamed book levels can't fill it.";
    const exposed = exposedOf(model, { sentAt: armed.sentAt, equityThen: equityThen(), facts }, order);
    const write: GateWrite = { operation: 'createOrder', account: order.account_id, body: { ...order } };
    const verdict = judgeWrite(mandate, exposed, write, armed.timeAt(moment()));
    if (!verdict.isAllowed) return refusalText(verdict);
    if (reduces) return undefined;
    if (settings.requireStop && order.stop_loss_price === undefined) return 'trade.require_stop requires a stop.';
    const isFloorKnown = nearestFloor(model.account?.account.risk) !== undefined;
    if (settings.environment !== 'sim' && settings.unknownFloor === 'refuse' && !isFloorKnown)
      return 'no floor is known, which trade.unknown_floor refuses.';
    if (breach === undefined || settings.floorCheck !== 'refuse') return undefined;
    const sizeOf = (lots: number) => Number(`${lots}e-${market.size_decimals}`);
    const fits = (lots: number) => ticketOf(model, facts, { ...order, size: sizeOf(lots) })?.breach === undefined;
    const largest = sizeOf(largestLots(fits, Math.round(order.size * 10 ** market.size_decimals)));
    return `${breach.text} ${largest > 0 ? fittingText(largest, market) : 'No size fits.'}`;
  }

  async #send(order: CreateOrderRequest, armed: Armed): Promise<Outcome> {
    this.#isSending = true;
    try {
      const { session } = this.#desk;
      const { once, intents, isInProcess } = await session.access();
      intents.isDeliberate = false;
      intents.given = undefined;
      const key = newIdempotencyKey();
      const signal = isInProcess ? undefined : AbortSignal.any([session.signal, AbortSignal.timeout(answerMs)]);
      const request = { ...named('createOrder', { body: order }, key), idempotencyKey: key, signal };
      const { data } = await once.call('createOrder', request);
      intents.shown();
      intents.makeReady();
      this.#last = data.id;
      return { text: answered(data), isBad: data.status === 'rejected' };
    } catch (error) {
      if (error instanceof OutcomeUnknownError) {
        this.isUnknown = true;
        armed.disarm('an order got no answer');
        return { text: 'No answer: perp pending resume shows whether the order arrived.', isBad: true };
      }
      const { message, hint } = factsOf(error);
      return { text: `Not done: ${message}${hint === undefined ? '' : ` ${hint}`}`, isBad: true };
    } finally {
      this.#isSending = false;
    }
  }
}

function answered(order: Order): string {
  const { status, side, size, initial_size, symbol, limit_price, fill_price, fee, reject_message } =
    withoutLastPart(order);
  const what = `${side} ${quantity(initial_size ?? size)} ${symbol}`;
  if (status === 'rejected') return `Rejected: ${what}. ${reject_message ?? ''}`.trimEnd();
  if (status === 'filled')
    return `Filled: ${what}${fill_price === undefined ? '' : ` at ${quantity(fill_price)}`}${fee === undefined ? '' : `, fee ${usd(fee)}`}`;
  return `${status === 'resting' ? 'Resting' : 'Sent'}: ${what}${limit_price === undefined ? '' : ` at ${quantity(limit_price)}`}`;
}

/** Writes that armed keys send: orders, closes, cancels and exits. */
const sent = [
  'createOrder',
  'modifyOrder',
  'closePosition',
  'replacePositionExitOrders',
  'cancelOrder',
  'cancelAllAccountOrders',
  'closeAllAccountPositions',
  'cancelTwapOrder',
  'cancelScaledOrder',
] as const satisfies readonly WriteId[];

/** A request of a write. */
export interface Written {
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * A write as a mandate judges it, and the order whose walk through the book counts; undefined for writes that armed
 * keys don't send.
 */
export function mandatedWrite(
  id: KnownOperationId,
  { path, body }: Written,
  { account, accountId = '' }: LiveModel,
): { write: GateWrite; order?: CreateOrderRequest } | undefined {
  const operation = sent.find((one) => one === id);
  if (operation === undefined) return undefined;
  const order = operation === 'createOrder' ? (body as unknown as CreateOrderRequest) : undefined;
  const owner = order?.account_id ?? account?.orders.get(path?.order_id ?? '')?.account_id;
  return { write: { operation, account: owner ?? accountId, path, body }, ...(order !== undefined && { order }) };
}
