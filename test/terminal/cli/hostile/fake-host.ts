import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Account, AccountTradingPolicy, CopyTradingConfiguration } from '../../../../src/wire/contract/accounts.ts';
import { ApiInformation, RestrictedCountry } from '../../../../src/wire/contract/general.ts';
import { Market, Quote } from '../../../../src/wire/contract/markets.ts';
import type { Operation } from '../../../../src/wire/contract/operation.ts';
import { operations } from '../../../../src/wire/contract/operations.ts';
import { Order } from '../../../../src/wire/contract/orders.ts';
import { Position } from '../../../../src/wire/contract/positions.ts';
import type { ObjectSchema, Schema } from '../../../../src/wire/contract/schema.ts';
import { ScaledOrder, TwapOrder } from '../../../../src/wire/contract/strategies.ts';
import { Router } from '../../../../src/wire/contract/target.ts';
import { aLadder, anOrder, aPosition, aTwap, writeAnswers } from '../../../wire/client/write-answers.ts';

/** A host's answer: a status, and a body or its text. */
export interface HostAnswer {
  status: number;
  body: unknown;
}

/**
 * A host's answer to an operation, given the correct answer; 'cut' ends the connection, undefined is no answer at all.
 */
export type Behavior = (id: string, honest: HostAnswer) => HostAnswer | 'cut' | undefined | Promise<HostAnswer>;

const router = new Router<Operation>(Object.values(operations));
const time = 1_763_000_000_000;

const risk = {
  observed_at: time,
  marks_complete: false,
  missing_markets: ['bybit|XRPUSDT'],
  equity: 100_000,
  unrealized_pnl: 5,
  margin_used: 5,
  available_balance: 90_000,
  gross_exposure: 5,
  daily_loss_floor: 97_000,
  max_drawdown_floor: 95_000,
  daily_loss_room: 3_000,
  max_drawdown_room: 5_000,
  remaining_profit: 9_000,
  requirements: {
    daily_loss_pct: 3,
    max_drawdown_pct: 5,
    profit_target_pct: 9,
    consistency_pct: 30,
    minimum_trading_days: 3,
  },
};

const account = {
  id: 'acc_1',
  account_number: '1',
  name: 'Challenge 1',
  stage: 'evaluation',
  status: 'active',
  starting_balance: 100_000,
  balance: 100_000,
  created_at: time,
  risk,
};

const policy = {
  account_id: 'acc_1',
  stage: 'evaluation',
  status: 'active',
  manual_trading_blocked: true,
  opening_exposure_restricted: true,
  payout_pending: true,
  copy_follower_locked: true,
  copy_scope_blocked: true,
  fee_exempt: true,
  restriction: { restriction: 'reduce_only', reason: 'none', flagged_at: time },
  copy_stop: { stopped_at: time, completed_at: time, acknowledged_at: null, reason: 'none' },
  competition: { opening_exposure_restricted: true, market_allowlist: ['binance|BTCUSDT'] },
  trading_halt: { platform: true, categories: ['crypto'] },
  limits: { trades_per_minute: 5, max_position_value_usd: 5_000, maintenance_margin_ratio_bps: 100 },
  unlimited_trade_count_threshold: 5,
  slippage_tolerance_bps: { min: 1, max: 250, market_order_maximum_by_provider: { binance: 100 } },
  account_rules: [{ id: 'profit-target', parameters: { pct: 9 } }],
  maximum_total_notional_usd: 5_000,
};

const market = {
  market_id: 'binance|BTCUSDT',
  provider: 'binance',
  symbol: 'BTC',
  coin: 'BTCUSDT',
  size_decimals: 3,
  max_leverage: 10,
  market_type: 'perp',
  category: 'crypto',
  trading_enabled: true,
  reduce_only: false,
};

const quote = {
  status: 'ok',
  market_id: 'binance|BTCUSDT',
  provider: 'binance',
  symbol: 'BTC',
  coin: 'BTCUSDT',
  bid: 60_000,
  ask: 60_001,
  mid: 60_000.5,
  time,
  fillable: true,
  unfillable_reason: 'insufficient_depth',
  requested_side: 'buy',
  requested_size: 1,
  reference_price: 60_000,
  reference_kind: 'book_mid',
  reference_time: time,
  estimated_fill_price: 60_001,
  worst_price: 60_002,
  estimated_notional: 60_001,
  estimated_fee: 18,
  fee_bps: 3,
  levels_consumed: 2,
};

const group = {
  config_id: 'copy_1',
  enabled: true,
  source_account_id: 'acc_1',
  targets: [{ account_id: 'acc_2', multiplier_bps: 10_000 }],
  policy_version: 1,
  updated_at: time,
  stopped_at: time,
  stop_reason: 'none',
  stopped_completed_at: time,
  stop_cleanup_pending: true,
};

/** A resource of each kind that reads answer with. */
const samples = new Map<Schema, unknown>([
  [ApiInformation, { name: 'api', version: '1', environment: 'live', documentation: 'https://x.example' }],
  [RestrictedCountry, { country: 'KP' }],
  [Account, account],
  [AccountTradingPolicy, policy],
  [Market, market],
  [Quote, quote],
  [Position, aPosition],
  [Order, anOrder],
  [TwapOrder, aTwap],
  [ScaledOrder, aLadder],
  [CopyTradingConfiguration, group],
]);

/** The answer to a read; undefined: to no operation, or to one whose kind of answer has no sample. */
function readAnswer(id: string): unknown {
  const operation: Operation | undefined = operations[id as 'getOrder'];
  const { data, has_more } = (operation?.responses[200]?.schema as ObjectSchema | undefined)?.properties ?? {};
  if (data === undefined) return undefined;
  const row = samples.get(data.items ?? data);
  if (row === undefined) return undefined;
  // One order is shown as nobody has asked to cancel it.
  if (data === Order) return { data: { ...anOrder, cancel_requested_at: undefined } };
  return data.items === undefined ? { data: row } : { data: [row], ...(has_more && { has_more: false }) };
}

/** A host that answers every operation correctly, until a test changes its behavior. */
export class FakeHost {
  behave: Behavior = (_, honest) => honest;
  /** Requested operations, in order. */
  asked: string[] = [];
  readonly #server: http.Server;

  private constructor(server: http.Server) {
    this.#server = server;
    server.on('request', (request, response) => this.#serve(request, response));
  }

  static async open(): Promise<FakeHost> {
    const server = http.createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeHost(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(request: http.IncomingMessage, response: http.ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const { operation } = router.find(request.method!, new URL(request.url!, 'http://x').pathname);
      const id = operation?.id ?? 'none';
      this.asked.push(id);
      const answer = await this.behave(id, honestAnswer(id, Buffer.concat(chunks).toString()));
      if (answer === 'cut') request.socket.destroy();
      if (answer === undefined || answer === 'cut') return;
      const { status, body } = answer;
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': randomUUID() });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  }
}

function honestAnswer(id: string, sent: string): HostAnswer {
  const write = writeAnswers[id];
  if (write === undefined) {
    const body = readAnswer(id);
    return body === undefined ? { status: 404, body: { error: { code: 'not_found' } } } : { status: 200, body };
  }
  const asked = sent === '' ? {} : (JSON.parse(sent) as Record<string, unknown>);
  const { client_order_id, side, size, type } = asked;
  const own: Record<string, unknown> =
    id === 'createOrder' || id === 'closePosition'
      ? { client_order_id, mode: type, ...(id === 'createOrder' ? { side } : {}) }
      : {};
  const sized = write.size === undefined || size === undefined ? {} : { [write.size]: size };
  const status = operations[id as 'createOrder'].responses[201] === undefined ? 200 : 201;
  return { status, body: { data: { ...write.data, ...own, ...sized } } };
}
