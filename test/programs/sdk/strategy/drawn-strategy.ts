import fc from 'fast-check';
import type { Bot, Strategy } from '../../../../src/programs/sdk/strategy/define-strategy.ts';

type Side = 'buy' | 'sell';

/** One thing that a drawn strategy does. */
type Deed =
  | { kind: 'market' | 'limit' | 'stop_market'; market: string; side: Side; lots: number; away: number; exits: boolean }
  | { kind: 'amend' | 'cancel'; which: number; away: number }
  | { kind: 'cancelAll' | 'close'; market: string }
  | { kind: 'later'; ms: number }
  | { kind: 'nothing' };

const market = fc.constantFrom('BTC', 'ETH');
const side = fc.constantFrom<Side>('buy', 'sell');
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('market', 'limit', 'stop_market'),
      market,
      side,
      lots: fc.integer({ min: 1, max: 40_000 }),
      away: fc.integer({ min: -20, max: 20 }),
      exits: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('amend', 'cancel'), which: fc.nat(4), away: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('cancelAll', 'close'), market }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('later' as const), ms: fc.integer({ min: 1, max: 1_500 }) }) },
  { weight: 2, arbitrary: fc.constant<Deed>({ kind: 'nothing' }) },
);

/** What a drawn strategy does at its looks, how often it looks, and what it does about its own fills. */
export const drawnPlan = fc.record({
  deeds: fc.array(deed, { minLength: 1, maxLength: 40 }),
  pace: fc.constantFrom('250ms', '333ms', '1s'),
  afterFills: fc.array(deed, { maxLength: 6 }),
  readsBooks: fc.boolean(),
});

/** A drawn plan. */
export type DrawnPlan = typeof drawnPlan extends fc.Arbitrary<infer Plan> ? Plan : never;

/** A strategy that does as drawn, and writes down everything that it sees. */
export function drawnStrategy({ deeds, pace, afterFills, readsBooks }: DrawnPlan, seen: unknown[]): Strategy {
  let next = 0;
  let afterFill = 0;
  const see = (bot: Bot, ...what: unknown[]) => void seen.push([bot.now, ...what]);
  return {
    markets: ['BTC', 'ETH'],
    pace,
    start: (bot) => act(bot, deeds[0]!),
    onTick(bot, quote) {
      see(bot, 'tick', quote, bot.position('BTC'), bot.random());
    },
    ...(readsBooks && { onBook: (bot: Bot, book: unknown) => see(bot, 'book', book) }),
    onFill(bot, fill) {
      see(bot, 'fill', fill, bot.account(), bot.position(fill.market));
      if (afterFill < afterFills.length) act(bot, afterFills[afterFill++]!);
    },
    onOrder: (bot, order) => see(bot, 'order', order, bot.orders()),
    onRefusal: (bot, refusal) => see(bot, 'refusal', refusal),
    every: {
      '500ms'(bot) {
        act(bot, deeds[next++ % deeds.length]!);
      },
    },
    end(bot) {
      see(bot, 'end', bot.account());
      bot.cancelAll();
      for (const one of bot.markets) bot.close(one);
    },
  };
}

function act(bot: Bot, done: Deed): void {
  switch (done.kind) {
    case 'market':
    case 'limit':
    case 'stop_market':
      place(bot, done);
      break;
    case 'amend':
    case 'cancel': {
      const order = bot.orders().at(done.which);
      const id = order?.clientId ?? order?.id;
      if (order === undefined || id === undefined || id === null) break;
      if (done.kind === 'cancel') bot.cancel(id);
      else bot.amend(id, { price: priceNear(bot, order.market, done.away) });
      break;
    }
    case 'cancelAll':
      bot.cancelAll(done.market);
      break;
    case 'close':
      bot.close(done.market);
      break;
    case 'later':
      bot.after(done.ms, () =>
        place(bot, { kind: 'market', market: 'BTC', side: 'buy', lots: 3, away: 0, exits: false }),
      );
  }
}

function place(bot: Bot, { kind, market: name, side: way, lots, away, exits }: Extract<Deed, { lots: number }>): void {
  const { sizeStep, roundSize } = bot.market(name);
  const price = priceNear(bot, name, away);
  bot.place({
    market: name,
    side: way,
    type: kind,
    size: roundSize(lots * sizeStep, 'up'),
    ...(kind === 'limit' && { price, postOnly: away % 3 === 0 }),
    ...(kind === 'stop_market' && { triggerPrice: price }),
    ...(exits && { stopLoss: priceNear(bot, name, way === 'buy' ? -40 : 40) }),
  });
}

/** Some hundredths of a percent from the midpoint. */
function priceNear(bot: Bot, name: string, away: number): number {
  const mid = bot.quote(name).mid ?? 1_000;
  return bot.market(name).roundPrice(mid * (1 + away / 10_000), 'down');
}
