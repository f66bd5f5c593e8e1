/** The realm functions that a guarded bot needs. */
export interface Guard {
  /** An error of the host, made anew in the strategy's realm. */
  ownError(error: unknown): Error;
  /** Calls a function that the strategy has given to the host. */
  callBack(callback: () => unknown): void;
  /** The number of host calls cut short by the end of the stack: what they left behind is unknown. */
  cutShort: number;
  /** The strategy has placed an order under this id. */
  placed?(order: string): void;
}

type HostFunction = (first?: unknown, second?: unknown) => unknown;

/**
 * The host's bot for a strategy in another realm: the same functions, which take copies and whose errors are recreated.
 * They return plain snapshots that nobody else holds, or frozen ones; behind them are only JavaScript's built-in
 * objects, which the host has frozen (workers/walls.ts). So no engine object is in reach, and no lasting change is possible.
 */
export function guardedBot(bot: object, guard: Guard): object {
  const { market, place, ...others } = Object.getOwnPropertyDescriptors(bot) as Record<string, PropertyDescriptor>;
  const guarded: Record<string, unknown> = {};
  for (const [name, { value, get }] of Object.entries(others)) {
    if (get !== undefined)
      Object.defineProperty(guarded, name, { enumerable: true, get: enclosed(get as HostFunction, guard) });
    else guarded[name] = typeof value === 'function' ? enclosed(value, guard) : value;
  }
  const facts = new Map<unknown, unknown>();
  guarded.market = enclosed((name) => {
    const found = (market!.value as HostFunction)(name) as Record<string, unknown>;
    if (!facts.has(found)) facts.set(found, withGuardedFunctions(found, guard));
    return facts.get(found);
  }, guard);
  guarded.place = enclosed((order) => {
    const id = (place!.value as HostFunction)(order);
    guard.placed?.(id as string);
    return id;
  }, guard);
  return Object.freeze(guarded);
}

function withGuardedFunctions(facts: Record<string, unknown>, guard: Guard): object {
  const entries = Object.entries(facts).map(([name, value]) => [
    name,
    typeof value === 'function' ? enclosed(value as HostFunction, guard) : value,
  ]);
  return Object.freeze(Object.fromEntries(entries));
}

function enclosed(call: HostFunction, guard: Guard): HostFunction {
  return (first, second) => {
    try {
      const one = outward(first, guard);
      const two = outward(second, guard);
      // At the end of the stack, only this may still be possible.
      guard.cutShort += 1;
      const value = call(one, two);
      guard.cutShort -= 1;
      return value;
    } catch (error) {
      if (!isOverflow(error)) guard.cutShort -= 1;
      throw guard.ownError(error);
    }
  };
}

function isOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Maximum call stack size exceeded';
}

/** A copy of a value that the strategy gave the host: primitives, plain lists and objects, and callable functions. */
function outward(value: unknown, guard: Guard, depth = 0): unknown {
  if (typeof value === 'string' || value === undefined || typeof value === 'number') return value;
  if (typeof value === 'function') return () => guard.callBack(value as () => unknown);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 8) throw new RangeError('the value has too many levels');
  if (Array.isArray(value))
    return Array.from({ length: value.length }, (_, at) => outward(value[at], guard, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    // Members that every object has, such as a prototype, aren't data.
    if (!(key in copy)) copy[key] = outward((value as Record<string, unknown>)[key], guard, depth + 1);
  }
  return copy;
}
