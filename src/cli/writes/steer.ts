import type { Order } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import { exitNames, planExits, resizesOf, type Snapshot } from '../../desk/preview/exit-plan.ts';
import { ofChosenAccount } from '../../desk/resolve/account.ts';
import { beginPositions, resolvePosition } from '../../desk/resolve/holdings.ts';
import { allMarkets } from '../../desk/resolve/market.ts';
import { type Multiple, resolvePrice } from '../../desk/resolve/price.ts';
import { sizedQuote } from '../../desk/resolve/quote.ts';
import { resolveSize } from '../../desk/resolve/size.ts';
import { exitPriceOf } from '../../desk/risk/cover.ts';
import type { Price } from '../../desk/values/prices.ts';
import type { Size } from '../../desk/values/sizes.ts';
import { usageFailure } from '../../ground/failure/failure.ts';
import { quantity, word } from '../../ground/text/format.ts';
import { marketName } from '../../ground/text/market-name.ts';
import type { ExitGroup } from '../../terms/order-types.ts';
import { exitGroupOf } from '../../terms/order-types.ts';
import type { Console } from '../console/console.ts';
import type { Result } from '../output/result.ts';
import { type PlannedExit, riskPerUnit } from '../preview/exit-table.ts';
import { changeExits } from './exit-changes.ts';

/** The arguments of {@link steer}, with examples of a price. */
export function steerArgs(examples: string) {
  return [
    { name: 'position', kind: 'position', summary: 'position id or market' },
    { name: 'price', kind: 'optionalPrice', summary: `such as ${examples}; none cancels it` },
  ] as const;
}

/** The options of {@link steer}. */
export function steerOptions(whole: string) {
  return {
    size: { value: 'SIZE', kind: 'size', summary: `its size: 0.02, 500usd or 50% of the position (default: ${whole})` },
    add: { summary: 'place another one beside those that exist, by default for what they leave uncovered' },
  } as const;
}

/** What `perp stop` and `perp target` were given. */
interface Steering {
  position: string;
  price: Price | null;
  size: Size | undefined;
  add: boolean;
}

/** Moves, resizes or adds the stop-loss or take-profit of a position, or cancels it (null). */
export async function steer(console: Console, input: Steering, group: ExitGroup): Promise<Result> {
  if (input.price === null && (input.size !== undefined || input.add))
    throw usageFailure('none cancels, so it takes no --size and no --add.', 'Give a price.');
  beginPositions(console);
  allMarkets(console).catch(() => {});
  const found = ofChosenAccount(console, await resolvePosition(console, input.position));
  const name = exitNames[group];
  let price: number | null = null;
  return changeExits(console, found, {
    async plan(snapshot) {
      const { position } = snapshot;
      price = await exitPrice(console, snapshot, input.price, { group, label: 'PRICE' });
      const size = price === null ? undefined : await exitSize(console, input.size, position, price);
      return planExits(snapshot, [{ group, price, size, adds: input.add }]);
    },
    question: ({ position, exits }, operations) => {
      const what = operations.some(({ kind }) => kind === 'place')
        ? 'Place a'
        : price === null
          ? 'Cancel the'
          : 'Move the';
      const to = price === null ? '' : `${what === 'Place a' ? ' at' : ' to'} ${quantity(price)}`;
      const resized = resizesOf(exits, operations).map(
        ({ was, size }) => `, from ${quantity(was)} to ${quantity(size)}`,
      );
      return `${what} ${name} of ${nameOf(position)}${to}${resized.join('')}`;
    },
    unchanged: ({ position }) =>
      price === null
        ? `${nameOf(position)} has no ${name}.`
        : `The ${name} of ${nameOf(position)} is already at ${quantity(price)}.`,
  });
}

/** The price of an exit; a distance is measured from the position's entry, and R from its stops. */
export async function exitPrice<P extends Price | null>(
  console: Console,
  { position, exits }: Snapshot,
  price: P,
  { group, label, stop }: { group: ExitGroup; label: string; stop?: number | undefined },
): Promise<number | (P & null)> {
  if (price === null) return price as P & null;
  return resolvePrice(console, price, {
    label,
    marketId: position.market_id,
    side: position.side === 'long' ? 'sell' : 'buy',
    entry: () => position.entry_price,
    from: 'entry',
    exit: group === 'sl' ? 'stop' : 'target',
    multiple: () => multipleOf(console, position, stop === undefined ? exits : stop),
  });
}

/** What 1R is for a position, at its working stops or at a new one. */
async function multipleOf(console: Console, position: Position, at: readonly Order[] | number): Promise<Multiple> {
  const { account_id, market_id, side, size, entry_price: entry, symbol } = position;
  const closing = { market_id, account_id, side: side === 'long' ? 'sell' : 'buy', size } as const;
  const quote = await sizedQuote(console, closing);
  const feeBps = quote.estimated_fee === 0 ? 0 : (quote.fee_bps ?? 0);
  const stops: PlannedExit[] =
    typeof at === 'number'
      ? [{ group: 'sl', price: at, size }]
      : at.map((exit) => ({ group: exitGroupOf(exit.type), price: exitPriceOf(exit), size: exit.size }));
  const risk = riskPerUnit({ side, entry, feeBps, entryFee: 0 }, stops);
  if (risk !== undefined) return { risk, entryFee: 0, exitFeeRate: feeBps / 1e4 };
  throw usageFailure(
    `R is the loss at the stop, but ${nameOf(position)} has no stop-loss at which it loses.`,
    `Write a price, or place a stop first, such as perp stop ${marketName(market_id, symbol)} 1%.`,
  );
}

/** The size of an exit that trades at a price; undefined without one. */
export async function exitSize(
  console: Console,
  size: Size | undefined,
  position: Position,
  price: number,
): Promise<number | undefined> {
  if (size === undefined) return undefined;
  const market = { ...position, size_decimals: position.size_decimals ?? 8 };
  const side = position.side === 'long' ? 'sell' : 'buy';
  return resolveSize(console, size, { market, side, trigger: price, position });
}

function nameOf({ side, size, symbol }: Position): string {
  return `${word(side)} ${quantity(size)} ${word(symbol)}`;
}
