import { usageFailure } from '../../../base/failure/failure.ts';
import type { ExitGroup } from '../../../base/terms/order-types.ts';
import { dollars, maybe, quantity, usd } from '../../../base/text/format.ts';
import { coverOf, exitsOf } from '../../../desk/account/means.ts';
import { exitNames, planExits, resizesOf, type Snapshot, stopsBeyond } from '../../../desk/preview/exit-plan.ts';
import {
  checkFarStops,
  type ExitPreview,
  exitPrice,
  exitSize,
  positionName,
  previewExits,
} from '../../../desk/preview/exit-preview.ts';
import type { FarStop } from '../../../desk/preview/prospect.ts';
import { beginAftermath } from '../../../desk/reading/before.ts';
import { oneROf } from '../../../desk/reading/one-r.ts';
import { noteActing } from '../../../desk/reading/prospects.ts';
import { ofChosenAccount } from '../../../desk/resolve/account.ts';
import { beginPositions, resolvePosition, workingOrders } from '../../../desk/resolve/holdings.ts';
import { allMarkets } from '../../../desk/resolve/market.ts';
import { endOf } from '../../../desk/risk/outlook.ts';
import { type Aftermath, legsBefore } from '../../../desk/writes/aftermath.ts';
import {
  canceledBy,
  changedBy,
  closedFailure,
  type ExitPlanner,
  exitAftermath,
  exitBatch,
  sendPlanned,
} from '../../../desk/writes/exit-changes.ts';
import { writeComputed } from '../../../desk/writes/write-figures.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { ExitOperation, Position } from '../../../wire/contract/positions.ts';
import type { Console } from '../../console/console.ts';
import type { ValuesOf } from '../../console/grammar/spec.ts';
import {
  type Block,
  type Blocks,
  blank,
  type Cell,
  fields,
  line,
  type Result,
  recordOf,
  sideCell,
} from '../../console/output/result.ts';
import { exitBlocks } from '../../console/views/order-view.ts';
import { positionBlocks } from '../../console/views/position-view.ts';
import { goesTo } from '../../console/where.ts';
import { exitTable } from '../preview/order-preview.ts';
import { farStopOf, write } from './write.ts';

/** A change of a position's exits. */
interface ExitChange {
  /** The operations that make the change, given the current exits; none if there is nothing to change. */
  readonly plan: ExitPlanner;
  /** `Move the stop-loss of long 0.05 BTC to 95000`. */
  question(snapshot: Snapshot, operations: readonly ExitOperation[]): string;
  /** Printed if there is nothing to change. */
  unchanged(snapshot: Snapshot): string;
  /** The account's working orders, if those that this command has read may be outdated. */
  readonly working?: readonly Order[] | undefined;
  /** The treatment of a stop that is far away; allowed by default. */
  readonly farStop?: FarStop;
  /** Additional lines of the preview and result. */
  says?(snapshot: Snapshot, operations: readonly ExitOperation[]): readonly string[];
  /** Additional JSON fields, in `computed`. */
  computed?(): object;
  /** The change is about to be sent. */
  sending?(snapshot: Snapshot): void;
  /** The change is made; not called in a dry run. */
  done?(snapshot: Snapshot): void;
}

/**
 * Changes the exits of a position. If the position or its exits change in the meantime, the change is recomputed from
 * their new state; if the position has been closed, that is reported.
 */
export async function changeExits(console: Console, position: Position, change: ExitChange): Promise<Result> {
  if (position.status === 'closed') throw closedFailure(position);
  beginAftermath(console, position);
  const working = change.working ?? (await workingOrders(console, position.account_id));
  const snapshot: Snapshot = { position, exits: exitsOf(position, working) };
  // Notes the loss at the first stop before it moves.
  await oneROf(console, position, coverOf(position, working), undefined);
  const operations = await change.plan(snapshot);
  await checkFarStops(console, snapshot, operations, change.farStop ?? 'allow');
  const result = async (
    data: Position,
    exits: readonly Order[] | undefined,
    says: () => Promise<readonly string[]>,
  ) => {
    const acting = noteActing(console, data.account_id, data.market_id);
    const [after] = await Promise.all([exitAftermath(console, data, exits), acting]);
    if (!console.settings.dryRun) change.done?.({ position: data, exits: exits ?? [] });
    const figures =
      after === undefined ? change.computed?.() : { ...writeComputed(data.market_id, after), ...change.computed?.() };
    const computed = figures === undefined ? {} : { computed: figures };
    const said = await says();
    return recordOf({ ...data, ...computed }, () => [
      after && shown(data, after),
      said.map((text) => line({ text, tone: 'warn' })),
    ]);
  };
  if (operations.length === 0) {
    return result(position, working, async () => [
      `${change.unchanged(snapshot)} Nothing was sent.`,
      ...(change.says?.(snapshot, []) ?? []),
    ]);
  }
  let isRecomputed = false;
  const plan: ExitPlanner = (now) => {
    isRecomputed = true;
    return change.plan(now);
  };
  const lostLegs = await legsBefore(console, canceledBy(snapshot, operations));
  const more = change.says?.(snapshot, operations) ?? [];
  const request = { path: { position_id: position.id }, body: exitBatch(snapshot, operations) };
  return write(console, 'replacePositionExitOrders', request, {
    preview: async () => [
      await exitPreview(console, snapshot, operations),
      more.map((text) => line({ text, tone: 'warn' })),
    ],
    account: position.account_id,
    question: `${change.question(snapshot, operations)}?`,
    send: (keyed) => {
      change.sending?.(snapshot);
      return sendPlanned(console, keyed, { snapshot, operations }, plan);
    },
    done: ({ data }) =>
      result(data, isRecomputed ? undefined : changedBy(snapshot, operations, working), async () => [
        ...(await lostLegs()),
        ...more,
      ]),
  });
}

/** As text: the position, the limit that ends it, and its exits. */
function shown(position: Position, { working, marks, outlook }: Aftermath): Blocks {
  const exits = exitsOf(position, working ?? []);
  const unreached = stopsBeyond(position, exits, endOf(position, outlook)).map((text) => line({ text, tone: 'bad' }));
  const seen = { mark: marks.get(position.market_id), outlook, working };
  return [positionBlocks(position, seen), exitBlocks(exits), unreached];
}

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

/** The arguments of `perp stop` and `perp target`. */
type Steering = ValuesOf<ReturnType<typeof steerArgs>, ReturnType<typeof steerOptions>> & { farStop?: boolean };

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
    farStop: farStopOf(console, input.farStop === true),
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
      return `${what} ${name} of ${positionName(position)}${to}${resized.join('')}`;
    },
    unchanged: ({ position }) =>
      price === null
        ? `${positionName(position)} has no ${name}.`
        : `The ${name} of ${positionName(position)} is already at ${quantity(price)}.`,
  });
}

/**
 * The exits of a position after the operations: price, gain or loss, R multiple, and the room above the floors at a
 * stop.
 */
async function exitPreview(
  console: Console,
  snapshot: Snapshot,
  operations: readonly ExitOperation[],
): Promise<Blocks> {
  const seen = await previewExits(console, snapshot, operations);
  const { position, mark, closed, exits } = seen;
  return [
    line(
      { text: 'Exits', tone: 'strong' },
      '  ',
      sideCell(position.side),
      ` ${quantity(position.size)} ${position.symbol} at ${quantity(position.entry_price)}`,
      mark === null ? '' : `, mark ${quantity(mark)}`,
    ),
    fields(['on', await goesTo(console, position.account_id)]),
    exitTable(closed, exits),
    exits.length === 0 ? undefined : blank,
    afterwards(seen),
    seen.beyond.map((text) => line({ text, tone: 'bad' })),
  ];
}

/** The loss that the new exits leave possible, and the remaining room above the floors. */
function afterwards({ position, account, cover, loss }: ExitPreview): Block {
  const { uncovered } = cover;
  const amount = maybe(loss, dollars);
  const bare = `${quantity(uncovered)} ${position.symbol} has no stop-loss`;
  if (uncovered > 0) {
    const risk = amount === undefined ? bare : `${bare}: ${amount} may be lost`;
    return fields(['risk', { text: risk, tone: 'warn' }]);
  }
  const roomAfter = (room: number | null | undefined): Cell | undefined => {
    if (room === null || room === undefined || loss === undefined) return undefined;
    const left = room - loss;
    if (left > 0) return `${dollars(room)}, ${usd(left)} at the stop`;
    return { text: `${dollars(room)}: the account fails before the stop`, tone: 'bad' };
  };
  return fields(
    ['at the stop', amount && { text: `${amount} less equity than now`, tone: 'strong' }],
    ['daily-loss room', roomAfter(account.risk?.daily_loss_room)],
    ['drawdown room', roomAfter(account.risk?.max_drawdown_room)],
  );
}
