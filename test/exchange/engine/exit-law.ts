import assert from 'node:assert/strict';
import type { Changes, OpenState } from '../../../src/exchange/engine/commands.ts';
import type { Explanation, Order, Position, Posting } from '../../../src/exchange/engine/model.ts';

type Group = 'tp' | 'sl';

/**
 * The invariant of exits, checked after every step from records alone: for every leg of an entry that has opened lots
 * of a position, while that position is open, a working exit of that kind exists, or the entry's explanation says why
 * not.
 */
export class ExitLaw {
  private readonly orders = new Map<string, Order>();
  private readonly explanations = new Map<string, Explanation[]>();
  /** The entry's legs before its first fill. */
  private readonly legs = new Map<string, { group: Group; price: number }[]>();
  /** Positions for which an entry has paid a fee, and when last. */
  private readonly fills = new Map<string, Map<string, number>>();
  /** How often a leg worked, and how often the record said why not: a test with neither proves nothing. */
  readonly seen = { working: 0, told: 0 };

  note(changes: Changes): void {
    for (const order of changes.orders.values()) {
      this.orders.set(order.id, order);
      if (order.partialOfOrderId !== null || order.exitGroup !== null) continue;
      if (!this.legs.has(order.id) || order.filledSize === 0) this.legs.set(order.id, legsOf(order));
    }
    for (const line of changes.explanations) {
      this.explanations.set(line.orderId, [...(this.explanations.get(line.orderId) ?? []), line]);
    }
    for (const entry of changes.ledger) this.noteFill(entry);
  }

  check(open: OpenState): void {
    for (const position of open.positions) {
      const exits = open.orders.filter((one) => one.exitGroup !== null && one.targetPositionId === position.id);
      for (const [entryId, positions] of this.fills) {
        const filledAt = positions.get(position.id);
        const entry = this.orders.get(entryId);
        if (filledAt === undefined || entry === undefined || !addsTo(entry, position)) continue;
        for (const leg of this.legs.get(entryId) ?? []) {
          const alike = exits.filter(({ exitGroup }) => exitGroup === leg.group);
          this.checkLeg(entry, leg, alike, filledAt);
        }
      }
    }
  }

  private noteFill({ kind, orderId, positionId, time }: Posting): void {
    if (kind !== 'fee' || orderId === null || positionId === null) return;
    const positions = this.fills.get(orderId) ?? new Map<string, number>();
    this.fills.set(orderId, positions.set(positionId, time));
  }

  private checkLeg(
    entry: Order,
    leg: { group: Group; price: number },
    exits: readonly Order[],
    filledAt: number,
  ): void {
    const name = leg.group === 'tp' ? 'take_profit_price' : 'stop_loss_price';
    const what = `${name} ${leg.price} of ${entry.id}`;
    const last = (this.explanations.get(entry.id) ?? []).findLast(
      ({ kind, detail }) => kind.startsWith('leg_') && detail[name] === leg.price,
    );
    assert.ok(last !== undefined, `${what} is missing without a reason`);
    if (last.kind === 'leg_left_out' && entry.status !== 'canceled' && entry.status !== 'rejected') {
      assert.match(entry.rejectReason ?? '', / left out: /, what);
    }
    if (exits.length > 0) {
      this.seen.working += 1;
      return;
    }
    this.seen.told += 1;
    if (last.kind !== 'leg_attached') return;
    const exit = this.orders.get(String(last.detail.order_id))!;
    assert.ok(exit.settledAt !== null && exit.settledAt >= filledAt, `${what} did not come back with the next fill`);
    const end = this.explanations.get(exit.id)!.findLast(({ kind }) => kind === 'canceled' || kind === 'rejected');
    assert.ok(exit.status === 'filled' || end !== undefined, `${exit.id} has ended without a reason`);
  }
}

function legsOf({ attachedTakeProfitPrice, attachedStopLossPrice }: Order): { group: Group; price: number }[] {
  return [
    ...(attachedTakeProfitPrice === null ? [] : [{ group: 'tp' as const, price: attachedTakeProfitPrice }]),
    ...(attachedStopLossPrice === null ? [] : [{ group: 'sl' as const, price: attachedStopLossPrice }]),
  ];
}

function addsTo({ side }: Order, { direction }: Position): boolean {
  return (side === 'buy') === (direction === 'long');
}
