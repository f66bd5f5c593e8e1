import type { Position } from '../../contract/positions.ts';
import type { Context } from '../context/context.ts';
import type { Price } from '../grammar/prices.ts';
import type { Result } from '../output/result.ts';
import { type ExitGroup, exitNames, planExits } from '../preview/exit-plan.ts';
import { ofChosenAccount } from '../resolve/belonging.ts';
import { allMarkets } from '../resolve/market.ts';
import { beginPositions, resolvePosition } from '../resolve/position.ts';
import { resolvePrice } from '../resolve/price.ts';
import { quantity, word } from '../text/format.ts';
import { changeExits } from './exit-changes.ts';

/** The arguments of {@link steer}, with examples of a price. */
export function steerArgs(examples: string) {
  return [
    { name: 'position', kind: 'position', summary: 'position id or market' },
    { name: 'price', kind: 'optionalPrice', summary: `such as ${examples}; none cancels it` },
  ] as const;
}

/** Moves the stop-loss or take-profit of a position to a price, or cancels it (null). */
export async function steer(
  context: Context,
  input: { position: string; price: Price | null },
  group: ExitGroup,
): Promise<Result> {
  beginPositions(context);
  allMarkets(context).catch(() => {});
  const found = ofChosenAccount(context, await resolvePosition(context, input.position));
  const name = exitNames[group];
  let price: number | null = null;
  return changeExits(context, found, {
    async plan(snapshot) {
      price = await exitPrice(context, snapshot.position, input.price, { group, label: 'PRICE' });
      return planExits(snapshot, [{ group, price }]);
    },
    question: ({ position }, operations) => {
      const what = operations.some(({ kind }) => kind === 'place')
        ? 'Place a'
        : price === null
          ? 'Cancel the'
          : 'Move the';
      return `${what} ${name} of ${nameOf(position)}${price === null ? '' : `${what === 'Place a' ? ' at' : ' to'} ${quantity(price)}`}`;
    },
    unchanged: ({ position }) =>
      price === null
        ? `${nameOf(position)} has no ${name}.`
        : `The ${name} of ${nameOf(position)} is already at ${quantity(price)}.`,
  });
}

/** The price of an exit; a distance is measured from the position's entry. */
export async function exitPrice<P extends Price | null>(
  context: Context,
  position: Position,
  price: P,
  { group, label }: { group: ExitGroup; label: string },
): Promise<number | (P & null)> {
  if (price === null) return price as P & null;
  return resolvePrice(context, price, {
    label,
    marketId: position.market_id,
    side: position.side === 'long' ? 'sell' : 'buy',
    entry: () => position.entry_price,
    from: 'entry',
    exit: group === 'sl' ? 'stop' : 'target',
  });
}

function nameOf({ side, size, symbol }: Position): string {
  return `${word(side)} ${quantity(size)} ${word(symbol)}`;
}
