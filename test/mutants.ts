import { globSync, readFileSync } from 'node:fs';
import { type Expression, parseSync, Visitor } from 'oxc-parser';
import { type Invariant, invariants } from '../src/base/terms/invariants.ts';
import type { Mutation } from '../tools/mutants/mutations.ts';

/** A mutant that CI tries with every change, because no test once held its rule. */
export interface KnownMutant {
  readonly rule: string;
  readonly file: string;
  /** The text that is changed, which the file has once, and what it becomes. */
  readonly from: string;
  readonly to: string;
  /** The test file that kills it. */
  readonly test: string;
}

/** Found by their text, so they stay the same however the code around them changes. */
export const knownMutants: readonly KnownMutant[] = [
  {
    rule: 'what is said reaches standard error, unless a live screen shows it',
    file: 'src/terminal/console/terminal/io.ts',
    from: 'if (diverted === undefined) errors',
    to: 'if (diverted !== undefined) errors',
    test: 'test/terminal/console/terminal/io.test.ts',
  },
  {
    rule: 'a lock that ends later is kept',
    file: 'src/desk/lock/trading-lock.ts',
    from: 'known.until >= lock.until',
    to: 'known.until > lock.until',
    test: 'test/desk/guard/locked-place.test.ts',
  },
  {
    rule: 'prints from before an order do not fill it',
    file: 'src/exchange/engine/fills/maker-fills.ts',
    from: '(print.tradedAt ?? print.time) < order.pricedAt',
    to: 'print.time < order.pricedAt',
    test: 'test/exchange/engine/limit-orders.test.ts',
  },
  {
    rule: 'realized_margin_basis is the initial margin of what was closed',
    file: 'src/exchange/engine/positions/positions.ts',
    from: 'realizedMarginBasis += shareOf(cost, 1, position.leverage)',
    to: 'realizedMarginBasis += cost',
    test: 'test/exchange/engine/positions.test.ts',
  },
  {
    rule: 'a fill on a host counts on the day on which it settled',
    file: 'src/desk/history/read-host.ts',
    from: 'order.settled_at ?? order.requested_at',
    to: 'order.requested_at',
    test: 'test/desk/history/pnl.test.ts',
  },
  {
    rule: 'a trailing stop is rounded toward the price',
    file: 'src/desk/guard/trail.ts',
    from: 'isLong ? Math.ceil(steps) : Math.floor(steps)',
    to: 'isLong ? Math.floor(steps) : Math.ceil(steps)',
    test: 'test/desk/guard/trail.test.ts',
  },
  {
    rule: 'the worst price within a tolerance is rounded toward the mid',
    file: 'src/exchange/engine/fills/take.ts',
    from: "order.side === 'buy' || isExact ? whole : whole + 1n",
    to: 'whole',
    test: 'test/exchange/engine/triggers.test.ts',
  },
  {
    rule: 'fills that are seen together are in order of settlement',
    file: 'src/service/streams/account-feed.ts',
    from: 'one.settleSequence! - other.settleSequence!',
    to: '0',
    test: 'test/service/streams/account-stream.test.ts',
  },
];

/** A known mutant as a change of its file; throws if the file does not have the text exactly once. */
export function mutationOf({ rule, file, from, to }: KnownMutant): Mutation {
  const text = readFileSync(file, 'utf8');
  const start = text.indexOf(from);
  if (start < 0 || text.indexOf(from, start + 1) >= 0)
    throw new Error(`The mutant of "${rule}" needs "${from}" exactly once in ${file}.`);
  return { file, start, end: start + from.length, replacement: to };
}

/** An assert in `src`: where it is, and the place of its condition. */
export interface AssertCall {
  readonly invariant: Invariant;
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** Every call of `assert` in `src`. Throws if one does not name an invariant. */
export function assertCalls(): AssertCall[] {
  return globSync('src/**/*.ts')
    .sort()
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      if (!/\bassert\(/.test(text) || file === 'src/base/terms/invariants.ts') return [];
      const calls: AssertCall[] = [];
      new Visitor({
        CallExpression: ({ callee, arguments: [condition, name] }) => {
          if (callee.type !== 'Identifier' || callee.name !== 'assert') return;
          const invariant = (name as (Expression & { value?: unknown }) | undefined)?.value;
          if (condition === undefined || typeof invariant !== 'string' || !(invariant in invariants))
            throw new Error(`${file}: an assert has no invariant: ${text.slice(condition?.start, condition?.end)}`);
          const { start, end } = condition;
          calls.push({ invariant: invariant as Invariant, file, start, end });
        },
      }).visit(parseSync(file, text).program);
      return calls;
    });
}

/** `src` without one of its asserts, for each: only the test of the invariants notices. */
export function withoutAsserts(): { rule: string; mutation: Mutation; test: string }[] {
  return assertCalls().map(({ invariant, ...place }) => ({
    rule: `without the assert of ${invariant}`,
    mutation: { ...place, replacement: 'true' },
    test: 'test/invariants.test.ts',
  }));
}
