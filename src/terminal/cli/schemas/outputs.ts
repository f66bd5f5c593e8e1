import { waysIn } from '../../../base/self/self.ts';
import {
  Account,
  AccountTradingPolicy,
  CancelAllOrdersOperation,
  CloseAllPositionsOperation,
  CopyTradingConfiguration,
  CopyTradingWriteResponse,
} from '../../../wire/contract/accounts.ts';
import { ApiInformation } from '../../../wire/contract/general.ts';
import { Market, Quote } from '../../../wire/contract/markets.ts';
import { CanceledOrder, Order } from '../../../wire/contract/orders.ts';
import { Position } from '../../../wire/contract/positions.ts';
import {
  array,
  boolean,
  choice,
  freeForm,
  integer,
  nullable,
  number,
  object,
  optional,
  type Schema,
  string,
} from '../../../wire/contract/schema.ts';
import {
  FeedsStatus,
  IssuedKey,
  OrderExplanation,
  SimulationKey,
  SimulationPolicy,
  SimulationStatus,
} from '../../../wire/contract/simulation.ts';
import { ScaledOrder, TwapOrder } from '../../../wire/contract/strategies.ts';

/** Fields may be added to records; existing ones stay. */
const computed = freeForm(
  "perp's own figures of the resource; a write, and a read under a profile, has `destination`, where it was sent.",
);

/** A resource of the API, with perp's own figures. */
function figured(resource: Schema): Schema {
  return { ...resource, properties: { ...resource.properties, computed } };
}

/** A record that is described on a page of the documentation. */
const own = (page: string) => freeForm(`Described in ${page}.`);

const time = number('Unix milliseconds.');
const order = figured(Order);
const position = figured(Position);
const policy = figured(AccountTradingPolicy);
const copyWrite = figured(CopyTradingWriteResponse.properties.data!);
const twap = figured(TwapOrder);
const scaled = figured(ScaledOrder);
const simulation = figured(SimulationStatus);
const trip = object({
  position_id: string(),
  market_id: string(),
  side: choice(['long', 'short']),
  opened_at: time,
  closed_at: optional(nullable(time)),
  net: optional(nullable(number('After fees and carry, USD.'))),
  fees: optional(number('USD.')),
  funding: optional(number('USD.')),
  r: optional(nullable(number('Net, as a multiple of 1R.'))),
  one_r: optional(nullable(number('What its stops lost when they first covered it, USD.'))),
  tags: array(string()),
  note: nullable(string()),
});
const written = object({ file: string(), bytes: integer() });
const bookmark = object({ name: string() });
const event = freeForm('One line for each; docs/streams.md has the frames.');
const profile = object({
  name: string(),
  environment: choice(['live', 'sandbox', 'sim']),
  host: nullable(string()),
  account: nullable(string()),
  api_key_file: nullable(string()),
  state: nullable(string()),
  login: nullable(freeForm('The stored login at its host, without its credential.')),
  in_use: boolean(),
});
const plan = object({ name: string(), plan: string() });
const terms = freeForm('By the keys of a mandate file, as docs/mandate.md describes them; null: no limit.');

/** The output of these verbs of a noun. */
function each(noun: string, verbs: readonly string[], output: Schema): Record<string, Schema> {
  return Object.fromEntries(verbs.map((verb) => [`${noun} ${verb}`, output]));
}

/**
 * The --json output of each command: a resource, an array of them, or for `stream` one JSON line each. Null: it prints
 * no JSON.
 */
export const outputs: Readonly<Record<string, Schema | null>> = {
  'accounts acknowledge-copy-stop': own('docs/scripting.md'),
  'accounts list': array(figured(Account)),
  'accounts policy': policy,
  'accounts show': figured(Account),
  'accounts use': Account,
  api: own('docs/api.md, under the endpoint: the body of its answer'),
  approve: own('docs/audit.md'),
  'audit show': own('docs/audit.md'),
  'audit verify': own('docs/audit.md'),
  batch: object({
    line: integer('From 1.'),
    id: { description: 'As given; null without one.' },
    ok: boolean(),
    exit: integer('The exit status of the line.'),
    data: optional(freeForm('What the command prints with --json.')),
    error: optional(freeForm('Its output on stderr with --json.')),
  }),
  'cancel-all': figured(CancelAllOrdersOperation),
  candles: array(
    object({ openTime: time, closeTime: time, open: string(), high: string(), low: string(), close: string() }),
  ),
  chart: object({
    market_id: string(),
    interval: string(),
    candles: array(freeForm()),
    position: nullable(freeForm()),
    orders: array(Order),
    fills: array(Order),
  }),
  'close-all': figured(CloseAllPositionsOperation),
  completion: null,
  'config get': { type: ['string', 'number', 'null'] },
  'config list': array(
    object({
      key: string(),
      value: { type: ['string', 'number', 'null'] },
      source: string('Where the value comes from.'),
    }),
  ),
  'config rm': object({ key: string(), value: { type: 'null' } }),
  'config set': object({ key: string(), value: { type: ['string', 'number'] } }),
  ...each('copy', ['delete', 'disable', 'enable', 'save'], copyWrite),
  'copy list': array(figured(CopyTradingConfiguration)),
  day: object({
    account_id: string(),
    ahead: freeForm('What lies before the account today.'),
    review: nullable(freeForm('What the day has brought, and which rules were kept.')),
    odds: nullable(freeForm('The chance to pass from here, if the record is long enough to say it.')),
    guard: boolean('A guard runs here.'),
    approximations: array(string()),
  }),
  doctor: array(object({ check: string(), status: choice(['ok', 'warn', 'fail', 'skip']), message: string() })),
  fills: array(Order),
  flatten: object({
    accounts: array(object({ account_id: string(), interrupted: boolean(), outcome_unknown: boolean() })),
  }),
  ...each('gate', ['flatten', 'log', 'resume', 'serve', 'status', 'stop'], own('docs/gate.md')),
  ...each('gate key', ['add', 'list', 'revoke'], own('docs/gate.md')),
  'guard add': object({ file: string() }),
  'guard rules': own('docs/guard.md'),
  'guard run': own('docs/guard.md'),
  'guard status': object({
    account_id: string(),
    guard: nullable(freeForm()),
    lock: nullable(freeForm()),
    state: string(),
  }),
  'guard unlock': object({ account_id: string(), unlocked: boolean() }),
  'journal list': array(trip),
  ...each('journal', ['note', 'one-r', 'show', 'tag'], trip),
  ...each('lab', ['compare', 'merge', 'run', 'show', 'trials'], own('docs/lab.md')),
  'lab report': written,
  ladder: null,
  login: own('docs/security.md'),
  logout: object({ profile: optional(string()), host: string() }),
  'mandate check': object({
    file: string(),
    name: string(),
    signed_at: nullable(time),
    hash: nullable(string()),
    in_force: boolean(),
    looser: array(string('A term that is looser than signed.')),
    unknown: array(string('An account or a market that is not there.')),
    terms,
    allowed: array(
      object({
        account_id: string(),
        market_id: string(),
        side: choice(['buy', 'sell']),
        size: nullable(number('Largest market order now, base asset.')),
        approval_above: nullable(number('Above this size, perp approve is asked, base asset; null: it is not.')),
        stop: nullable(number('With this stop.')),
        why: nullable(string('Why none.')),
      }),
    ),
  }),
  'mandate add': object({ file: string(), name: string() }),
  'mandate show': { oneOf: [array(object({ bot: string(), signed_at: time, until: time, hash: string() })), terms] },
  'mandate sign': object({ name: string(), hash: nullable(string()) }),
  'markets list': array(figured(Market)),
  'markets show': figured(Market),
  mcp: null,
  odds: own('docs/odds.md'),
  ...each('order', ['amend', 'exits', 'place', 'show'], order),
  'order cancel': { oneOf: [figured(CanceledOrder), array(figured(CanceledOrder))] },
  'order explain': figured(OrderExplanation),
  'order list': array(order),
  'pending list': array(freeForm('A write whose outcome is unknown.')),
  'pending resume': own('docs/retries.md'),
  'plan apply': position,
  'plan list': array(object({ name: string() })),
  'plan rm': own('docs/stops.md'),
  'plan set': plan,
  'plan show': own('docs/stops.md'),
  pnl: own('docs/pnl.md'),
  'positions close': order,
  ...each('positions', ['exits', 'margin', 'show'], position),
  'positions list': array(position),
  practice: own('docs/practice.md'),
  'profile add': profile,
  'profile list': array(profile),
  'profile rm': object({ name: string(), removed: boolean() }),
  'profile show': profile,
  'profile use': object({ profile: nullable(string()) }),
  quote: { oneOf: [figured(Quote), array(figured(Quote))] },
  report: written,
  reverse: order,
  ...each('scaled', ['cancel', 'place', 'show'], scaled),
  'scaled list': array(scaled),
  schema: own('docs/scripting.md'),
  'sdk link': object({ link: string(), target: string(), changed: boolean() }),
  'sim advance': object({ from: time, to: time }),
  'sim bookmarks add': bookmark,
  'sim bookmarks rm': bookmark,
  'sim bookmarks list': array(bookmark),
  ...each('sim', ['check', 'merge', 'reset', 'serve', 'use', 'weather'], own('docs/simulation.md')),
  'sim export': own('docs/tapes.md'),
  'sim feeds': FeedsStatus,
  'sim fund': figured(Account),
  'sim import': own('docs/tapes.md'),
  'sim key add': figured(IssuedKey),
  'sim key expire': figured(SimulationKey),
  'sim key list': array(SimulationKey),
  'sim key revoke': figured(SimulationKey),
  'sim markets stats': own('docs/markets.md'),
  ...each('sim', ['pause', 'resume', 'status'], simulation),
  'sim policy': figured(SimulationPolicy),
  'sim record': own('docs/live.md'),
  'sim run': null,
  'sim tapes cat': null,
  'sim tapes list': array(freeForm()),
  'sim tapes slice': own('docs/tapes.md'),
  'sim tapes verify': array(freeForm()),
  stop: position,
  ...each('stream', ['account', 'books', 'candles', 'stats', 'ticks', 'trades'], event),
  target: position,
  tour: null,
  ...each('twap', ['cancel', 'place', 'show'], twap),
  'twap list': array(twap),
  version: object({
    version: string(),
    commit: nullable(string()),
    runtime: string(),
    installed: choice(waysIn),
    place: string(),
    upgrade: string(),
  }),
  wait: object({
    condition: string(),
    at: nullable(time),
    price: optional(number('USD.')),
    bound: optional(number('USD.')),
    from: choice(['stream', 'candle', 'quote', 'positions', 'order']),
    order: optional(Order),
    waited_ms: number(),
  }),
  watch: null,
  whoami: object({ environment: string(), api: ApiInformation, accounts: integer(), verified: boolean() }),
};
