import { dateTime } from '../../../base/text/format.ts';
import { type Block, blank, type Column, fields, line, tableOf } from '../output/result.ts';

type Status = Awaited<ReturnType<typeof import('../../../bots/gate/control.ts').askGate<'status'>>>;
type BotRow = Status['bots'][number];

/** How the bots of a gate look. */
export const botColumns: readonly Column<BotRow>[] = [
  { header: 'BOT', cell: ({ bot }) => bot },
  {
    header: 'MAY',
    cell: ({ stopped_since: stopped, mandate_until: until }) => {
      if (until === null) return { text: 'do nothing: no mandate is in force', tone: 'bad' };
      return stopped === null ? 'trade' : { text: `only reduce, stopped ${dateTime(stopped)}`, tone: 'warn' };
    },
  },
  { header: 'UNTIL', cell: ({ mandate_until: until }) => (until === null ? '' : dateTime(until)), keep: 3 },
  {
    header: 'KEY UNTIL',
    cell: ({ key_expires_at: at }) => (at === null ? { text: 'no key', tone: 'warn' } : dateTime(at)),
    keep: 2,
  },
  { header: 'ACCOUNTS', cell: ({ accounts }) => accounts.join(' '), keep: 4 },
];

const activityColumns: readonly Column<BotRow>[] = [
  ...botColumns.slice(0, 2),
  { header: 'REQUESTS/MIN', cell: ({ requests }) => String(requests), align: 'right', keep: 3 },
  { header: 'ORDERS/MIN', cell: ({ orders }) => String(orders), align: 'right', keep: 2 },
  { header: 'REFUSED', cell: ({ refused }) => String(refused), align: 'right', keep: 1 },
  {
    header: 'OPEN',
    cell: ({ open_writes: open }) => (open === 0 ? '0' : { text: String(open), tone: 'warn' }),
    align: 'right',
    keep: 4,
  },
  ...botColumns.slice(2),
];

/** A running gate. */
export function statusBlocks({
  url,
  pid,
  destination,
  since,
  bots,
  accounts,
  unknown_marks: unknown,
}: Status): Block[] {
  const stale = accounts.filter(({ is_current: current }) => !current).map(({ account_id: id }) => id);
  return [
    fields(['address', url], ['leads to', destination], ['since', dateTime(since)], ['process', String(pid)]),
    blank,
    tableOf(bots, activityColumns),
    ...accounts
      .filter(({ is_current: current }) => current)
      .map(({ account_id: id, open_positions: positions, working_orders: orders, running_twaps: twaps }) =>
        line(`${id}: positions ${positions ?? '-'}, working orders ${orders ?? '-'}, running TWAPs ${twaps ?? '-'}`),
      ),
    ...(stale.length === 0
      ? []
      : [line({ text: `Not known now: ${stale.join(', ')}. Only what reduces passes there.`, tone: 'bad' })]),
    ...(unknown.length === 0
      ? []
      : [line({ text: `No mark is known of ${unknown.join(', ')}: nothing is added there.`, tone: 'warn' })]),
  ];
}
