import type {
  Command,
  ExitOperation,
  OpenState,
  PlaceOrder,
  ReplaceExits,
} from '../../../src/exchange/engine/commands.ts';
import type { MarketDefinition, Order, Price, Side } from '../../../src/exchange/engine/model.ts';
import type { Chance } from './chance.ts';

/** The ids from which a random command is drawn. */
export interface Practice {
  readonly open: OpenState;
  readonly markets: readonly MarketDefinition[];
  /** Roughly where prices are. */
  readonly near: Price;
}

/** Any command: valid ones, and the mistakes that traders make. */
export function randomPractice(chance: Chance, practice: Practice): Command {
  const drawn = chance.pick(kinds)(chance, practice);
  return drawn ?? anyOrder(chance, practice);
}

type Draw = (chance: Chance, practice: Practice) => Command | null;

const kinds: readonly Draw[] = [
  anyOrder,
  anyOrder,
  anyOrder,
  anyOrder,
  anyOrder,
  anyOrder,
  cancel,
  amend,
  close,
  attach,
  exits,
  margin,
  twap,
  cancelTwap,
  scaled,
  cancelScaled,
  bulk,
  copy,
  stopCopy,
  policy,
];

function anyOrder(chance: Chance, { open, markets, near }: Practice): PlaceOrder {
  const accountId = chance.pick(open.accounts).id;
  const mode = chance.pick([
    'market',
    'market',
    'limit',
    'limit',
    'chase',
    'stop_market',
    'stop_limit',
    'take_market',
    'take_limit',
    'take_profit',
    'conditional',
  ] as const);
  const side = chance.pick(['buy', 'sell'] as const);
  const isLimit =
    mode === 'limit' ||
    mode === 'stop_limit' ||
    mode === 'take_limit' ||
    (mode === 'conditional' && chance.chance(0.3));
  const isTriggered = !['market', 'limit', 'chase'].includes(mode);
  const hasLegs = mode !== 'take_profit' && chance.chance(0.3);
  const reduceOnly = mode !== 'take_profit' && !hasLegs && chance.chance(0.25);
  const timeInForce = isLimit ? chance.pick([null, null, 'ioc', 'fok', 'gtd'] as const) : null;
  const up = (distance: number) => near + (side === 'buy' ? distance : -distance);
  return {
    kind: 'place_order',
    accountId,
    marketId: chance.pick(markets).marketId,
    clientOrderId: null,
    mode,
    side,
    size: chance.pick([chance.between(1, 60), chance.between(1, 60), chance.chance(0.1) ? 2.5 : 3]),
    expectedPrice: null,
    ...defaultTerms(chance, open, accountId),
    reduceOnly,
    slippageToleranceBps: chance.pick([null, 50, 400]),
    takeProfitPrice: hasLegs && chance.chance(0.7) ? up(chance.between(chance.chance(0.1) ? -2 : 5, 25)) : null,
    stopLossPrice: hasLegs && chance.chance(0.7) ? up(-chance.between(chance.chance(0.1) ? -2 : 5, 25)) : null,
    triggerPrice: isTriggered ? around(chance, near) : null,
    limitPrice: isLimit ? around(chance, near) : null,
    timeInForce,
    gtdExpiresAt: timeInForce === 'gtd' ? open.time + chance.between(1, 3_000) : null,
    chaseOffset: mode === 'chase' ? chance.pick([null, 0, 1, 3]) : null,
    chaseCapPrice: mode === 'chase' ? chance.pick([null, around(chance, near)]) : null,
    marketableLimitAcknowledged: chance.chance(0.5),
    replaceOverlappingExits: hasLegs && chance.chance(0.5),
    triggerMarketId: mode === 'conditional' ? chance.pick(markets).marketId : null,
    triggerDirection: mode === 'conditional' ? chance.pick(['above', 'below'] as const) : null,
    targetPositionId: null,
  };
}

/** Each account has its own terms and mostly keeps to them, so that few orders mismatch their position. */
function defaultTerms(chance: Chance, open: OpenState, accountId: string): Pick<PlaceOrder, 'leverage' | 'marginMode'> {
  const at = open.accounts.findIndex(({ id }) => id === accountId);
  const usual = ([10, 25, 50] as const)[at % 3]!;
  return { leverage: chance.chance(0.05) ? 5 : usual, marginMode: at % 2 === 0 ? 'isolated' : 'cross' };
}

function cancel(chance: Chance, { open }: Practice): Command | null {
  return open.orders.length === 0 ? null : { kind: 'cancel_order', orderId: chance.pick(open.orders).id };
}

function amend(chance: Chance, { open, near }: Practice): Command | null {
  if (open.orders.length === 0) return null;
  const size = chance.pick([null, chance.between(1, 80)]);
  return { kind: 'amend_order', orderId: chance.pick(open.orders).id, price: around(chance, near), size };
}

function close(chance: Chance, { open, near }: Practice): Command | null {
  if (open.positions.length === 0) return null;
  const type = chance.pick(['market', 'limit'] as const);
  return {
    kind: 'close_position',
    positionId: chance.pick(open.positions).id,
    clientOrderId: null,
    type,
    size: chance.pick([null, chance.between(1, 40)]),
    expectedPrice: null,
    slippageToleranceBps: null,
    limitPrice: type === 'limit' ? around(chance, near) : null,
    triggerPrice: null,
    triggerMarketId: null,
    triggerDirection: null,
    marketableLimitAcknowledged: chance.chance(0.5),
  };
}

function attach(chance: Chance, { open, near }: Practice): Command | null {
  if (open.orders.length === 0) return null;
  const price = () => chance.pick([undefined, null, around(chance, near)]);
  return {
    kind: 'update_attached_exits',
    orderId: chance.pick(open.orders).id,
    takeProfitPrice: price(),
    stopLossPrice: price(),
  };
}

function exits(chance: Chance, { open, near }: Practice): Command | null {
  if (open.positions.length === 0) return null;
  const position = chance.pick(open.positions);
  const working = open.orders.filter((order) => order.exitGroup !== null && order.targetPositionId === position.id);
  const operations: ExitOperation[] = [];
  for (const { id } of working) {
    const roll = chance.next();
    if (roll < 0.4) operations.push({ kind: 'cancel', orderId: id });
    else if (roll < 0.6) operations.push({ kind: 'modify', orderId: id, price: around(chance, near), size: null });
  }
  const isLong = position.direction === 'long';
  const at = (group: 'tp' | 'sl') => near + (isLong === (group === 'tp') ? 1 : -1) * chance.between(1, 15);
  const place = (group: 'tp' | 'sl', pair: number | null): ExitOperation => ({
    kind: 'place',
    group,
    executionType: chance.pick(['market', 'limit'] as const),
    price: at(group),
    size: chance.between(1, position.size),
    ocoPairWithOperationIndex: pair,
  });
  if (chance.chance(0.8)) {
    const paired = chance.chance(0.6);
    operations.push(place('tp', paired ? operations.length + 1 : null), place('sl', paired ? operations.length : null));
  }
  return {
    kind: 'replace_exits',
    positionId: position.id,
    expectedPositionSize: position.size,
    expectedOrders: asSeen(working),
    operations,
  };
}

/** Working exits in the form in which a batch has to expect them. */
export function asSeen(working: readonly Order[]): ReplaceExits['expectedOrders'] {
  return working.map(({ id, triggerPrice, limitPrice, size }) => ({
    orderId: id,
    executionType: null,
    price: (triggerPrice ?? limitPrice)!,
    size,
  }));
}

function margin(chance: Chance, { open }: Practice): Command | null {
  if (open.positions.length === 0) return null;
  return {
    kind: 'set_isolated_margin',
    positionId: chance.pick(open.positions).id,
    extraMargin: chance.pick([0, 10, 250, 4_000]),
  };
}

function twap(chance: Chance, { open, markets, near }: Practice): Command {
  const accountId = chance.pick(open.accounts).id;
  return {
    kind: 'place_twap',
    accountId,
    marketId: chance.pick(markets).marketId,
    strategy: chance.pick(['twap', 'vwap'] as const),
    side: side(chance),
    size: chance.between(10, 90),
    expectedPrice: near,
    ...defaultTerms(chance, open, accountId),
    durationMinutes: 5,
    sliceIntervalSeconds: chance.pick([30, 60]),
    randomize: chance.chance(0.5),
    reduceOnly: chance.chance(0.3),
    triggerPrice: chance.pick([null, around(chance, near)]),
    maxPrice: chance.pick([null, null, near + 10]),
    minPrice: chance.pick([null, null, near - 10]),
  };
}

function cancelTwap(chance: Chance, { open }: Practice): Command | null {
  return open.twaps.length === 0 ? null : { kind: 'cancel_twap', twapOrderId: chance.pick(open.twaps).id };
}

function scaled(chance: Chance, { open, markets, near }: Practice): Command {
  const accountId = chance.pick(open.accounts).id;
  return {
    kind: 'place_scaled',
    accountId,
    marketId: chance.pick(markets).marketId,
    side: side(chance),
    size: chance.between(5, 90),
    startPrice: around(chance, near),
    endPrice: around(chance, near),
    rungCount: chance.between(2, 5),
    distribution: chance.pick(['flat', 'ascending', 'descending'] as const),
    ...defaultTerms(chance, open, accountId),
    reduceOnly: chance.chance(0.2),
    marketableLimitAcknowledged: chance.chance(0.5),
  };
}

function cancelScaled(chance: Chance, { open }: Practice): Command | null {
  return open.scaled.length === 0 ? null : { kind: 'cancel_scaled', scaledOrderId: chance.pick(open.scaled).id };
}

function bulk(chance: Chance, { open }: Practice): Command | null {
  if (open.operations.length > 0) return { kind: 'continue_bulk', operationId: chance.pick(open.operations).id };
  if (chance.chance(0.7)) return null;
  const operation = chance.pick(['cancel_all_orders', 'close_all_positions'] as const);
  return { kind: 'start_bulk', operation, accountId: chance.pick(open.accounts).id };
}

function copy(chance: Chance, { open }: Practice): Command | null {
  if (chance.chance(0.7)) return null;
  const [lead, ...followers] = [...open.accounts].sort(() => chance.next() - 0.5).map(({ id }) => id);
  const targets = followers.slice(0, chance.between(1, 2)).map((accountId) => ({
    accountId,
    multiplierBps: chance.between(1_000, 20_000),
  }));
  const configId = chance.pick([null, ...open.copyGroups.map(({ id }) => id)]);
  return {
    kind: 'save_copy_groups',
    owner: 'somebody',
    environment: 'live',
    groups: [{ configId, enabled: chance.chance(0.8), sourceAccountId: lead!, targets }],
    deletedConfigIds: [],
  };
}

function stopCopy(chance: Chance, { open }: Practice): Command | null {
  if (open.copyGroups.length === 0 || chance.chance(0.5)) return null;
  return {
    kind: 'disable_copy_group',
    owner: 'somebody',
    environment: 'live',
    configId: chance.pick(open.copyGroups).id,
  };
}

function policy(chance: Chance, { open }: Practice): Command | null {
  if (chance.chance(0.8)) return null;
  const { id, policy: old } = chance.pick(open.accounts);
  const maintenanceMarginRatioBps = chance.pick([50, 100, 300, 800]);
  return {
    kind: 'set_policy',
    accountId: id,
    policy: { ...old, limits: { ...old.limits, maintenanceMarginRatioBps } },
  };
}

function side(chance: Chance): Side {
  return chance.pick(['buy', 'sell'] as const);
}

/** Mostly near the mid, sometimes far away. */
function around(chance: Chance, near: Price): Price {
  return chance.chance(0.2) ? near + chance.pick([-90, -60, 60, 90]) : near + chance.between(-12, 12);
}
