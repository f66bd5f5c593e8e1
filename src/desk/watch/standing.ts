import type { Order } from '../../wire/contract/orders.ts';
import type { OpenAccount } from '../account/account-state.ts';
import { atRisk, coverOf } from '../account/means.ts';
import { endOf, outlookOf } from '../risk/outlook.ts';
import type { Marks } from '../risk/path-account.ts';
import { equityAt, unrealizedPnl } from '../risk/profit.ts';
import type { LiveModel } from './live-model.ts';

/** A floor of an account; `room` is how far equity is above it, USD. */
export interface FloorRoom {
  readonly at: number;
  readonly room: number | undefined;
}

/** An account's figures at the prices on the screen. A figure is undefined if it needs a missing price or rule. */
export type Standing = ReturnType<typeof standingOf>;

/** An open position at the price on the screen. */
export type Held = ReturnType<typeof heldIn>[number];

/**
 * Computes an account's figures; floors and target only while it is active, because nothing can touch them later. Its
 * frames contain changes; prices alone move the rest, so it is computed here.
 */
export function standingOf({ account, positions }: OpenAccount, model: LiveModel) {
  const { balance, risk } = account;
  const open = [...positions.values()];
  const equity = equityAt(balance, open, (market) => model.mid(market));
  const isActive = account.status === 'active';
  const floor = (at: number | null | undefined): FloorRoom | undefined =>
    !isActive || at === null || at === undefined
      ? undefined
      : { at, room: equity === undefined ? undefined : equity - at };
  return {
    balance,
    /** Unrealized profit of the open positions, USD. */
    unrealized: sumOfKnown(open.map((position) => unrealizedPnl(position, model.mid(position.market_id)))),
    equity,
    daily: floor(risk?.daily_loss_floor),
    drawdown: floor(risk?.max_drawdown_floor),
    /** Realized profit still needed to pass, USD. */
    toTarget: isActive ? (risk?.remaining_profit ?? undefined) : undefined,
    // As of its frame, the account's own figure is older than the prices (API 2.1).
    available:
      risk === undefined || equity === undefined
        ? undefined
        : Math.max(0, Math.min(balance, equity) - risk.margin_used),
  };
}

/** The open positions of an account, in the order in which they were opened. */
export function heldIn({ account, positions, orders }: OpenAccount, model: LiveModel) {
  const open = [...positions.values()].sort((one, other) => one.opened_at - other.opened_at);
  const working = [...orders.values()];
  const beside = model.unstreamedOf(account.id);
  const marks = marksOf([...open, ...working, ...(beside?.twaps ?? [])], beside?.marks, model);
  // Before all of it is known, the end of the account is unknown.
  const holdings = { positions: open, working: beside && working, twaps: beside?.twaps, policy: beside?.policy };
  const outlook = { ...outlookOf(account, holdings, marks), oneR: beside?.oneR };
  return open.map((position) => {
    const mid = model.mid(position.market_id);
    const cover = coverOf(position, working, outlook);
    return {
      position,
      mid,
      profit: unrealizedPnl(position, mid),
      /** The size that its stops cover. */
      cover,
      risk: atRisk(position, cover, marks.get(position.market_id), outlook),
      /** The first limit that would end the position: its liquidation, or the account's breach of a floor. */
      end: endOf(position, outlook),
    };
  });
}

/** The prices on the screen, with the read values of these markets. */
function marksOf(open: readonly { market_id: string }[], read: Marks | undefined, model: LiveModel): Marks {
  const marks = model.marks(open);
  for (const { market_id } of open) {
    const known = read?.get(market_id);
    if (known !== undefined)
      marks.set(market_id, { ...known, price: model.mid(market_id) ?? known.price, at: model.time });
  }
  return marks;
}

/** A sum; undefined if one of the values is. */
export function sumOfKnown(values: readonly (number | undefined)[]): number | undefined {
  return values.includes(undefined) ? undefined : values.reduce<number>((sum, value) => sum + value!, 0);
}

/** Working orders, newest first. */
export function workingIn(state: OpenAccount): Order[] {
  return [...state.orders.values()].sort((one, other) => other.requested_at - one.requested_at);
}
