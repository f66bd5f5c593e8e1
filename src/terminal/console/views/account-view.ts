import { dateTime, dollars, marketName, maybe, percentText, quantity, usd, word } from '../../../base/text/format.ts';
import { type Acting, actingText } from '../../../desk/account/acting.ts';
import type { Ending } from '../../../desk/reading/endings.ts';
import type { HeldLock } from '../../../desk/reading/locks.ts';
import { titleOf } from '../../../desk/resolve/account.ts';
import { nearestBreaches, noOutlook, type Outlook } from '../../../desk/risk/outlook.ts';
import type { Marks } from '../../../desk/risk/path-account.ts';
import { Account, type AccountTradingPolicy } from '../../../wire/contract/accounts.ts';
import type { Position } from '../../../wire/contract/positions.ts';
import type { ObservedBehavior } from '../../../wire/contract/simulation.ts';
import {
  type Block,
  type Blocks,
  below,
  blank,
  type Cell,
  type Column,
  type Field,
  fields,
  fieldsOf,
  line,
  profitCell,
  statusCell,
} from '../output/result.ts';
import { endingBlocks, endingBrief, lockText } from './ending-view.ts';
import { breachText } from './position-view.ts';

/** Wire names of an account's fields, used as CSV columns. */
export const accountFields = fieldsOf(Account);

/** The table of accounts; the one in use is marked. */
export function accountColumns(
  inUse: string | undefined,
  endings: ReadonlyMap<string, Ending>,
  { locks, isHost }: { locks: ReadonlyMap<string, HeldLock>; isHost: boolean },
): readonly Column<Account>[] {
  return [
    { header: ' ', cell: (account) => (account.id === inUse ? '*' : ''), keep: 9 },
    { header: 'ID', cell: (account) => account.id },
    { header: 'NAME', cell: titleOf, keep: 5 },
    { header: 'STAGE', cell: (account) => account.stage, keep: 2 },
    { header: 'STATUS', cell: (account) => statusCell(account.status) },
    { header: 'ENDED', cell: (account) => maybe(endings.get(account.id), endedCell), keep: 7 },
    { header: 'BALANCE', cell: (account) => usd(account.balance), align: 'right' },
    { header: 'EQUITY', cell: (account) => maybe(account.risk?.equity, usd), align: 'right', keep: 6 },
    { header: 'PNL', cell: (account) => profitCell(account.risk?.unrealized_pnl), align: 'right', keep: 4 },
    { header: 'LOCKED', cell: ({ id }) => maybe(locks.get(id), lockCell), keep: 8 },
    { header: 'DAY ROOM', cell: roomCell('daily_loss_room', isHost), align: 'right', keep: 3 },
    { header: 'ROOM', cell: roomCell('max_drawdown_room', isHost), align: 'right', keep: 1 },
  ];
}

/** The room above a floor; an ended account has none. */
function roomCell(name: 'daily_loss_room' | 'max_drawdown_room', isHost: boolean): Column<Account>['cell'] {
  return ({ status, risk }) => {
    const room = status === 'active' ? (risk?.[name] ?? null) : undefined;
    return room === null && isHost ? { text: noFloorKnown, tone: 'warn' } : maybe(room, usd);
  };
}

/** A host's floor that is null: one may exist anyway. The simulation's null means that the plan has no floor. */
export const noFloorKnown = 'no floor known';

function lockCell(lock: HeldLock): Cell {
  return { text: lock === 'damaged' ? 'damaged' : `until ${dateTime(lock.until)}`, tone: 'warn' };
}

function endedCell(ending: Ending): string {
  return ending.ended_at === null ? '' : endingBrief(ending).replace(/^[A-Z]+ /, '');
}

/** An account's holdings, and the limits that end it. */
interface Holdings {
  readonly positions: readonly Position[];
  readonly marks: Marks;
  readonly outlook: Outlook;
  /** undefined while the account is active. */
  readonly ending?: Ending | undefined;
  readonly lock?: HeldLock | undefined;
  /** Whether a host reports it, whose floors may exist without being reported. */
  readonly isHost: boolean;
}

const nothingHeld: Holdings = { positions: [], marks: new Map(), outlook: noOutlook, isHost: false };

/** One account with its risk. */
export function accountBlocks(account: Account, holdings: Holdings = nothingHeld): Blocks {
  const { risk } = account;
  return [
    line({ text: account.name, tone: 'strong' }, '  ', account.stage, ' ', statusCell(account.status)),
    endingBlocks(holdings.ending),
    maybe(holdings.lock, (lock) => line({ text: `Locked by the guard ${lockText(lock)}`, tone: 'warn' })),
    fields(
      ['balance', dollars(account.balance)],
      ['equity', maybe(risk?.equity, dollars)],
      ['unrealized', maybe(risk?.unrealized_pnl, profitCell)],
      ['margin used', maybe(risk?.margin_used, dollars)],
      ['available', maybe(risk?.available_balance, dollars)],
      ['exposure', maybe(risk?.gross_exposure, dollars)],
    ),
    below(risk === undefined ? unknownRisk(holdings) : challengeBlock(account, risk, holdings)),
    blank,
    fields(
      ['starting balance', dollars(account.starting_balance)],
      ['created', dateTime(account.created_at)],
      ['account', account.id],
      ['number', account.account_number],
    ),
  ];
}

function unknownRisk({ isHost, ending }: Holdings): Blocks {
  return isHost && ending === undefined ? fields(['floors', { text: noFloorKnown, tone: 'warn' }]) : [];
}

/** Rooms, target and the limits that would end the account: none of them apply once it has ended. */
function challengeBlock(account: Account, risk: NonNullable<Account['risk']>, holdings: Holdings): Blocks {
  if (account.status !== 'active') return [];
  const { requirements: rules } = risk;
  const floor = (room: number | null, floorAt: number | null, pct: number | null): Cell | undefined => {
    if (floorAt === null) return holdings.isHost ? { text: noFloorKnown, tone: 'warn' } : undefined;
    if (room === null) return { text: `unknown (floor ${usd(floorAt)}${percent(pct)})`, tone: 'warn' };
    const tone = room < account.starting_balance * 0.01 ? 'bad' : 'strong';
    return { text: `${usd(room)} USD left (floor ${usd(floorAt)}${percent(pct)})`, tone };
  };
  const target = maybe(rules.profit_target_pct, (pct) => ` (${quantity(pct)}%)`) ?? '';
  return fields(
    ['daily loss', floor(risk.daily_loss_room, risk.daily_loss_floor, rules.daily_loss_pct)],
    ['drawdown', floor(risk.max_drawdown_room, risk.max_drawdown_floor, rules.max_drawdown_pct)],
    ...breachFields(holdings),
    [
      'profit target',
      maybe(risk.remaining_profit, (left) => `${dollars(left)} of realized profit to go${target}, with nothing open`),
    ],
    ['trading days', maybe(rules.minimum_trading_days || null, (days) => `at least ${word(days)}`)],
    ['no fresh price', risk.marks_complete ? undefined : { text: listed(risk.missing_markets), tone: 'warn' }],
  );
}

/** Where the account touches a floor: by one market alone, and by all of them together. */
function breachFields({ positions, marks, outlook }: Holdings): Field[] {
  const one = nearestBreaches(marks, outlook).map(([id, price]) => {
    const symbol = positions.find(({ market_id }) => market_id === id)?.symbol;
    const name = symbol === undefined ? marketName(id) : word(symbol);
    return [`breach ${name}`, breachText(price, marks.get(id)?.price, outlook.floor)] as const;
  });
  const move = outlook.ends.size < 2 ? undefined : outlook.move();
  if (move === undefined) return one;
  const text = `${percentText(move)} in every market, ${outlook.floor?.name ?? 'floor'}`;
  return [...one, ['breach by all', { text, tone: 'strong' }]];
}

/** The trading policy: restrictions first, then the limits. */
export function policyBlocks(policy: AccountTradingPolicy): Blocks {
  const { limits, slippage_tolerance_bps: slippage, unlimited_trade_count_threshold: unlimited } = policy;
  const blocked = restrictionsOf(policy);
  const rules = policy.account_rules.map(({ id, parameters }) => {
    const values = Object.entries(parameters).map(([name, value]) => `${word(value)} ${name}`);
    return [id, parameters.pct === 0 ? 'none' : values.join(', ')] as const;
  });
  return [
    line(
      { text: `Policy of ${word(policy.account_id)}`, tone: 'strong' },
      '  ',
      policy.stage,
      ' ',
      statusCell(policy.status),
    ),
    blocked.length === 0
      ? line({ text: 'No restrictions.', tone: 'good' })
      : blocked.map((text) => line({ text, tone: 'warn' })),
    blank,
    fields(...rules),
    blank,
    fields(
      ...Object.entries(limits).map(
        ([name, value]) => [name.replaceAll('_', ' '), (name.endsWith('_usd') ? usd : quantity)(value)] as const,
      ),
      ['slippage bps', `${quantity(slippage.min)} to ${quantity(slippage.max)}`],
      ['market order bps', lowerCeilings(slippage)],
      ['trades unlimited', maybe(unlimited || undefined, (from) => `from a starting balance of ${dollars(from)}`)],
      ['total notional usd', maybe(policy.maximum_total_notional_usd, usd)],
      ['fees', policy.fee_exempt ? 'exempt' : undefined],
    ),
  ];
}

/** The observed live behavior that a simulated account has; empty if it has none. */
export function observedBlocks(observed: ObservedBehavior): Blocks {
  const text = (value: ObservedBehavior[keyof ObservedBehavior]): string | undefined => {
    if (value === null || value === false || value === 'mark' || value === 'book') return undefined;
    if (typeof value === 'number') return usd(value);
    if (typeof value !== 'object') return value === true ? 'on' : value;
    const markets = Object.entries(value).map(([id, notional]) => `${word(id)} ${usd(notional)}`);
    return markets.join(', ') || undefined;
  };
  const rows = Object.entries(observed).map(([name, value]) => [name.replaceAll('_', ' '), text(value)] as const);
  return below(fields(...rows));
}

/** The venues with a lower slippage limit for market orders. */
function lowerCeilings({
  max,
  market_order_maximum_by_provider: each,
}: AccountTradingPolicy['slippage_tolerance_bps']): string | undefined {
  const lower = Object.entries(each).filter(([, bps]) => bps < max);
  return lower.map(([provider, bps]) => `${provider} ${quantity(bps)}`).join(', ') || undefined;
}

function restrictionsOf(policy: AccountTradingPolicy): string[] {
  const { restriction, copy_stop: stop, competition, trading_halt: halt } = policy;
  const allowed = competition?.market_allowlist ?? [];
  return [
    policy.manual_trading_blocked && 'Manual trading is blocked.',
    policy.opening_exposure_restricted && 'New exposure is blocked.',
    restriction &&
      `Restricted to ${word(restriction.restriction)} since ${dateTime(restriction.flagged_at)}: ${word(restriction.reason)}`,
    policy.payout_pending && 'A payout is pending.',
    policy.copy_follower_locked && 'An enabled copy group trades this account.',
    policy.copy_scope_blocked && 'Copy trading is blocked.',
    halt.platform && 'The platform is halted.',
    halt.categories.length > 0 && `Halted categories: ${listed(halt.categories)}.`,
    competition?.opening_exposure_restricted && 'The competition blocks new exposure.',
    allowed.length > 0 && `Competition: positions may be opened only in ${listed(allowed)}.`,
    stop?.acknowledged_at === null && copyStopText(stop),
  ].filter((text) => typeof text === 'string');
}

function copyStopText(stop: NonNullable<AccountTradingPolicy['copy_stop']>): string {
  const reason = stop.reason === null ? '' : `: ${word(stop.reason)}`;
  const cleanup =
    stop.completed_at === null ? 'cleanup is running' : 'clear it with perp accounts acknowledge-copy-stop';
  return `Copying stopped ${dateTime(stop.stopped_at)}${reason} (${cleanup}).`;
}

function listed(words: readonly string[]): string {
  return words.map(word).join(', ');
}

function percent(value: number | null): string {
  return value === null ? '' : `, ${quantity(value)}%`;
}

/** The sources of automatic orders in an account, one per line. */
export function actingBlocks(acting: readonly Acting[]): Block[] {
  return acting.map((one) => line({ text: actingText(one), tone: 'warn' }));
}
