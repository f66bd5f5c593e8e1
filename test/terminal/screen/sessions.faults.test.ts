import assert from 'node:assert/strict';
import { test } from 'node:test';
import { steadyMs } from '../../../src/desk/ladder/price-ladder.ts';
import { draw } from '../../../src/exchange/engine/random.ts';
import type { TradeEvent } from '../../../src/wire/contract/streams.ts';
import { seed } from '../../seed.ts';
import { HostedDesk } from '../cli/hosted-desk.ts';
import { answered, compared, differences, differencesFrom, intervalsOn, said } from './agreement.ts';
import { Emulator } from './emulator.ts';

const count = process.env.PERP_LONG === '1' ? 500 : 25;
const steps = 8;
const together = 5;
const withinMs = 120_000;
/** So often the screen may not have caught up, with a pause between. */
const mostLooks = 150;
/** What every run compares. */
const figures = [
  ...['clock', 'equity', 'pnl', 'balance', 'available', 'day', 'fills of the day', 'target', 'mid', 'room in R'],
  ...['daily loss left', 'daily loss used', 'daily loss floor', 'drawdown left', 'drawdown used', 'drawdown floor'],
  ...['position SIZE', 'position ENTRY', 'position PNL', 'position STOP', 'position TARGET', 'position RISK'],
  ...['order ORDER', 'order AWAY', 'fill SIZE', 'fill PRICE', 'fill FEE', 'spread', 'book price', 'book size'],
  ...["ladder's bid", "ladder's ask", "ladder's prints", "ladder's lines", "ladder's orders"],
  ...['close', 'range of the chart', 'last of the chart', 'entry of the chart', 'order of the chart'],
  ...['print', "ladder's mark of prints", 'what has no stop', 'end of the day'],
  ...['mark of an own price', 'own price in the book', 'fills of the chart'],
];

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
  readonly #prints: readonly TradeEvent[];
  #run: ReturnType<HostedDesk['perp']> | undefined;

  constructor(desk: HostedDesk, number: number, account: string) {
    this.#desk = desk;
    this.#number = number;
    this.#account = account;
    this.#prints = desk.prints('BTCUSDT');
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
      const acts = [this.#place, this.#everything, this.#drag, this.#cancel];
      for (let step = 0; step < steps; step++) {
        // Each session places, sees everything, drags and cancels; what else happens is drawn.
        const act = step % 2 === 1 ? acts.shift() : undefined;
        await (
          act ??
          this.#oneOf([
            this.#keys,
            this.#wheel,
            this.#resize,
            this.#advance,
            this.#otherLayout,
            this.#interval,
            this.#zoom,
          ])
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
    // Every third is wide enough for everything of the market.
    if (this.#draw(3) === 0) this.screen.resize(160 + this.#draw(60), 62 + this.#draw(20));
    else this.screen.resize(50 + this.#draw(110), 14 + this.#draw(50));
  }

  /** Everything of the market, with its prints. */
  async #everything(): Promise<void> {
    await this.#calm();
    while (this.#layout !== 'off') this.#nextLayout();
    this.screen.resize(180 + this.#draw(40), 62 + this.#draw(20));
    await this.screen.shows(/PRINTS/, withinMs);
    await this.#advance();
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

  async #interval(): Promise<void> {
    await this.#calm();
    this.screen.press(this.#oneOf(['[', ']', ']']));
  }

  /** A panel on the whole screen, which is compared, too. */
  async #zoom(): Promise<void> {
    await this.#calm();
    for (let pressed = this.#draw(3); pressed >= 0; pressed--) this.screen.press('w');
    await this.#compare();
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
    const { quote, book } = await answered(this.#desk, this.#account);
    const limit = Math.round(quote.mid! * (0.99 - this.#draw(40) / 1000));
    await this.#typed(`order place BTC buy 0.0${1 + this.#draw(9)} --limit-price ${limit} --force`);
    this.done.placed++;
    // One where the book is, too.
    const near = book.bids[this.#draw(4)]![0]!;
    await this.#typed(`order place BTC buy 0.01 --limit-price ${near} --force`);
    const exits = this.#oneOf(['--stop-loss 2%', '--stop-loss 1% --take-profit 0.5%', '--take-profit 2%']);
    if (this.#draw(3) > 0)
      await this.#typed(`order place BTC ${this.#oneOf(['buy', 'sell'])} 0.0${2 + this.#draw(5)} ${exits} --force`);
  }

  /** Moves the own order by the mouse, wherever it is: the rows are as coarse as that needs. */
  async #drag(): Promise<void> {
    await this.#ready();
    // Centered, and finer or coarser, so no longer auto; then auto.
    this.screen.press('=', 'g', 'G', 'G', '0');
    await this.screen.shows(/a row, auto[\s\S]*\nB0\.0\d/, withinMs);
    // Nothing that is still on its way moves the rows.
    await this.#compare();
    const text = await this.screen.shows(/\nB0\.0\d/, withinMs);
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
    // On a narrow ladder, prints are marks.
    this.screen.resize(60 + this.#draw(27), 20 + this.#draw(20));
  }

  /** Waits until every number on the screen is the one that REST answers. */
  async #agrees(): Promise<void> {
    await this.#calm();
    await this.#compare();
  }

  async #compare(): Promise<void> {
    let wrong = ['nothing was compared'];
    for (let looks = 1; wrong.length > 0; looks++) {
      const rest = await answered(this.#desk, this.#account);
      const lines = await this.screen.screen();
      wrong = differences(lines, rest);
      if (wrong.length === 0)
        wrong = await said(this.#desk, this.#account, intervalsOn(lines), this.#prints).then(
          (spoken) => differencesFrom(lines, rest, spoken),
          // On a busy machine, a command may not be answered in time.
          (error) => [String(error)],
        );
      if (wrong.length > 0 && looks === mostLooks)
        assert.fail(`session ${this.#number}: ${wrong.join('; ')}\n${lines.join('\n')}`);
      if (wrong.length > 0) await pause();
    }
  }
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
  // Every kind of figure was there to be compared.
  for (const what of figures) assert.ok((compared[what] ?? 0) > 0, `${what} was never compared`);
  assert.ok(compared.clock! >= steps * count, `${compared.clock} frames`);
  process.stderr.write(`${JSON.stringify(compared)}\n`);
});
