// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
type Body = any;

/** A write, or a read that can be refused. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly key?: string | undefined;
}

/** What came of it; `exit`: of a command. */
export interface Told {
  readonly status: number;
  readonly body: Body;
  readonly exit?: number | undefined;
}

/** A way to a service. */
export type Way = (asked: Asked) => Promise<Told>;

/** How a way tells a refusal, without ids and times, which differ from service to service. */
export interface Refusal {
  readonly status: number;
  readonly code: string | null;
  readonly rule: string | null;
  readonly details: unknown;
}

const market = 'binance|BTCUSDT';

/** Asks for everything that a service refuses, by operation and status; each time, it takes this long, ms. */
export async function refusals(
  ask: Way,
  name: string,
  setUp = ask,
): Promise<Map<string, Refusal & { ms: number; exit?: number }>> {
  const found = new Map<string, Refusal & { ms: number; exit?: number }>();
  for (const [row, asked] of Object.entries(await table(setUp, name))) {
    const begun = performance.now();
    const { status, body, exit } = await ask(asked);
    const { code, rule_id: rule, details } = body?.error ?? {};
    const ms = performance.now() - begun;
    found.set(row, {
      status,
      code: code ?? null,
      rule: rule ?? null,
      details: plain(details ?? null),
      ms,
      ...(exit !== undefined && { exit }),
    });
  }
  return found;
}

/** Details as they are on every service. */
function plain(details: unknown): unknown {
  const words = JSON.stringify(details).replaceAll(/\b(ord|pos|twp|twap|scl|acc)_\w+/g, '$1');
  return JSON.parse(words.replaceAll(/-?\d+\.\d+|\b\d{5,}\b/g, '0'));
}

/** One request for each operation and status. */
async function table(ask: Way, name: string): Promise<Record<string, Asked>> {
  const done = async (asked: Asked): Promise<Body> => {
    const { status, body } = await ask(asked);
    if (status >= 300) throw new Error(`${asked.method} ${asked.path}: ${status} ${JSON.stringify(body)}`);
    return body.data;
  };
  let keys = 0;
  const post = (path: string, body: object): Asked => {
    keys += 1;
    return { method: 'POST', path, body, key: `${name}-${keys}` };
  };
  const account_id = (await done({ method: 'GET', path: '/v1/accounts' }))[0].id;
  const quote = `/v1/markets/${encodeURIComponent(market)}/quote?side=buy&size=0.01`;
  const { mid: mark } = await done({ method: 'GET', path: quote });
  const at = (share: number) => Math.round(mark * share);
  const common = { account_id, market_id: market, side: 'buy', leverage: 2, margin_mode: 'cross' };
  const resting = { ...common, type: 'limit', size: 0.01, limit_price: at(0.7) };
  const ladder = {
    ...common,
    size: 0.04,
    start_price: at(0.6),
    end_price: at(0.7),
    rung_count: 2,
    distribution: 'flat',
  };
  const twap = { ...common, size: 0.05, expected_price: at(1), duration_minutes: 5 };
  const ended = (await done(post('/v1/orders', resting))).id;
  await done({ method: 'DELETE', path: `/v1/orders/${ended}` });
  const taken = { ...resting, client_order_id: `${name}-taken` };
  const first = post('/v1/orders', taken);
  const working = (await done(first)).id;
  const endedLadder = (await done(post('/v1/scaled-orders', ladder))).id;
  await done({ method: 'DELETE', path: `/v1/scaled-orders/${endedLadder}` });
  const endedTwap = (await done(post('/v1/twap-orders', twap))).id;
  await done({ method: 'DELETE', path: `/v1/twap-orders/${endedTwap}` });
  await done(post('/v1/orders', { ...common, type: 'market', size: 0.02 }));
  const positions: Body[] = await done({ method: 'GET', path: `/v1/positions?account_id=${account_id}` });
  const { id: position, size } = positions.find((one) => one.market_id === market);
  const exits = (expected_position_size: number, price: number) => ({
    method: 'PUT',
    path: `/v1/positions/${position}/exit-orders`,
    body: {
      expected_position_size,
      expected_orders: [],
      operations: [{ kind: 'place', group: 'sl', price, size: 0.01 }],
    },
  });
  const order = `/v1/orders/${ended}`;
  return {
    'cancelOrder 404': { method: 'DELETE', path: '/v1/orders/nope' },
    'cancelOrder 409 order_terminal': { method: 'DELETE', path: order },
    'modifyOrder 400': { method: 'PATCH', path: `/v1/orders/${working}`, body: { price: -1 } },
    'modifyOrder 404': { method: 'PATCH', path: '/v1/orders/nope', body: { price: at(0.7) } },
    'modifyOrder 409 order_terminal': { method: 'PATCH', path: order, body: { price: at(0.7) } },
    'updateAttachedExits 409': { method: 'PUT', path: `${order}/attached-exits`, body: { stop_loss_price: at(0.5) } },
    'replacePositionExitOrders 404': { ...exits(size, at(0.9)), path: '/v1/positions/nope/exit-orders' },
    'replacePositionExitOrders 409 stale_snapshot': exits(size * 3, at(0.9)),
    'replacePositionExitOrders 422 exit-side': exits(size, at(1.3)),
    'closePosition 404': post('/v1/positions/nope/close', {}),
    'createOrder 400': post('/v1/orders', { ...resting, size: -1 }),
    'createOrder 404': post('/v1/orders', { ...resting, account_id: 'acc_nope' }),
    'createOrder 409 idempotency_conflict': { ...first, body: { ...taken, size: 0.02 } },
    'createOrder 409 client_order_id_conflict': post('/v1/orders', taken),
    'createOrder 422 insufficient-depth': post('/v1/orders', { ...common, type: 'market', size: 900 }),
    'createTwapOrder 422 slice-size': post('/v1/twap-orders', { ...twap, size: 0.005 }),
    'createScaledOrder 422 rung-size': post('/v1/scaled-orders', { ...ladder, size: 0.003, rung_count: 10 }),
    'cancelTwapOrder 404': { method: 'DELETE', path: '/v1/twap-orders/nope' },
    'cancelTwapOrder 409': { method: 'DELETE', path: `/v1/twap-orders/${endedTwap}` },
    'cancelScaledOrder 404': { method: 'DELETE', path: '/v1/scaled-orders/nope' },
    'cancelScaledOrder 409': { method: 'DELETE', path: `/v1/scaled-orders/${endedLadder}` },
    'cancelAllAccountOrders 404': { ...post('/v1/accounts/acc_nope/cancel-all-orders', {}), body: undefined },
    'getMarketQuote 404': { method: 'GET', path: '/v1/markets/nope%7CX/quote?side=buy&size=1' },
  };
}

/** Plain HTTP, as a stranger's program sends it. */
export function overHttp(url: string, credential: string): Way {
  return async ({ method, path, body, key }) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${credential}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
}

// Started by `perp sim run`, it prints what that simulation refuses.
if (process.argv[2] === '--print') {
  const { PERP_BASE_URL: url, PERP_API_KEY: key } = process.env;
  console.log(JSON.stringify([...(await refusals(overHttp(url!, key!), 'run'))]));
}
