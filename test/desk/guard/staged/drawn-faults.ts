import type { Chance } from '../../../exchange/engine/chance.ts';
import type { Mishap, StagedHost, StreamMishaps } from './staged-host.ts';

/** A fault between two virtual times, ms. */
export interface Fault {
  words: string;
  from: number;
  to: number;
  /** Whether it can keep the host from accepting any close, and the guard from knowing that one is due. */
  blocks: { closing: boolean; knowing: boolean };
  mishap?: (id: string, target: string, chance: Chance) => Mishap | undefined;
  streams?: StreamMishaps;
  /** What happens once, when it begins. */
  begins?: (world: FaultWorld) => void;
  ends?: (world: FaultWorld) => void;
}

/** What faults may change. */
export interface FaultWorld {
  host: StagedHost;
  /** Makes every write below the state folder fail with this code, or only those into open files; undefined: none. */
  disk(code: 'ENOSPC' | 'EACCES' | 'EIO' | undefined, opensFiles?: boolean): void;
  /** How long the alert program takes, ms. */
  setAlertMs(ms: number): void;
  /** Puts a folder where the lock or the state should be written. */
  occupy(what: 'lock' | 'state'): void;
  /** Sets this machine's clock off, ms. */
  setClock(off: number): void;
}

const page = '<!doctype html><title>Bad gateway</title>';
const statuses = [400, 401, 403, 404, 408, 409, 410, 418, 422, 425, 429, 451, 500, 502, 503, 504] as const;
const garbage = [
  undefined,
  null,
  [],
  {},
  'text',
  { data: null },
  { data: [null] },
  { data: [{}] },
  { data: {} },
] as const;
const readIds = ['getAccount', 'listOpenPositions', 'getMarketQuote', 'listMarkets', 'listAccounts'] as const;
const writeIds = [
  'closePosition',
  'createOrder',
  'closeAllAccountPositions',
  'cancelOrder',
  'cancelTwapOrder',
] as const;
const flattenIds = ['listOrders', 'listActiveTwapOrders'] as const;
const allIds = [...readIds, ...writeIds, ...flattenIds];

/** Faults of one trial: one to three, some of them lasting. */
export function drawFaults(chance: Chance, due: number): Fault[] {
  const count = chance.pick([1, 1, 2, 2, 3]);
  return Array.from({ length: count }, () => drawFault(chance, due));
}

function drawFault(chance: Chance, due: number): Fault {
  const from = Math.max(2_000, due - 15_000 + chance.between(0, 20_000));
  const to = from + chance.between(500, 40_000);
  return chance.pick([
    drawRequests,
    drawRequests,
    drawEndpoint,
    drawEndpoint,
    drawOnce,
    drawStreams,
    drawFiles,
    drawClock,
    drawRestart,
    drawPosition,
    drawProgram,
  ])(chance, { from, to });
}

type Times = Pick<Fault, 'from' | 'to'>;

/** Something in front of the host, or the host itself, fails all requests, reads or writes. */
function drawRequests(chance: Chance, times: Times): Fault {
  const scope = chance.pick(['all', 'reads', 'writes'] as const);
  const [words, draw] = drawMishap(chance);
  const isHit = (id: string) => scope === 'all' || writeIds.some((write) => write === id) === (scope === 'writes');
  return {
    ...times,
    words: `${scope}: ${words}`,
    blocks: { closing: scope !== 'reads', knowing: scope !== 'writes' },
    mishap: (id) => (isHit(id) ? draw() : undefined),
  };
}

/** One endpoint is down, for good or for a while. */
function drawEndpoint(chance: Chance, times: Times): Fault {
  const id = chance.pick(allIds);
  const [words, draw] = drawMishap(chance);
  const isLasting = chance.chance(0.5);
  return {
    from: times.from,
    to: isLasting ? Number.POSITIVE_INFINITY : times.to,
    words: `${id}${isLasting ? ' for good' : ''}: ${words}`,
    blocks: { closing: false, knowing: false },
    mishap: (one) => (one === id ? draw() : undefined),
  };
}

/** Single requests fail, at random. */
function drawOnce(chance: Chance, times: Times): Fault {
  const share = chance.pick([0.05, 0.2, 0.5]);
  const [words, draw] = drawMishap(chance);
  const passes = chance.between(0, 1) === 0 ? undefined : chance.pick(allIds);
  return {
    ...times,
    words: `${share * 100}% of ${passes ?? 'all requests'}: ${words}`,
    blocks: { closing: share === 0.5, knowing: share === 0.5 },
    mishap: (id) => ((passes === undefined || id === passes) && chance.chance(share) ? draw() : undefined),
  };
}

function drawMishap(chance: Chance): [words: string, draw: () => Mishap] {
  const isDone = chance.chance(0.5);
  const status = chance.pick(statuses);
  const said = { error: { code: 'staged', message: 'staged', request_id: 'req_1' } };
  const body = chance.pick(garbage);
  const ms = chance.between(1_000, 6_000);
  return chance.pick<[string, () => Mishap]>([
    [`${status}`, () => ({ kind: 'status', status, body: said })],
    [
      `${status} with a page`,
      () => ({ kind: 'status', status, body: undefined, headers: { 'content-type': 'text/html', page } }),
    ],
    [`429 for a minute`, () => ({ kind: 'status', status: 429, body: said, headers: { 'retry-after': '60' } })],
    [`200 with ${JSON.stringify(body)}`, () => ({ kind: 'status', status: 200, body })],
    [`hangs${isDone ? ', done' : ''}`, () => ({ kind: 'hang', isDone })],
    [`cut${isDone ? ', done' : ''}`, () => ({ kind: 'cut', isDone })],
    ['refuses connections', () => ({ kind: 'refused' })],
    [`takes ${ms} ms`, () => ({ kind: 'slow', ms })],
  ]);
}

function drawStreams(chance: Chance, times: Times): Fault {
  const path = chance.pick(['/v1/market-data', '/v1/stream', undefined]);
  const isHit = (one: string) => path === undefined || one === path;
  const isLasting = chance.chance(0.4);
  const bad = chance.pick([
    'null',
    '{',
    '[]',
    '{"op":"events","sub":"sub_1","events":[null]}',
    '{"type":"fill"}',
    '""',
  ]);
  const [words, streams] = chance.pick<[string, StreamMishaps]>([
    ['silent', { frame: (one) => (isHit(one) ? [] : undefined) }],
    ['BTC stands still', { frame: (_, frame) => (JSON.stringify(frame).includes('BTCUSDT') ? [] : undefined) }],
    [`sends ${bad}`, { frame: (one) => (isHit(one) && chance.chance(0.3) ? [bad] : undefined) }],
    ['refused with 404', { refused: (one) => (isHit(one) ? { status: 404 } : undefined) }],
    ['never opens', { refused: (one) => (isHit(one) ? null : undefined) }],
  ]);
  return {
    from: times.from,
    to: isLasting ? Number.POSITIVE_INFINITY : times.to,
    words: `${path ?? 'both streams'}: ${words}`,
    blocks: { closing: false, knowing: false },
    streams,
    begins: ({ host }) => host.loseStreams(),
  };
}

function drawFiles(chance: Chance, times: Times): Fault {
  const code = chance.pick(['ENOSPC', 'EACCES', 'EIO'] as const);
  const what = chance.pick(['lock', 'state', undefined] as const);
  const isLasting = chance.chance(0.5);
  const opensFiles = chance.chance(0.5);
  return {
    from: chance.chance(0.3) ? 0 : times.from,
    to: isLasting ? Number.POSITIVE_INFINITY : times.to,
    words:
      what === undefined ? `disk: ${code}${opensFiles ? ' in open files' : ''}` : `a folder in place of the ${what}`,
    blocks: { closing: false, knowing: false },
    begins: (world) => (what === undefined ? world.disk(code, opensFiles) : world.occupy(what)),
    ends: (world) => world.disk(undefined),
  };
}

function drawClock(chance: Chance, times: Times): Fault {
  const off = chance.pick([-86_400_000, -3_600_000, -5_000, 5_000, 3_600_000, 86_400_000]);
  return {
    ...times,
    words: `clock ${off / 1000}s off`,
    blocks: { closing: false, knowing: false },
    begins: (world) => world.setClock(off),
    ends: (world) => world.setClock(0),
  };
}

/** The host is down and comes back without its keys. */
function drawRestart(_: Chance, times: Times): Fault {
  return {
    ...times,
    words: 'the host restarts',
    blocks: { closing: true, knowing: true },
    mishap: () => ({ kind: 'refused' }),
    streams: { refused: () => ({}) },
    begins: ({ host }) => host.restart(),
  };
}

/** The close of one position, by its id, fails for good: no other waits for it. */
function drawPosition(chance: Chance, { from }: Times): Fault {
  const id = `pos_${chance.between(1, 2)}`;
  const [words, draw] = drawMishap(chance);
  return {
    from,
    to: Number.POSITIVE_INFINITY,
    words: `${id} for good: ${words}`,
    blocks: { closing: false, knowing: false },
    mishap: (one, target) => (one === 'closePosition' && target.includes(`${id}/`) ? draw() : undefined),
  };
}

/** The alert program hangs until it is killed. */
function drawProgram(_: Chance, times: Times): Fault {
  return {
    ...times,
    words: 'the alert program hangs',
    blocks: { closing: false, knowing: false },
    begins: (world) => world.setAlertMs(10_000),
    ends: (world) => world.setAlertMs(5),
  };
}
