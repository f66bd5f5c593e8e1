import { isJsonObject } from '../../../base/terms/json-object.ts';
import { dateTime, dollars, marketName, maybe, quantity, stretch, usd, word } from '../../../base/text/format.ts';
import { jsonText, plain } from '../../../base/text/plain-text.ts';
import type { KeptRecord } from '../../../desk/audit/record.ts';
import { requestWords } from '../../../desk/intents/note.ts';
import { type Block, blank, type Cell, type Column, type Field, fields, line } from '../output/result.ts';

/** The fields of a record in CSV. */
export const recordFields = [
  ...['seq', 'time', 'kind', 'bot', 'write', 'account', 'operation', 'request.method', 'request.target'],
  ...['request.body', 'request.key', 'request.clientOrderId', 'decision', 'term', 'approval', 'by', 'outcome'],
  ...['status', 'code', 'ids', 'why', 'event', 'says', 'mandate.name', 'mandate.hash', 'prev'],
];

/** The table of records. */
export const recordColumns: readonly Column<KeptRecord>[] = [
  { header: '#', cell: ({ seq }) => String(seq), align: 'right', keep: 2 },
  { header: 'TIME', cell: ({ time }) => dateTime(time) },
  { header: 'BOT', cell: ({ bot }) => bot ?? '' },
  { header: 'RECORD', cell: resultCell },
  { header: 'WHAT', cell: whatOf },
  { header: 'WRITE', cell: (record) => ('write' in record ? record.write : ''), keep: 1 },
];

function resultCell(record: KeptRecord): Cell {
  if (record.kind === 'event') return record.event;
  if (record.kind === 'outcome') {
    const tone = record.outcome === 'done' ? 'good' : record.outcome === 'unknown' ? 'warn' : 'bad';
    return { text: record.outcome, tone };
  }
  const { decision } = record;
  return { text: word(decision), tone: decision === 'allowed' || decision === 'approved' ? 'good' : 'warn' };
}

function whatOf(record: KeptRecord): string {
  if (record.kind === 'event') return record.says;
  const why = record.why === undefined ? '' : `: ${record.why}`;
  if (record.kind === 'asked') {
    const { operation, request, term, approval } = record;
    const by = term === undefined ? '' : ` (${term})`;
    const waits = approval === undefined ? '' : ` (approval ${approval.slice(0, 8)})`;
    return `${requestWords(operation, request.target, request.body)}${by}${waits}${why}`;
  }
  if (record.kind === 'decided')
    return `approval ${record.approval.slice(0, 8)}${record.by === undefined ? '' : ` by ${record.by}`}${why}`;
  const { status, code, ids = [] } = record;
  return [status, code, ...ids].filter((part) => part !== undefined).join(' ') + why;
}

/** A request that waits for a person. */
export type WaitingRequest = ReturnType<
  typeof import('../../../bots/gate/approvals/decide.ts').waitingRequests
>[number];
type Facts = NonNullable<WaitingRequest['facts']>;
type Effect = NonNullable<Facts['effect']>;

/** As much of an approval's id as people type. */
const shortLength = 8;

/** The request in a few words: `place market buy 2 BTC`. */
export function waitingWords({ kept: { request } }: WaitingRequest): string {
  return requestWords(request.operation, request.target, request.body);
}

/** The table of requests that wait. */
export function waitingColumns(now: number): readonly Column<WaitingRecord>[] {
  return [
    { header: 'APPROVAL', cell: ({ id }) => id.slice(0, shortLength) },
    { header: 'BOT', cell: ({ bot }) => bot },
    { header: 'REQUEST', cell: ({ what }) => what },
    { header: 'USD', cell: ({ effect }) => maybe(effect?.adds, (adds) => usd(adds.usd)), align: 'right', keep: 3 },
    { header: 'ACCOUNT', cell: ({ account_id }) => account_id, keep: 1 },
    { header: 'EXPIRES IN', cell: ({ until }) => stretch(until - now), align: 'right', keep: 4 },
    { header: '', cell: stateCell },
  ];
}

function stateCell({ gate_answers: isAnswering, decision }: WaitingRecord): Cell | undefined {
  if (!isAnswering) return { text: 'its gate does not answer', tone: 'bad' };
  return maybe(decision, (known) => ({ text: `${known}, its bot has to ask again`, tone: 'warn' }));
}

/** A request as scripts read it. */
export function recordOfWaiting(waiting: WaitingRequest) {
  const { kept, facts, decision, until } = waiting;
  const { id, request, askedAt, boundBps } = kept;
  return {
    ...{ id, bot: request.bot, account_id: request.account, operation: request.operation },
    ...{ method: request.method, target: request.target, body: request.body ?? null, key: request.key ?? null },
    ...{ what: waitingWords(waiting), asked_at: askedAt, until, bound_bps: boundBps, decision: decision ?? null },
    ...{ gate_answers: facts !== undefined, destination: facts?.destination ?? null, mark: facts?.mark ?? null },
    effect: facts?.effect === undefined ? null : recordOfEffect(facts.effect),
  };
}

type WaitingRecord = ReturnType<typeof recordOfWaiting>;

function recordOfEffect({ reduces, orders, adds }: Effect) {
  if (adds === undefined) return { reduces, orders, adds: null };
  const { market, side, size, price, usd: worth, positionUsd, lossUsd = null, worstUsd = null, roomUsd = null } = adds;
  const worst = { position_usd: positionUsd, loss_usd: lossUsd, account_loss_usd: worstUsd, room_usd: roomUsd };
  return { reduces, orders, adds: { market_id: market, side, size, price, usd: worth, ...worst } };
}

/** The fields of `recordOfWaiting`. */
export const waitingFields = [
  ...['id', 'bot', 'account_id', 'operation', 'method', 'target', 'body', 'key', 'what', 'asked_at', 'until'],
  ...['bound_bps', 'decision', 'gate_answers', 'destination', 'mark'],
];

/** All facts that a person needs before deciding. The bot's words are marked as external text. */
export function approvalBlocks(waiting: WaitingRequest, now: number): Block[] {
  const { kept, facts, until } = waiting;
  const { request, askedAt } = kept;
  return [
    fields(
      [
        'approval',
        `${kept.id.slice(0, shortLength)}, asked at ${dateTime(askedAt)}, expires in ${stretch(until - now)}`,
      ],
      ['bot', request.bot],
      ['account', request.account],
      ['goes to', facts === undefined ? unknown : { text: facts.destination, tone: 'strong' }],
      ['request', { text: waitingWords(waiting), tone: 'strong' }],
    ),
    blank,
    line({ text: 'The exact request; its texts come from the bot, from outside:', tone: 'faint' }),
    fields(['call', `${request.method} ${request.target}`], ...bodyFields(request.body), [
      'key',
      request.key ?? 'none',
    ]),
    blank,
    line({ text: 'Its effects, as known now:', tone: 'faint' }),
    fields(...effectFields(waiting)),
  ];
}

const unknown: Cell = { text: 'not known now', tone: 'bad' };

function bodyFields(body: string | undefined): [string, Cell][] {
  let value: unknown;
  try {
    value = JSON.parse(body ?? '{}');
  } catch {
    return [['body', body ?? '']];
  }
  if (!isJsonObject(value)) return [['body', jsonText(value)]];
  return Object.entries(value).map(([name, field]) => [
    plain(name),
    typeof field === 'string' ? field : jsonText(field),
  ]);
}

function effectFields({ kept: { boundBps }, facts }: WaitingRequest): Field[] {
  if (facts === undefined) return [['gate', { text: 'does not answer', tone: 'bad' }]];
  const { mark, effect } = facts;
  const bound = (mark ?? 0) * (boundBps / 10_000);
  const voidAt = (price: number) => quantity(Number(price.toPrecision(8)));
  const marked = maybe(mark, (at) => `${quantity(at)}; void beyond ${voidAt(at - bound)} to ${voidAt(at + bound)}`);
  return [['mark', marked ?? unknown], ...(maybe(effect, addedFields) ?? [['effect', unknown] as const])];
}

function addedFields({ adds, orders }: Effect): Field[] {
  if (adds === undefined) return [['adds', 'nothing']];
  const { market, side, size, price, usd: worth, positionUsd, lossUsd, worstUsd, roomUsd } = adds;
  const parts = orders > 1 ? `, in ${orders} orders` : '';
  const left = roomUsd === undefined || worstUsd === undefined ? undefined : roomUsd - worstUsd;
  return [
    [
      'adds',
      `${side} ${quantity(size)} ${marketName(market)}, at ${quantity(price)} worst case: ${dollars(worth)}${parts}`,
    ],
    ['position', `${dollars(positionUsd)} with everything that waits to add to it`],
    ['order loses', maybe(lossUsd, (loss) => `${dollars(loss)} worst case`) ?? unlimited],
    ['account loses', maybe(worstUsd, (loss) => `${dollars(loss)} worst case, with everything it holds`) ?? unlimited],
    ['room now', maybe(roomUsd, (room) => `${dollars(room)} above the nearest floor`) ?? noFloor],
    ['room, worst case', roomUsd === undefined ? '' : leftCell(left)],
  ];
}

const noFloor: Cell = { text: 'no floor is known', tone: 'warn' };
const unlimited: Cell = { text: 'nothing limits it', tone: 'bad' };

function leftCell(left: number | undefined): Cell {
  if (left === undefined) return { text: 'none: the floor can be reached', tone: 'bad' };
  return left > 0 ? dollars(left) : { text: `none: the floor is reached, by ${dollars(-left)}`, tone: 'bad' };
}
