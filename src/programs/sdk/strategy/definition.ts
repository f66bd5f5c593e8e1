import { Failure } from '../../../base/failure/failure.ts';
import { isJsonObject } from '../../../base/terms/json-object.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import { matchMarket, nearestMarket } from '../../../desk/resolve/market.ts';
import { parseDuration } from '../../../desk/values/times.ts';
import type { Market } from '../../../wire/contract/markets.ts';
import { nearest } from '../../../wire/contract/nearest.ts';
import { intervals, maxHistoryPage } from '../../../wire/contract/streams.ts';
import {
  type Parameters,
  type ParameterValue,
  type Strategy,
  StrategyError,
  type StrategyErrorCode,
  type ValuesOf,
} from './define-strategy.ts';

/** Called at a look. */
export const looking = ['onFill', 'onOrder', 'onRefusal', 'onFunding', 'onTrade', 'onTick', 'onBook'] as const;
const callbacks = ['start', 'end', ...looking] as const;
const fields = ['name', 'markets', 'parameters', 'pace', 'every', 'history', ...callbacks];
/** Trades between two looks are reported together. */
const longestPaceMs = 3_600_000;

/** A file's exported strategy, checked; throws a StrategyError `definition` that names the field at fault. */
export function checkedStrategy(value: unknown): Strategy {
  if (typeof value !== 'object' || value === null)
    throw wrong('default', 'The file has no strategy: it must `export default defineStrategy({ ... })`.');
  const strategy = value as Record<string, unknown>;
  for (const name of Object.keys(strategy)) {
    if (fields.includes(name)) continue;
    const near = nearest(name, fields);
    throw wrong(name, `A strategy has no ${quoted(name)}.${near === undefined ? '' : ` Did you mean ${near}?`}`);
  }
  const { markets, parameters = {}, every = {}, pace } = strategy;
  if (!Array.isArray(markets) || markets.length === 0 || markets.some((one) => typeof one !== 'string'))
    throw wrong('markets', 'markets must be a list of at least one market, such as ["BTC"].');
  for (const name of callbacks) checkCallback(strategy[name], name);
  if (!isJsonObject(parameters)) throw wrong('parameters', 'parameters must be an object of names and defaults.');
  for (const [name, usual] of Object.entries(parameters)) checkDefault(name, usual);
  if (!isJsonObject(every)) throw wrong('every', 'every must be an object of durations and functions.');
  for (const [duration, callback] of Object.entries(every)) {
    checkCallback(callback, `every ${duration}`);
    durationMs(duration, `every ${duration}`, 'definition');
  }
  if (pace !== undefined && (typeof pace !== 'string' || durationMs(pace, 'pace', 'definition') <= 0))
    throw wrong('pace', 'pace must be a duration such as 100ms.');
  if (strategy.onTrade !== undefined && durationMs((pace as string) ?? '100ms', 'pace', 'definition') > longestPaceMs)
    throw wrong('pace', 'pace must be at most 1h for a strategy with onTrade.');
  if (strategy.history !== undefined) checkHistory(strategy.history);
  return value as Strategy;
}

/**
 * The values of a run: the defaults, with those given. Throws a StrategyError `parameter` that names the one at fault.
 */
export function valuesOf<P extends Parameters>(strategy: Strategy<P>, given: Parameters = {}): ValuesOf<P> {
  const usual: Parameters = strategy.parameters ?? {};
  for (const [name, value] of Object.entries(given)) {
    const wanted = Object.hasOwn(usual, name) ? typeof usual[name] : undefined;
    if (wanted === undefined) {
      const names = Object.keys(usual);
      const known = names.length === 0 ? 'It has none.' : `It has: ${names.join(', ')}.`;
      throw new StrategyError('parameter', `The strategy has no parameter ${quoted(name)}. ${known}`, { field: name });
    }
    const isRight = typeof value === wanted && (typeof value !== 'number' || Number.isFinite(value));
    if (!isRight)
      throw new StrategyError('parameter', `The parameter ${name} must be a ${wanted}, not ${quoted(String(value))}.`, {
        field: name,
      });
  }
  return Object.freeze({ ...usual, ...given }) as ValuesOf<P>;
}

/** The markets that a strategy lists, as the host has them. */
export function marketsOf({ markets }: Strategy, known: readonly Market[]): Market[] {
  return markets.map((name) => namedMarket(name, known, 'markets'));
}

/** The market that a strategy names; throws a StrategyError `market` with the one that was probably meant. */
export function namedMarket(name: unknown, markets: readonly Market[], field = 'market'): Market {
  if (typeof name !== 'string')
    throw new StrategyError('market', `${field} must be the name of a market, not ${String(name)}.`, { field });
  let found: Market | undefined;
  try {
    found = matchMarket(name, markets);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { message, hint = '' } = error.facts;
    throw new StrategyError('market', `${message} ${hint}`.trim(), { field, cause: error });
  }
  if (found !== undefined) return found;
  const near = nearestMarket(name, markets);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new StrategyError('market', `There is no market ${quoted(name)}.${hint}`, { field });
}

/**
 * A duration of market time, ms: `1s`, `1m30s`, or milliseconds as a number. Throws a StrategyError that names `field`.
 */
export function durationMs(duration: string | number, field: string, code: StrategyErrorCode = 'request'): number {
  if (typeof duration === 'number') {
    if (Number.isSafeInteger(duration) && duration >= 0) return duration;
    throw new StrategyError(code, `${field} is ${duration}; it must be a whole number of milliseconds.`, { field });
  }
  try {
    return parseDuration(duration, field);
  } catch (error) {
    if (error instanceof Failure) throw new StrategyError(code, error.message, { field, cause: error });
    throw error;
  }
}

function checkHistory(history: unknown): void {
  const { candles, length, ...more } = isJsonObject(history) ? history : {};
  if (!(intervals as readonly unknown[]).includes(candles))
    throw wrong('history.candles', `history.candles must be one of ${intervals.join(', ')}.`);
  if (!Number.isInteger(length) || (length as number) < 1 || (length as number) >= maxHistoryPage)
    throw wrong('history.length', `history.length must be a whole number from 1 to ${maxHistoryPage - 1}.`);
  const [other] = Object.keys(more);
  if (other !== undefined)
    throw wrong(`history.${other}`, `history has no ${quoted(other)}: it is { candles, length }.`);
}

function checkDefault(name: string, usual: unknown): asserts usual is ParameterValue {
  if (['number', 'string', 'boolean'].includes(typeof usual) && !Number.isNaN(usual)) return;
  throw wrong(`parameters.${name}`, `The default of ${name} must be a number, a string, true or false.`);
}

function checkCallback(callback: unknown, name: string): void {
  if (callback === undefined || typeof callback === 'function') return;
  throw wrong(name, `${name} must be a function.`);
}

function wrong(field: string, message: string): StrategyError {
  return new StrategyError('definition', message, { field });
}
