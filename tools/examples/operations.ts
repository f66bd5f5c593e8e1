import { Approvals } from '../../src/service/approval-page.ts';
import { exampleText } from './example-text.ts';
import { type Asking, ExampleWorld } from './world.ts';

/** The challenge and verifier of RFC 7636, appendix B. */
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

/** A request with its answer for each operation of the API, by operation id, as docs/api.md shows them. */
export async function operationExamples(): Promise<Map<string, string>> {
  const world = await ExampleWorld.open(3);
  try {
    const recording = new Recording(world);
    await general(recording, world);
    await orders(recording, world);
    await positions(recording, world);
    await strategies(recording, world);
    await copying(recording);
    await bulk(recording);
    return recording.examples;
  } finally {
    world.close();
  }
}

class Recording {
  readonly examples = new Map<string, string>();
  readonly #world: ExampleWorld;

  constructor(world: ExampleWorld) {
    this.#world = world;
  }

  /** Sends a request, keeps it with its answer under this name, and returns the answer's data. */
  // biome-ignore lint/suspicious/noExplicitAny: an example reads answers of every shape.
  async keep(name: string, method: Asking['method'], target: string, more: Partial<Asking> = {}): Promise<any> {
    const asking = { method, target, ...more };
    const { status, headers, body } = await this.#world.ask(asking);
    const head = more.key === undefined ? [] : [`Idempotency-Key: ${more.key}`];
    const sent = more.body === undefined ? [] : [exampleText(more.body)];
    const wait = headers['retry-after'] === undefined ? [] : [`Retry-After: ${headers['retry-after']}`];
    const lines = [`${method} ${target}`, ...head, ...sent, '', `${status}`, ...wait, exampleText(body)];
    this.examples.set(name, `${lines.join('\n')}\n`);
    return (body as { data?: unknown }).data;
  }
}

const [lead, second, third] = ['acc_000000001', 'acc_000000002', 'acc_000000003'];
const market = 'binance|BTCUSDT';
const inPath = encodeURIComponent(market);
const order = { account_id: lead, market_id: market, side: 'buy', leverage: 5, margin_mode: 'cross' };

async function general(recording: Recording, { simulation }: ExampleWorld): Promise<void> {
  await recording.keep('getApiInformation', 'GET', '/v1');
  await recording.keep('listRestrictedCountries', 'GET', '/v1/restricted-countries');
  const login = { challenge, redirectUri: 'http://127.0.0.1:9999/callback', state: 'state', deviceName: 'My laptop' };
  const code = new Approvals(simulation).grant(login);
  await recording.keep('exchangeCliAuthorizationCode refused', 'POST', '/v1/auth/cli/token', {
    body: { code, code_verifier: challenge },
  });
  const session = await recording.keep('exchangeCliAuthorizationCode', 'POST', '/v1/auth/cli/token', {
    body: { code, code_verifier: verifier },
  });
  await recording.keep('revokeCliSession', 'POST', '/v1/auth/cli/revoke', { credential: session.api_key });
  await recording.keep('listAccounts', 'GET', '/v1/accounts');
  await recording.keep('getAccount', 'GET', `/v1/accounts/${lead}`);
  await recording.keep('getAccountTradingPolicy', 'GET', `/v1/accounts/${lead}/trading-policy`);
  await recording.keep('listMarkets', 'GET', '/v1/markets');
  await recording.keep('getMarket', 'GET', `/v1/markets/${inPath}`);
  await recording.keep('getMarketQuote', 'GET', `/v1/markets/${inPath}/quote?side=buy&size=0.5`);
}

/** A round price at this share of the market's. */
async function priceAt(world: ExampleWorld, share: number): Promise<number> {
  const { mid } = await world.data({ method: 'GET', target: `/v1/markets/${inPath}/quote` });
  return Math.round((mid * share) / 500) * 500;
}

async function orders(recording: Recording, world: ExampleWorld): Promise<void> {
  const [lowest, low, high] = [await priceAt(world, 0.96), await priceAt(world, 0.98), await priceAt(world, 1.04)];
  await recording.keep('createOrder', 'POST', '/v1/orders', {
    key: 'entry-1',
    body: { ...order, size: 0.05, stop_loss_price: low, take_profit_price: high },
  });
  await recording.keep('createOrder refused', 'POST', '/v1/orders', { key: 'entry-2', body: { ...order, size: 500 } });
  await recording.keep('createOrder invalid', 'POST', '/v1/orders', {
    key: 'entry-5',
    body: { ...order, size: 0, type: 'stop' },
  });
  const resting = await recording.keep('createOrder limit', 'POST', '/v1/orders', {
    key: 'entry-3',
    body: { ...order, account_id: second, client_order_id: 'my-entry', type: 'limit', size: 0.02, limit_price: low },
  });
  await recording.keep('listOrders', 'GET', `/v1/orders?account_id=${second}&client_order_id=my-entry`);
  await recording.keep('getOrder', 'GET', `/v1/orders/${resting.id}`);
  await recording.keep('modifyOrder', 'PATCH', `/v1/orders/${resting.id}`, { body: { price: low - 500, size: 0.03 } });
  await recording.keep('updateAttachedExits', 'PUT', `/v1/orders/${resting.id}/attached-exits`, {
    body: { stop_loss_price: lowest },
  });
  await recording.keep('cancelOrder', 'DELETE', `/v1/orders/${resting.id}`);
  await recording.keep('listFills', 'GET', `/v1/fills?account_id=${lead}&limit=1`);
}

async function positions(recording: Recording, world: ExampleWorld): Promise<void> {
  const [position] = await recording.keep('listOpenPositions', 'GET', `/v1/positions?account_id=${lead}`);
  await recording.keep('getPosition', 'GET', `/v1/positions/${position.id}`);
  const working = await world.data({ method: 'GET', target: `/v1/orders?account_id=${lead}&status=working` });
  const exits = working.map(({ id, trigger_price, size }: { id: string; trigger_price: number; size: number }) => {
    return { order_id: id, execution_type: 'market', price: trigger_price, size };
  });
  const stop = exits.find(({ price }: { price: number }) => price < position.entry_price);
  await recording.keep('replacePositionExitOrders', 'PUT', `/v1/positions/${position.id}/exit-orders`, {
    body: {
      expected_position_size: position.size,
      expected_orders: exits,
      operations: [{ kind: 'modify', order_id: stop.order_id, price: stop.price + 500 }],
    },
  });
  await recording.keep('closePosition', 'POST', `/v1/positions/${position.id}/close`, {
    key: 'close-1',
    body: { size: 0.02 },
  });
  const isolated = { ...order, market_id: 'binance|ETHUSDT', margin_mode: 'isolated', size: 1 };
  await world.data({ method: 'POST', target: '/v1/orders', key: 'entry-4', body: isolated });
  const [eth] = await world.data({ method: 'GET', target: `/v1/positions?account_id=${lead}` });
  await recording.keep('setPositionIsolatedMargin', 'PUT', `/v1/positions/${eth.id}/isolated-margin`, {
    body: { extra_margin: 250 },
  });
}

async function strategies(recording: Recording, world: ExampleWorld): Promise<void> {
  const [end, start, now] = [await priceAt(world, 0.97), await priceAt(world, 0.98), await priceAt(world, 1)];
  const twap = await recording.keep('createTwapOrder', 'POST', '/v1/twap-orders', {
    key: 'twap-1',
    body: { ...order, size: 0.1, expected_price: now, duration_minutes: 30, slice_interval_seconds: 60 },
  });
  await world.advance(150_000);
  await recording.keep('listActiveTwapOrders', 'GET', `/v1/twap-orders?account_id=${lead}`);
  await recording.keep('getTwapOrder', 'GET', `/v1/twap-orders/${twap.id}`);
  await recording.keep('cancelTwapOrder', 'DELETE', `/v1/twap-orders/${twap.id}`);
  const ladder = await recording.keep('createScaledOrder', 'POST', '/v1/scaled-orders', {
    key: 'ladder-1',
    body: { ...order, size: 0.06, start_price: start, end_price: end, rung_count: 3, distribution: 'ascending' },
  });
  await recording.keep('listScaledOrders', 'GET', `/v1/scaled-orders?account_id=${lead}`);
  await recording.keep('getScaledOrder', 'GET', `/v1/scaled-orders/${ladder.id}`);
  await recording.keep('cancelScaledOrder', 'DELETE', `/v1/scaled-orders/${ladder.id}`);
}

async function copying(recording: Recording): Promise<void> {
  const group = { enabled: true, source_account_id: second, targets: [{ account_id: third, multiplier_bps: 10000 }] };
  const { config_ids } = await recording.keep('saveCopyTradingConfigurations', 'POST', '/v1/copy-trading', {
    body: { groups: [group], deleted_config_ids: [] },
  });
  await recording.keep('listCopyTradingConfigurations', 'GET', '/v1/copy-trading');
  await recording.keep('disableCopyTradingConfiguration', 'POST', `/v1/copy-trading/${config_ids[0]}/disable`);
  const { copy_stop } = await recording.keep('after a copy stop', 'GET', `/v1/accounts/${third}/trading-policy`);
  recording.examples.delete('after a copy stop');
  await recording.keep('acknowledgeCopyTradingStop', 'POST', `/v1/accounts/${third}/acknowledge-copy-stop`, {
    body: { stopped_at: copy_stop.stopped_at },
  });
}

async function bulk(recording: Recording): Promise<void> {
  await recording.keep('cancelAllAccountOrders', 'POST', `/v1/accounts/${lead}/cancel-all-orders`, { key: 'cancel-1' });
  await recording.keep('closeAllAccountPositions', 'POST', `/v1/accounts/${lead}/close-all-positions`, {
    key: 'close-2',
  });
}
