import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quantity, signedUsd, usd } from '../../../src/base/text/format.ts';
import { steadyMs } from '../../../src/desk/ladder/price-ladder.ts';
import { draw } from '../../../src/exchange/engine/random.ts';
import { seed } from '../../seed.ts';
import { HostedDesk } from '../cli/hosted-desk.ts';
import { Emulator } from './emulator.ts';

const count = process.env.PERP_LONG === '1' ? 500 : 25;
const steps = 8;
const together = 5;
const withinMs = 30_000;

/** What the account and the market are as REST answers them, and how the screen has to write them. */
async function answered(desk: HostedDesk, account_id: string) {
  const { client } = desk;
  const path = { account_id };
  const [{ data: account }, { data: positions }, { data: orders }, { data: quote }] = await Promise.all([
    client.call('getAccount', { path }),
    client.call('listOpenPositions', { query: { account_id } }),
    client.call('listOrders', { query: { account_id, status: 'working' } }),
    client.call('getMarketQuote', { path: { market_id: 'binance|BTCUSDT' }, query: {} }),
  ]);
  return { account, positions, orders, quote };
}

const pause = () => new Promise((done) => setTimeout(done, 30));

/** One user at one screen. */
class Session {
  readonly #desk: HostedDesk;
  readonly #number: number;
  readonly #account: string;
  readonly #clock = { uptime: 1_000 };
  readonly screen = new Emulator(120, 40);
  readonly done = { placed: 0, dragged: 0, canceled: 0 };
  #draws = 0;
  #layout: 'off' | 'pane' | 'whole' = 'whole';
  #run: ReturnType<HostedDesk['perp']> | undefined;

  constructor(desk: HostedDesk, number: number, account: string) {
    this.#desk = desk;
    this.#number = number;
    this.#account = account;
  }

  #draw(below: number): number {
    return Math.floor(draw(seed, 'session', `${this.#number} ${this.#draws++}`) * below);
  }

  #oneOf<T>(all: readonly T[]): T {
    return all[this.#draw(all.length)]!;
  }

  async run(): Promise<void> {
    this.#run = this.#desk.perp(['--account', this.#account, 'ladder', 'BTC'], {
      terminal: true,
      screen: this.screen,
      variables: { LANG: 'C.UTF-8', PERP_SANDBOX_ACCOUNT_STREAM_URL: 'wss://host.example' },
      outside: { uptime: () => this.#clock.uptime },
    });
    try {
      await this.screen.shows(/connected[\s\S]*equity \d[\s\S]*ladder[\s\S]*\d\.\d/, withinMs);
      const acts = [this.#place, this.#drag, this.#cancel];
      for (let step = 0; step < steps; step++) {
        // Each session places, drags and cancels; what else happens is drawn.
        const act = step % 3 === 1 ? acts.shift() : undefined;
        await (
          act ?? this.#oneOf([this.#keys, this.#keys, this.#wheel, this.#resize, this.#advance, this.#otherLayout])
        ).call(this);
        await this.#agrees();
      }
    } finally {
      this.screen.press('escape', 'escape', 'escape', 'escape', 'q');
      await this.#run;
    }
  }

  /** No dialog, no page of keys, no panel on the whole screen, nothing picked up, no trading keys. */
  async #calm(): Promise<void> {
    this.screen.press('escape', 'escape', 'escape', 'escape');
    await this.screen.shows(/^\? help/m, withinMs);
  }

  async #keys(): Promise<void> {
    const keys = ['up', 'down', 'pageup', 'pagedown', 'g', 'G', '0', '=', 'f', 'w', 'k', 'j', '?', '/'];
    this.screen.press('t');
    for (let pressed = 0; pressed < 4; pressed++) this.screen.press(this.#oneOf(keys));
  }

  async #wheel(): Promise<void> {
    for (let turn = 0; turn < 3; turn++)
      this.screen.send(`\u001b[<${this.#oneOf([64, 65])};${1 + this.#draw(110)};${8 + this.#draw(20)}M`);
  }

  async #resize(): Promise<void> {
    this.screen.resize(80 + this.#draw(120), 24 + this.#draw(36));
  }

  async #advance(): Promise<void> {
    await this.#desk.advance(1_000 * (1 + this.#draw(20)));
  }

  /** The whole ladder on a large terminal, with trading keys. */
  async #ready(): Promise<void> {
    await this.#calm();
    this.screen.resize(120, 40);
    while (this.#layout !== 'whole') this.#nextLayout();
    this.screen.press('t');
    await this.screen.shows(/^BTC ladder {2}[\s\S]*TRADING/m, withinMs);
  }

  #nextLayout(): void {
    this.screen.press('L');
    this.#layout = ({ off: 'pane', pane: 'whole', whole: 'off' } as const)[this.#layout];
  }

  async #otherLayout(): Promise<void> {
    await this.#calm();
    this.#nextLayout();
  }

  async #confirmed(): Promise<void> {
    await this.screen.shows(/\(y\/N\)/, withinMs);
    this.screen.press('y');
    await this.screen.shows(/Any key goes back/, withinMs);
    this.screen.press('return');
  }

  async #typed(line: string): Promise<void> {
    this.screen.press(':', ...line, 'return');
    await this.#confirmed();
  }

  async #place(): Promise<void> {
    await this.#ready();
    const { quote } = await answered(this.#desk, this.#account);
    const limit = Math.round(quote.mid! * (0.99 - this.#draw(40) / 1000));
    await this.#typed(`order place BTC buy 0.0${1 + this.#draw(9)} --limit-price ${limit} --force`);
    this.done.placed++;
    if (this.#draw(2) === 0) await this.#typed(`order place BTC buy 0.02 --stop-loss 2% --force`);
  }

  /** Moves the own order by the mouse, wherever it is: the rows are as coarse as that needs. */
  async #drag(): Promise<void> {
    await this.#ready();
    // Centered, and finer or coarser, so no longer auto; then auto.
    this.screen.press('=', 'g', 'G', 'G', '0');
    const text = await this.screen.shows(/a row, auto[\s\S]*\nB0\.0\d/, withinMs);
    const row = text.split('\n').findIndex((line) => line.startsWith('B0.0')) + 1;
    this.#clock.uptime += 2 * steadyMs;
    const mouse = (button: number, at: number, isReleased = false) =>
      this.screen.send(`\u001b[<${button};2;${at}${isReleased ? 'm' : 'M'}`);
    mouse(0, row);
    await this.screen.shows(/m moves B0\.0/, withinMs);
    mouse(32, row + 1);
    mouse(0, row + 1, true);
    await this.#confirmed();
    this.done.dragged++;
  }

  async #cancel(): Promise<void> {
    await this.#ready();
    const { orders } = await answered(this.#desk, this.#account);
    await this.#typed(`order cancel ${orders.find(({ type }) => type === 'limit')!.id}`);
    this.done.canceled++;
  }

  /** Waits until every number on the screen is the one that REST answers. */
  async #agrees(): Promise<void> {
    await this.#calm();
    const deadline = performance.now() + withinMs;
    let wrong = ['nothing was compared'];
    while (wrong.length > 0) {
      const rest = await answered(this.#desk, this.#account);
      const lines = await this.screen.screen();
      wrong = differences(lines, rest);
      if (wrong.length > 0 && performance.now() > deadline)
        assert.fail(`session ${this.#number}: ${wrong.join('; ')}\n${lines.join('\n')}`);
      if (wrong.length > 0) await pause();
    }
  }
}

/** How much was compared, so that a test that sees nothing fails. */
const compared = { frames: 0, orders: 0, positions: 0 };

/** What on the screen is not what REST answers. */
function differences(lines: readonly string[], rest: Awaited<ReturnType<typeof answered>>): string[] {
  const { account, positions, orders, quote } = rest;
  const wrong: string[] = [];
  compared.frames++;
  // Fills are of earlier moments.
  const text = lines.filter((line) => !/^\d\d:\d\d:\d\d {2}/.test(line)).join('\n');
  const [, equity, pnl, balance] = /equity ([\d,.]+) {2}pnl ([-+\d,.]+) {2}balance ([\d,.]+)/.exec(text) ?? [];
  const unrealized = (account.risk?.equity ?? account.balance) - account.balance;
  const expect = (what: string, shown: string | undefined, wanted: string) => {
    if (shown !== wanted) wrong.push(`${what} ${shown} is not ${wanted}`);
  };
  expect('equity', equity, usd(account.risk?.equity ?? account.balance));
  expect('balance', balance, usd(account.balance));
  expect('pnl', pnl, Math.abs(unrealized) < 0.005 ? '0.00' : signedUsd(unrealized));
  const rooms = [account.risk?.daily_loss_room, account.risk?.max_drawdown_room].map((room) => usd(room!));
  const left = [...text.matchAll(/([\d,.]+)!* left/g)].map(([, room]) => room);
  if (left.length > 0 && left.join() !== rooms.join()) wrong.push(`rooms ${left} are not ${rooms}`);
  const [, mid] = /\[BTC (\d[\d.]*)/.exec(text) ?? [];
  if (mid !== undefined) expect('mid', mid, String(quote.mid));
  // Rows of the panels: market, side and size, then figures; nothing that is not there, and how many have no room.
  const held = [...text.matchAll(/(\w+) {2,}(long|short) {2,}([\d.]+)/g)].map(([, , side, size]) => `${side} ${size}`);
  const ofRest = positions.map(({ side, size }) => `${side} ${quantity(size)}`);
  for (const one of held) if (!ofRest.includes(one)) wrong.push(`position ${one} is not among ${ofRest}`);
  const asked = orders.map(
    ({ side, size, trigger_price: trigger, limit_price: limit }) =>
      `${side} ${quantity(size)} ${trigger === undefined ? '' : '@'}${quantity((trigger ?? limit)!)}`,
  );
  const inPanel = [...text.matchAll(/BTC {2,}(buy|sell) {2,}([\d.]+) {2,}(?:[a-z_]+(?: reduce)? {2,})?(@?[\d.]+)/g)];
  compared.orders += inPanel.length;
  compared.positions += held.length;
  const shown = inPanel.map(([, side, size, price]) => `${side} ${size} ${price}`);
  const isZoomedOut = /^ {0,3}ORDER|ORDER {2}/m.test(text);
  for (const one of shown) if (!asked.includes(one) && isZoomedOut) wrong.push(`order ${one} is not among ${asked}`);
  if (/No working orders/.test(text) && asked.length > 0) wrong.push('working orders are not shown');
  if (/No open positions/.test(text) && ofRest.length > 0) wrong.push('open positions are not shown');
  // Own orders on the ladder.
  const sizes = new Set(orders.map(({ size }) => quantity(size)));
  for (const [, size] of text.matchAll(/^(?:B|S|@)(\d[\d.]*)(?=[ <])/gm))
    if (!sizes.has(size!)) wrong.push(`order of ${size} on the ladder is not among ${[...sizes]}`);
  return wrong;
}

test(`${count} random sessions of keys, mouse, sizes and market: the screen is what REST answers, after each`, async () => {
  const total = { placed: 0, dragged: 0, canceled: 0 };
  for (let first = 0; first < count; first += together) {
    const sessions = Array.from({ length: Math.min(together, count - first) }, async (_, at) => {
      using desk = await HostedDesk.open({ seed: seed * 10_000 + first + at + 1, accounts: 1 });
      const [account] = (await desk.client.call('listAccounts', {})).data;
      const session = new Session(desk, first + at, account!.id);
      await session.run();
      for (const [name, times] of Object.entries(session.done)) total[name as keyof typeof total] += times;
    });
    await Promise.all(sessions);
  }
  assert.deepEqual(total, { placed: count, dragged: count, canceled: count });
  const { frames, orders, positions } = compared;
  assert.ok(
    frames >= steps * count && orders >= count && positions > 0,
    `${frames} frames, ${orders} orders, ${positions} positions`,
  );
});
