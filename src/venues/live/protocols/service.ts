import { isJsonObject } from '../../../base/terms/json-object.ts';
import { catalogMarket, splitMarketId } from '../../../exchange/markets/catalog.ts';
import { decimalText } from '../../tape/level-text.ts';
import type { Trade } from '../../tape/tape-lines.ts';
import { type Fields, jsonObject, sideIn, textField, wholeField } from '../../tape/venue-events.ts';
import { decimalField, decimalOf, objectIn, objectLevels, objectsIn, textOf, wholeOrNull } from './frame.ts';
import { ListReader, marketOf, onGrid, onSignificantFigures } from './market.ts';
import type { Ask, Venue, VenueList, VenueMarket, VenueMessage } from './venue.ts';

/**
 * The market stream of the trading service itself, for every market that it lists; no credential is sent. Each book
 * event is a whole book. A subscription names one provider, so each topic has its own subscription, and is ended by its
 * id.
 */
export const service: Venue = {
  name: 'service',
  paths: { 'market-data': '/v1/market-data' },
  stream: {
    topicsPerRequest: 1,
    topicsPerConnection: 500,
    framesPerSecond: 50,
  },
  rest: { weightPerMinute: 300, markets: readMarkets },
  topics: (channel) => ({
    books: [`books:${channel}`],
    trades: `trades:${channel}`,
    marks: [`ticks:${channel}`, `marketStats:${channel}`],
  }),
  request(verb, [topic], id, as) {
    if (verb === 'unsubscribe') return JSON.stringify({ op: 'unsub', id: as });
    const [channel, marketId] = [topic!.slice(0, topic!.indexOf(':')), topic!.slice(topic!.indexOf(':') + 1)];
    const { provider, coin } = splitMarketId(marketId)!;
    return JSON.stringify({ op: 'sub', id, channel, payload: { symbols: [coin], providers: [provider] } });
  },
  heartbeat: (id) => JSON.stringify({ op: 'req', id, method: 'ping' }),
  decode(frame, _connection, take) {
    const message = jsonObject(frame);
    const id = wholeOrNull(message.id);
    if (message.op === 'events') for (const event of objectsIn(message.events, 'events')) take(eventOf(event));
    else if (message.op === 'sub_ok') take({ kind: 'confirmed', id, topics: [] });
    else if (message.op === 'sub_err') take({ kind: 'refused', id, topics: [], reason: reasonOf(message.error) });
    else if (message.op === 'end') take({ kind: 'ended', id, topics: [] });
    else if (message.op === 'draining') take({ kind: 'draining' });
    else if (message.op === 'res') take({ kind: 'alive', time: wholeOrNull(message.result) });
    else take({ kind: 'ignored' });
  },
};

function eventOf(event: Fields): VenueMessage {
  const { type } = event;
  const isMark = type === 'tick' && event.kind === 'mark';
  if (!isMark && type !== 'book' && type !== 'trade' && type !== 'marketStats') return { kind: 'ignored' };
  const market = `${textField(event, 'provider')}|${textField(event, 'symbol')}`;
  if (isMark)
    return {
      kind: 'marks',
      topic: `ticks:${market}`,
      time: wholeOrNull(event.time) ?? 0,
      mark: decimalOf(event.price),
    };
  if (type === 'marketStats') return fundingOf(event, `marketStats:${market}`);
  if (type === 'trade') return { kind: 'trades', topic: `trades:${market}`, trades: [tradeOf(event)] };
  const side = (levels: unknown) => objectLevels(levels, ['px', 'price'], ['sz', 'size']);
  const [bids, asks] = [side(event.bids), side(event.asks)];
  const time = wholeOrNull(event.time) ?? 0;
  return { kind: 'book', topic: `books:${market}`, isFull: true, ids: null, time, bids, asks };
}

/** A field that is absent is unchanged. */
function fundingOf(event: Fields, topic: string): VenueMessage {
  const { fundingRate: rate, fundingIntervalHours: hours } = event;
  if (rate === undefined && hours === undefined) return { kind: 'ignored' };
  return {
    ...{ kind: 'marks', topic, time: wholeOrNull(event.time) ?? 0 },
    ...(rate !== undefined && { fundingRate: decimalOf(rate) }),
    ...(hours !== undefined && { fundingHours: hours }),
  };
}

function tradeOf(event: Fields): Trade {
  const side = sideIn(textField(event, 'side'));
  const [price, size] = [decimalField(event, 'price'), decimalField(event, 'size')];
  const time = wholeField(event, 'time');
  return { id: textField(event, 'tradeId'), number: null, time, price, size, side, isOffBook: false };
}

function reasonOf(error: unknown): string {
  if (!isJsonObject(error)) return textOf(error);
  return textOf(error.message ?? error.reason ?? error.code ?? error._tag ?? error);
}

/** Ticks are optional in the list: markets without one use the default catalog's, and are left out if it has none. */
async function readMarkets(ask: Ask): Promise<VenueList> {
  const answer = objectIn(await ask({ path: '/v1/markets', isLong: true }));
  const list = new ListReader('market_id');
  return list
    .read(objectsIn(answer.data, 'data'), (row) => {
      const market = readMarket(row);
      if (market === null) list.note(row, 'without a tick');
      return market;
    })
    .list();
}

function readMarket(row: Fields): VenueMarket | null {
  const [provider, coin, marketId] = ['provider', 'coin', 'market_id'].map((field) => textField(row, field));
  const market = { symbol: textField(row, 'symbol'), channel: marketId! };
  const sizeDecimals = wholeField(row, 'size_decimals');
  const tick = row.tick_size === undefined ? tickOf(catalogMarket(marketId!)) : decimalField(row, 'tick_size');
  if (tick === null && provider !== 'hyperliquid') return null;
  const listed =
    provider === 'hyperliquid'
      ? marketOf(provider, coin!, onSignificantFigures(sizeDecimals), market)
      : marketOf(
          provider!,
          coin!,
          onGrid(tick!, decimalText(1, sizeDecimals), decimalsOf(tick!) + finerDecimals),
          market,
        );
  return { ...listed, definition: { ...listed.definition, maxLeverage: wholeField(row, 'max_leverage') } };
}

/** The list does not report the precision of prices; venues write them with one or two decimals more than the tick. */
const finerDecimals = 2;

function decimalsOf(decimal: string): number {
  return decimal.split('.')[1]?.length ?? 0;
}

function tickOf(known: { tick: number | null; priceDecimals: number } | undefined): string | null {
  return known?.tick == null ? null : decimalText(known.tick, known.priceDecimals);
}
