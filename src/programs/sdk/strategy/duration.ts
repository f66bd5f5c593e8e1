import { Failure } from '../../../base/failure/failure.ts';
import { parseDuration } from '../../../desk/values/times.ts';
import { StrategyError, type StrategyErrorCode } from './define-strategy.ts';

/** A duration of market time, ms: `1s`, `1m30s`, or milliseconds as a number. Throws a StrategyError that names `field`. */
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
