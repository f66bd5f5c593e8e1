import type { Strategy } from '../../sdk/strategy/define-strategy.ts';
import { checkedStrategy } from '../../sdk/strategy/definition.ts';
import type { Realm } from './realm.ts';

/** A callback of a strategy, as a host calls it. */
type Callback = (bot: object, value?: unknown) => void;

/**
 * The strategy of a realm as any host can run it: its data copied, each of its callbacks a call into the realm. Throws
 * a StrategyError for an invalid definition.
 */
export function strategyIn(realm: Realm): Strategy {
  const shape = realm.shape();
  if (typeof shape !== 'object' || shape === null) return checkedStrategy(shape);
  let isConnected = false;
  const callback = (...path: [name: string, part?: string]): Callback => {
    return (bot, value) => {
      if (!isConnected) realm.connect(bot);
      isConnected = true;
      realm.call(path, value);
    };
  };
  const callable = Object.fromEntries(
    Object.entries(shape).map(([name, value]) => [name, value === true ? callback(name) : value]),
  );
  const { every } = shape as { every?: unknown };
  if (typeof every === 'object' && every !== null) {
    callable.every = Object.fromEntries(
      Object.entries(every).map(([name, value]) => [name, value === true ? callback('every', name) : value]),
    );
  }
  return checkedStrategy(callable);
}
