import { Failure, notFoundFailure } from '../../base/failure/failure.ts';
import { type RequestType, requires } from '../../base/terms/order-types.ts';
import { dateTime, quantity, shellSafe } from '../../base/text/format.ts';
import { plain } from '../../base/text/plain-text.ts';
import { accountId, allAccounts } from '../../desk/resolve/account.ts';
import { openPositions } from '../../desk/resolve/holdings.ts';
import { allMarkets, matchMarket } from '../../desk/resolve/market.ts';
import { fetchQuote } from '../../desk/resolve/quote.ts';
import { oneValue, type ValueSpec } from '../../desk/values/values.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { Console } from '../console/console.ts';
import type { Missing } from '../console/grammar/command-line.ts';
import { type ArgumentSpec, kebabCase } from '../console/grammar/spec.ts';
import type { Choice } from '../console/terminal/outside.ts';

/** Last price and 24-hour change of markets by id. */
export type Prices = ReadonlyMap<string, { last: number | null; change_24h_pct: number | null }>;

/** Prompts for everything missing from a command line, and returns the words that complete it. */
export async function wordsFor(
  console: Console,
  { path, given, chosen, args, options }: Missing,
  pricesOf: (markets: readonly Market[]) => Promise<Prices>,
): Promise<string[]> {
  const words: string[] = [];
  for (const spec of args) words.push(await answerTo(console, path, labelOf(spec), spec, pricesOf));
  for (const { name, spec } of options)
    words.push(`--${name}`, await answerTo(console, path, labelOf({ name }), spec, pricesOf));
  if (path === 'order place' && args.some(({ name }) => name === 'size')) {
    const [market = '', side, size = ''] = [...given, ...words];
    if (!chosen.some((name) => decidesType.has(name))) words.push(...(await typeOf(console, market, side)));
    if (size.startsWith('risk:') && !chosen.includes('stop-loss')) words.push(...(await stopOf(console)));
  }
  return words;
}

/** With one of these options, there is no prompt for the order type. */
const decidesType: ReadonlySet<string> = new Set([
  'type',
  'limit-price',
  'trigger-price',
  'chase-cap',
  'chase-offset',
  'tif',
  'expires',
]);

function labelOf({ name }: Pick<ArgumentSpec, 'name'>): string {
  const text = kebabCase(name).replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

async function answerTo(
  console: Console,
  path: string,
  label: string,
  spec: ValueSpec,
  pricesOf: (markets: readonly Market[]) => Promise<Prices>,
): Promise<string> {
  const { prompts } = console.outside;
  if (spec.choices !== undefined)
    return prompts.choose(
      label,
      spec.choices.map((value) => ({ value, name: value })),
    );
  const choices = await choicesOf(console, path, spec, pricesOf);
  if (choices !== undefined && choices.length > 0) return prompts.choose(label, choices);
  return prompts.line(`${label} (${spec.summary})`, (text) => problemOf(spec, text, label));
}

function problemOf(spec: ValueSpec, text: string, label: string): string | undefined {
  try {
    oneValue(spec, text, label);
    return undefined;
  } catch (error) {
    if (error instanceof Failure)
      return [error.message, error.facts.hint].filter((part) => part !== undefined).join(' ');
    throw error;
  }
}

/** The existing items of a kind; undefined for kinds that can't be listed. */
async function choicesOf(
  console: Console,
  path: string,
  { kind }: ValueSpec,
  pricesOf: (markets: readonly Market[]) => Promise<Prices>,
): Promise<Choice[] | undefined> {
  if (kind === 'market') return marketChoices(console, pricesOf);
  if (kind === 'position') {
    const open = await openPositions(console);
    if (open.length === 0 && steers(path)) throw notFoundFailure('There is no open position.');
    return open.map((position) => {
      const { id, side, size, symbol, entry_price: entry } = position;
      return { value: id, name: plain(`${symbol}  ${side} ${quantity(size)} at ${quantity(entry)}`) };
    });
  }
  if (kind === 'account')
    return (await allAccounts(console)).map(({ id, name, status }) => ({
      value: id,
      name: plain(`${id}  ${name}, ${status}`),
    }));
  if (kind === 'order') {
    const query = { account_id: await accountId(console), status: 'working' } as const;
    return (await console.call('listOrders', { query })).data.map((order) => {
      const price = order.limit_price ?? order.trigger_price;
      const at = price === undefined ? '' : ` at ${quantity(price)}`;
      const name = `${order.symbol}  ${order.mode} ${order.side} ${quantity(order.size)}${at}, ${dateTime(order.requested_at)}`;
      return { value: order.id, name: plain(name) };
    });
  }
  return undefined;
}

/** Whether a command changes an open position; the others show closed ones, too. */
function steers(path: string): boolean {
  return ['stop', 'target', 'reverse', 'positions close', 'positions exits', 'positions margin'].includes(path);
}

/** Markets with their prices; without prices if those can't be read. */
async function marketChoices(
  console: Console,
  pricesOf: (markets: readonly Market[]) => Promise<Prices>,
): Promise<Choice[]> {
  const all = (await allMarkets(console)).filter(({ trading_enabled: enabled }) => enabled !== false);
  const latest = await latestMarkets(console).catch((): string[] => []);
  const place = ({ market_id }: Market) => (latest.indexOf(market_id) + latest.length + 1) % (latest.length + 1);
  const markets = all.toSorted((one, other) => place(one) - place(other));
  const prices = await pricesOf(markets).catch((): Prices => new Map());
  const width = Math.max(...markets.map(({ symbol }) => symbol.length));
  return markets.map(({ market_id, symbol }) => {
    const { last = null, change_24h_pct: change = null } = prices.get(market_id) ?? {};
    const price = last === null ? '' : quantity(last);
    const moved = change === null ? '' : `${change > 0 ? '+' : ''}${change.toFixed(2)}%`;
    const name = `${symbol.padEnd(width)}  ${price.padStart(12)}  ${moved.padStart(8)}  ${shellSafe(market_id)}`;
    return { value: shellSafe(market_id), name: plain(name.trimEnd()) };
  });
}

/** The markets of open positions, then those of the latest orders. */
async function latestMarkets(console: Console): Promise<string[]> {
  const query = { account_id: await accountId(console), limit: 20 } as const;
  const [positions, { data: orders }] = await Promise.all([
    openPositions(console),
    console.call('listOrders', { query }),
  ]);
  return [...new Set([...positions, ...orders].map(({ market_id }) => market_id))];
}

const types: readonly { readonly value: RequestType; readonly name: string }[] = [
  { value: 'market', name: 'market: fill now' },
  { value: 'limit', name: 'limit: at a price or better' },
  { value: 'stop_market', name: 'stop: fill at market once the mark has moved against you' },
];

const ownPrices = [
  { heading: 'limit', label: 'Limit price', option: '--limit-price' },
  { heading: 'trigger', label: 'Trigger price', option: '--trigger-price' },
] as const;

/** The type of an order and its prices; the questions show the best prices. */
async function typeOf(console: Console, market: string, side: string | undefined): Promise<string[]> {
  const { prompts } = console.outside;
  const type = (await prompts.choose('Type', types)) as RequestType;
  const needed = ownPrices.filter(({ heading }) => requires(type, heading));
  if (needed.length === 0) return [];
  const found = matchMarket(market, await allMarkets(console));
  const quote = found === undefined ? undefined : await fetchQuote(console, found.market_id).catch(() => undefined);
  const best = side === 'buy' ? quote?.bid : quote?.ask;
  const hint = best === null || best === undefined ? '' : ` (best ${side === 'buy' ? 'bid' : 'ask'} ${quantity(best)})`;
  const words = requires(type, 'trigger') ? ['--type', type] : [];
  for (const { label, option } of needed) {
    const problem = (text: string) => problemOf({ kind: 'price', summary: '' }, text, label);
    words.push(option, await prompts.line(`${label}${hint}`, problem));
  }
  return words;
}

/** The stop of an order whose size follows from its risk. */
async function stopOf({ outside }: Console): Promise<string[]> {
  const label = 'Stop-loss';
  const spec = { kind: 'exitPrice', summary: '' } as const;
  const price = await outside.prompts.line(`${label} (a price, or 1% from the entry)`, (text) =>
    problemOf(spec, text, label),
  );
  return ['--stop-loss', price];
}
