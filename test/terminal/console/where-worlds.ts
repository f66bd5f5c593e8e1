import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServeOptions, serve } from '../../../src/service/serve.ts';
import { beginning } from '../../seed.ts';
import { Desk, type Run } from '../cli/practice.ts';

/** One way in which a command can be connected, and the name that everything must say then. */
export interface World extends AsyncDisposable {
  desk: Desk;
  /** `SIM default, synthetic`, `SANDBOX`, `LIVE 127.0.0.1:1234 acc_1 (a simulation, …)`. */
  name: string;
  /** What the line of text for people begins with. */
  shown: string;
  variables: Record<string, string>;
  isSimulation: boolean;
  ids: Record<string, string>;
  /** The account in use, and another one of the same owner. */
  accounts: [own: string, other: string];
  perp(argv: readonly string[], terminal?: Parameters<Desk['perp']>[1]): Promise<Run>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the commands print.
  json(...argv: string[]): Promise<any>;
}

type Setting = (
  served: (options: Partial<ServeOptions>, folder?: Desk) => ReturnType<typeof serve>,
  desk: Desk,
) => Promise<{
  name: string;
  variables?: Record<string, string>;
}>;

/** The six ways: name of the simulation or host, and what runs beside it. */
export const settings: Record<string, Setting> = {
  embedded: async () => ({ name: 'SIM default, synthetic' }),
  'served same': async (served) => {
    await served({ state: 'default' });
    return { name: 'SIM default, synthetic' };
  },
  'served other': async (served) => {
    await served({ state: 'other' });
    return { name: 'SIM default, synthetic' };
  },
  'two served, one in use': async (served) => {
    await served({ state: 'one' });
    // In use on a terminal only, so that PERP_STATE decides for the runs without one.
    (await served({ state: 'two' })).putInUse();
    return { name: 'SIM two, synthetic', variables: { PERP_STATE: 'two' } };
  },
  live,
  'sandbox, as a profile': sandbox,
};

/** A service of somebody else's, used as the live host. */
async function live(served: Parameters<Setting>[0]) {
  const theirs = new Desk();
  const { baseUrl } = await served({ state: 'host' }, theirs);
  const { api_key: key } = await theirs.json('sim', 'key', 'add', '--state', 'host');
  const stream = baseUrl.replace('http', 'ws');
  const variables = {
    PERP_ENV: 'live',
    PERP_API_KEY: key,
    PERP_BASE_URL: baseUrl,
    PERP_MARKET_STREAM_URL: stream,
    PERP_ACCOUNT_STREAM_URL: stream,
  };
  return { name: `LIVE ${new URL(baseUrl).host}`, variables };
}

/** One used as the sandbox, by a profile that says everything about it. */
async function sandbox(served: Parameters<Setting>[0], desk: Desk) {
  const theirs = new Desk();
  const { sandboxUrl } = await served({ state: 'host' }, theirs);
  const { api_key: key } = await theirs.json('sim', 'key', 'add', '--state', 'host', '--sandbox');
  const stream = sandboxUrl.replace('http', 'ws');
  const file = join(desk.folder, 'prop.key');
  writeFileSync(file, key, { mode: 0o600 });
  const addresses = ['--base-url', sandboxUrl, '--market-stream-url', stream, '--account-stream-url', stream];
  await desk.json('profile', 'add', 'prop', '--env', 'sandbox', '--api-key-file', file, ...addresses);
  return { name: 'SANDBOX, profile prop', variables: { PERP_PROFILE: 'prop' } };
}

/** Opens one of the worlds, with two accounts. */
export async function worldOf(setting: Setting): Promise<World> {
  // Undone here if the world can't be opened, else by its owner.
  await using started = new AsyncDisposableStack();
  const undo = started;
  const desk = undo.use(new Desk());
  const served = async (options: Partial<ServeOptions>, folder = desk) => {
    if (folder !== desk) undo.use(folder);
    const stateDir = join(folder.folder, 'state');
    const ports = { port: 0, sandboxPort: 0, rateLimit: 'off', drainMs: 0 } as const;
    const host = await serve({ stateDir, beginning, accounts: 2, ...ports, ...options });
    undo.defer(() => host.stop());
    return host;
  };
  const { name, variables = {} } = await setting(served, desk);
  const isSimulation = name.startsWith('SIM');
  const perp: World['perp'] = (argv, terminal = {}) =>
    desk.perp(argv, { ...terminal, variables: { ...own, ...terminal.variables } });
  let own: Record<string, string> = variables;
  if (name.startsWith('SIM default')) {
    const made = await perp(['sim', 'reset', '--accounts', '2', '--yes', '--json']);
    assert.ok(made.exit === 0 || made.exit === 6, made.err);
  }
  const json: World['json'] = async (...argv) => {
    const run = await perp([...argv, '--json']);
    assert.equal(run.exit, 0, `${argv.join(' ')}: ${run.err}`);
    return run.json;
  };
  const [first, second] = await json('accounts');
  own = { ...variables, PERP_ACCOUNT: first.id };
  const isLive = name.startsWith('LIVE');
  // The host is a simulation, too, and its answers say so.
  const live = `${name} ${first.id} (a simulation, synthetic)`;
  const opened = started.move();
  return {
    desk,
    name: isLive ? live : name,
    shown: isLive ? `*** ${name}` : name,
    variables: own,
    isSimulation,
    ids: {},
    accounts: [first.id, second.id],
    perp,
    json,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** A command line; what it needs is made first. */
export type Line = (world: World, round: number) => Promise<string> | string;

/** The id of what was made last, also after it has ended. */
const idOf = (noun: 'twap' | 'scaled') => async (world: World) => {
  const [latest] = await world.json(noun, 'list');
  if (latest !== undefined) world.ids[noun] = latest.id;
  return world.ids[noun]!;
};
const twapId = idOf('twap');
const ladderId = idOf('scaled');
const groupId = async (world: World) => (await world.json('copy'))[0].config_id as string;

/** Every write, in an order in which each one prepares the next. */
export const writes: [path: string, line: Line][] = [
  [
    'order place',
    (_, n) => `order place BTC buy 0.01 --limit-price 20000 --stop-loss 19000 --client-order-id bid-${n}`,
  ],
  [
    'api',
    ({ accounts: [account] }, n) =>
      `api POST /v1/orders --body ${JSON.stringify({ account_id: account, market_id: 'binance|BTCUSDT', type: 'limit', side: 'buy', size: 0.01, limit_price: 20000 + n, leverage: 1, margin_mode: 'cross' })}`,
  ],
  ['order amend', (_, n) => `order amend bid-${n} --price 20001`],
  ['order exits', (_, n) => `order exits bid-${n} --stop-loss 18900`],
  ['order cancel', (_, n) => `order cancel bid-${n}`],
  ['order place', () => 'order place ETH buy 1 --leverage 2 --margin isolated --stop-loss 5%'],
  ['stop', () => 'stop ETH 4%'],
  ['target', () => 'target ETH 3%'],
  ['plan apply', () => 'plan ETH 50%@6%'],
  ['positions exits', () => 'positions exits ETH --take-profit 4%'],
  ['positions margin', (_, n) => `positions margin ETH ${n + 10}`],
  ['reverse', () => 'reverse ETH --stop-loss 5%'],
  ['positions close', () => 'positions close ETH --size 50%'],
  ['twap place', () => 'twap place BTC buy 0.05 --duration 5m'],
  ['twap cancel', async (world) => `twap cancel ${await twapId(world)}`],
  ['scaled place', () => 'scaled place BTC buy 0.05 --from 20000 --to 19000 --rungs 2'],
  ['scaled cancel', async (world) => `scaled cancel ${await ladderId(world)}`],
  ['copy save', ({ accounts: [lead, follower] }) => `copy save --lead ${lead} --follower ${follower}`],
  ['copy enable', async (world) => `copy enable ${await groupId(world)}`],
  ['copy disable', async (world) => `copy disable ${await groupId(world)}`],
  ['copy delete', async (world) => `copy delete ${await groupId(world)}`],
  ['flatten', () => 'flatten'],
  ['order place', () => 'order place BTC buy 0.01'],
  ['flatten', () => 'flatten --all-accounts'],
  ['cancel-all', () => 'cancel-all'],
  ['close-all', () => 'close-all'],
];

const keyId = async (world: World) => (await world.json('sim', 'key', 'list'))[0].id as string;

/** Writes of the simulation's own, which a host does not have. */
export const simulationWrites: [path: string, line: Line][] = [
  ['sim policy', () => 'sim policy --marks book'],
  ['sim key add', () => 'sim key add'],
  ['sim key expire', async (world) => `sim key expire ${await keyId(world)} --in 10m`],
  ['sim key revoke', async (world) => `sim key revoke ${await keyId(world)}`],
  ['sim pause', () => 'sim pause'],
  ['sim advance', () => 'sim advance 1s'],
  ['sim resume', () => 'sim resume'],
];

/** Writes that are refused, most of them by the service. */
export const refusedWrites: [path: string, line: string][] = [
  ['order place', 'order place BTC buy 5000 --force'],
  ['order place', 'order place NOSUCH buy 1'],
  ['order amend', 'order amend nope --price 20000'],
  ['order exits', 'order exits nope --stop-loss 18900'],
  ['order cancel', 'order cancel nope'],
  ['api', 'api DELETE /v1/orders/nope'],
  ['stop', 'stop BTC entry'],
  ['target', 'target BTC 3%'],
  ['positions exits', 'positions exits pos_none --stop-loss 1%'],
  ['positions margin', 'positions margin pos_none 10'],
  ['positions close', 'positions close pos_none'],
  ['reverse', 'reverse BTC'],
  ['twap place', 'twap place BTC buy 900000 --duration 5m --force'],
  ['twap cancel', 'twap cancel twap_none'],
  ['scaled place', 'scaled place BTC buy 900000 --from 20000 --to 19000 --rungs 2 --force'],
  ['scaled cancel', 'scaled cancel scaled_none'],
  ['copy save', 'copy save --lead acc_none --follower acc_none'],
  ['copy enable', 'copy enable copy_none'],
  ['copy disable', 'copy disable copy_none'],
  ['copy delete', 'copy delete copy_none --yes'],
  ['accounts acknowledge-copy-stop', 'accounts acknowledge-copy-stop'],
  ['cancel-all', 'cancel-all --yes --account acc_none'],
  ['close-all', 'close-all --yes --account acc_none'],
  ['flatten', 'flatten --yes --account acc_none'],
];

/** Every read that takes its answer from one place. */
export const reads: [path: string, line: Line][] = [
  ['markets list', () => 'markets'],
  ['markets show', () => 'markets show BTC'],
  ['quote', () => 'quote BTC --side buy --size 0.1'],
  ['quote', () => 'quote BTC ETH'],
  ['candles', () => 'candles BTC --limit 3'],
  ['chart', () => 'chart BTC --height 8'],
  ['whoami', () => 'whoami'],
  ['accounts list', () => 'accounts'],
  ['accounts show', () => 'accounts show'],
  ['accounts policy', () => 'accounts policy'],
  ['positions list', () => 'positions'],
  ['positions list', () => 'positions --closed'],
  ['positions show', async (world) => `positions show ${(await world.json('positions', '--closed'))[0].id}`],
  ['order list', () => 'order list'],
  ['order list', () => 'order list --ended'],
  ['order show', (_, n) => `order show bid-${n}`],
  ['fills', () => 'fills --limit 3'],
  ['twap list', () => 'twap list'],
  ['twap show', async (world) => `twap show ${await twapId(world)}`],
  ['scaled list', () => 'scaled list'],
  ['scaled show', async (world) => `scaled show ${await ladderId(world)}`],
  ['copy list', () => 'copy list'],
  ['journal list', () => 'journal'],
  ['journal show', async (world) => `journal show ${(await world.json('journal'))[0].position_id}`],
  ['journal tag', async (world) => `journal tag ${(await world.json('journal'))[0].position_id} tried`],
  ['day', () => 'day'],
  ['odds', () => 'odds'],
  ['pnl', () => 'pnl'],
  ['report', (world, n) => `report --out ${join(world.desk.folder, `report-${n}.html`)} --force`],
  ['guard status', () => 'guard status'],
  ['api', () => 'api /v1/accounts'],
  ['wait', () => 'wait SOL flat'],
];

/** Reads that continue, and say it first; together they take as long as one of them. */
export const streams: [path: string, line: string][] = [
  ['stream trades', 'stream trades BTC --max-events 1'],
  ['stream books', 'stream books BTC --max-events 1'],
  ['stream ticks', 'stream ticks BTC --max-events 1'],
  ['stream account', 'stream account --for 1500ms'],
  ['watch', 'watch BTC --for 1500ms'],
  ['ladder', 'ladder BTC --for 1500ms'],
];

export const simulationReads: [path: string, line: Line][] = [
  ['sim status', () => 'sim status'],
  ['sim policy', () => 'sim policy'],
  ['sim key list', () => 'sim key list'],
  ['order explain', (_, n) => `order explain bid-${n}`],
];

/** Commands that go to no place, to several, or are tried on their own. */
export const elsewhere = [
  ...['approve', 'audit show', 'audit verify'],
  ...[
    'accounts use',
    'batch',
    'completion',
    'config get',
    'config list',
    'config rm',
    'config set',
    'doctor',
    'login',
    'logout',
  ],
  ...['gate flatten', 'gate key add', 'gate key list', 'gate key revoke', 'gate log', 'gate resume', 'gate serve'],
  ...['gate status', 'gate stop'],
  ...['lab compare', 'lab merge', 'lab report', 'lab run', 'lab trials', 'lab show'],
  ...['guard add', 'guard rules', 'guard run', 'guard unlock', 'journal note', 'journal one-r'],
  ...['mandate check', 'mandate add', 'mandate show', 'mandate sign', 'mcp'],
  ...['plan list', 'plan rm', 'plan set', 'plan show', 'practice', 'schema', 'sdk link'],
  ...['profile add', 'profile list', 'profile rm', 'profile show', 'profile use'],
  ...['pending list', 'pending resume', 'sim bookmarks add', 'sim bookmarks rm', 'sim bookmarks list', 'sim check'],
  ...['sim feeds', 'sim fund', 'sim import', 'sim markets stats', 'sim merge', 'sim record', 'sim reset', 'sim serve'],
  ...[
    'sim export',
    'sim run',
    'sim tapes cat',
    'sim tapes list',
    'sim tapes slice',
    'sim tapes verify',
    'sim use',
    'sim weather',
  ],
  ...['stream candles', 'stream stats', 'tour', 'version'],
];
