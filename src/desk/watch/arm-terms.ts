import { usageFailure } from '../../base/failure/failure.ts';
import { nextTradingDayStart } from '../../base/terms/day.ts';
import { quantity, stretch, usd } from '../../base/text/format.ts';
import type { Mandate } from '../mandate/mandate.ts';
import { wholeLots } from '../resolve/size.ts';
import type { SessionSettings } from '../session/session.ts';
import { type Move, type Price, parsePrice } from '../values/prices.ts';
import { parseSize, positive, type Size } from '../values/sizes.ts';
import { splitWords } from '../values/split.ts';
import { parseDuration } from '../values/times.ts';
import type { LiveModel } from './live-model.ts';
import { standingOf } from './standing.ts';

/** The actions of armed keys, and the mandate that limits them. */
export type ArmTerms = ReturnType<typeof armTerms>;

/** An order may cost this much more than at the prices when keys were armed. */
const dearer = 1.1;
const defaultRate = 30;
const options = ['position', 'loss', 'for', 'stop', 'target', 'rate'] as const;
type Option = (typeof options)[number];

/** A line that arms keys, with terms that fit the account on the screen, for the user to change. */
export function suggestedLine(model: LiveModel): string {
  const { account: state, chosen } = model;
  const mid = model.mid(chosen.market_id);
  const equity = state && standingOf(state, model).equity;
  if (mid === undefined || state === undefined || equity === undefined) return 'arm ';
  const lot = 10 ** -chosen.size_decimals;
  const smallest = Math.max(lot, chosen.min_size ?? 0);
  const size = Math.max(smallest, Math.floor((equity * 0.01) / mid / lot) * lot);
  const { daily, drawdown } = standingOf(state, model);
  const rooms = [daily?.room, drawdown?.room].filter((room) => room !== undefined);
  const loss = Math.max(1, Math.floor(Math.min(equity, ...rooms) * 0.1));
  const position = Math.ceil((((model.position?.size ?? 0) + size * 3) * mid) / 100) * 100;
  return `arm ${Number(size.toPrecision(12))} --stop 1% --target 2% --position ${position} --loss ${loss} --for 15m`;
}

/**
 * Reads a line such as `arm 0.05 --stop 1% --position 10000 --loss 300 --for 15m`. Throws a usage failure for missing
 * or senseless terms. `now`: Unix ms, by this machine.
 */
export function armTerms(line: string, model: LiveModel, settings: SessionSettings, now: number) {
  const { sizeText, given } = wordsOf(line);
  const { chosen, accountId, account: state } = model;
  const mid = model.mid(chosen.market_id);
  if (accountId === undefined || state === undefined || mid === undefined)
    throw usageFailure('The account or the price is not known yet.', 'Try again in a moment.');
  if (state.account.status !== 'active') throw usageFailure('The account no longer trades.');
  const size = sizeOf(parseSize(sizeText, 'size'), mid, chosen.size_decimals);
  if (chosen.min_size !== undefined && size < chosen.min_size)
    throw usageFailure(`The smallest order of ${chosen.symbol} is ${quantity(chosen.min_size)}.`);
  const largestPositionUsd = positive(needed(given, 'position'), '--position', 'an amount in USD such as 10000');
  const lossPerDayUsd = positive(needed(given, 'loss'), '--loss', 'an amount in USD such as 300');
  const largestOrderUsd = Math.ceil(size * mid * dearer * 100) / 100;
  if (size * mid > largestPositionUsd) {
    throw usageFailure(
      `One order of ${quantity(size)} ${chosen.symbol} is ${usd(size * mid)} USD, more than --position allows.`,
    );
  }
  if (given.stop === undefined && (settings.requireStop || settings.stops === 'follow')) {
    const key = settings.requireStop ? 'trade.require_stop' : 'trade.stops follow';
    throw usageFailure(`Keys can't be armed without a stop under ${key}.`, 'Add --stop, such as --stop 1%.');
  }
  const forMs = parseDuration(needed(given, 'for'), '--for');
  const day = model.time === 0 ? Number.POSITIVE_INFINITY : nextTradingDayStart(model.time) - model.time;
  const mandate: Mandate = {
    accounts: [accountId],
    markets: [chosen.market_id],
    sides: ['buy', 'sell'],
    largestOrderUsd,
    largestPositionUsd,
    lossPerDayUsd,
    ordersPerMinute: given.rate === undefined ? defaultRate : positive(given.rate, '--rate', 'a number such as 30'),
    // The loss is a daily one, so nothing is agreed beyond the day.
    until: now + Math.min(forMs, day),
  };
  return {
    mandate,
    /** Base asset of one key's order. */
    size,
    symbol: chosen.symbol,
    /** Of a new position. */
    leverage: settings.leverage ?? 1,
    marginMode: settings.marginMode ?? 'cross',
    /** The distance of an entry's exits from its price. */
    stop: given.stop === undefined ? undefined : distance(given.stop, '--stop'),
    target: given.target === undefined ? undefined : distance(given.target, '--target'),
  };
}

/** The terms in lines, as they are agreed. */
export function termsText({ mandate, size, symbol, stop, target }: ArmTerms, now: number): string[] {
  const { largestPositionUsd, largestOrderUsd, lossPerDayUsd, ordersPerMinute, until } = mandate;
  const exits = [
    ['stop', stop],
    ['target', target],
  ] as const;
  const bracket = exits.flatMap(([name, move]) => (move === undefined ? [] : [`${name} ${moveText(move)}`]));
  return [
    `size: ${quantity(size)} ${symbol}, at most ${usd(largestOrderUsd)} USD`,
    `exits: ${bracket.length === 0 ? 'none, orders have no stop' : `${bracket.join(', ')} from the entry, for the whole position`}`,
    `position: at most ${usd(largestPositionUsd)} USD with working orders`,
    `loss: no new exposure after ${usd(lossPerDayUsd)} USD today`,
    `time: ${stretch(until - now)}, at most ${quantity(ordersPerMinute)} orders a minute`,
  ];
}

function moveText({ amount, unit }: Move): string {
  return `${quantity(Math.abs(amount))}${unit === 'usd' ? ' USD' : unit === '%' ? '%' : ` ${unit}`}`;
}

function wordsOf(line: string): { sizeText: string; given: Partial<Record<Option, string>> } {
  const [, sizeText, ...rest] = splitWords(line);
  const like = 'Write: arm 0.05 --stop 1% --position 10000 --loss 300 --for 15m';
  if (sizeText === undefined || sizeText.startsWith('--'))
    throw usageFailure('The size of one order is missing.', like);
  const given: Partial<Record<Option, string>> = {};
  while (rest.length > 0) {
    const [name = '', inline] = rest.shift()!.split(/=(.*)/s);
    const option = options.find((one) => `--${one}` === name);
    const value = inline ?? rest.shift();
    if (option === undefined) throw usageFailure(`${name} is not a term of armed keys.`, like);
    if (value === undefined) throw usageFailure(`${name} needs a value.`, like);
    given[option] = value;
  }
  return { sizeText, given };
}

function needed(given: Partial<Record<Option, string>>, option: Option): string {
  const value = given[option];
  if (value === undefined)
    throw usageFailure(`--${option} is missing.`, 'Armed keys need --position, --loss and --for.');
  return value;
}

function sizeOf({ unit, amount, text }: Size, mid: number, decimals: number): number {
  if (unit === 'percent') throw usageFailure(`The size is ${text}.`, 'Write a size such as 0.05 or 500usd.');
  const size = wholeLots([amount], unit === 'usd' ? mid : 1, decimals);
  if (!(size > 0) || (unit === 'base' && size !== amount))
    throw usageFailure(`The size is ${text}, but sizes are multiples of ${10 ** -decimals}.`);
  return size;
}

/** A distance that suits every entry, unlike a fixed price. */
function distance(text: string, label: string): Move {
  const price: Price = parsePrice(text, label, { unsigned: true });
  const move = typeof price === 'number' ? undefined : price.base === undefined ? price.move : undefined;
  if (move === undefined || (move.unit === 'R' && label !== '--target') || move.amount === 0)
    throw usageFailure(`${label} is ${text}, not a distance from the entry.`, 'Write one such as 1%, 50bps or +150.');
  return move;
}
