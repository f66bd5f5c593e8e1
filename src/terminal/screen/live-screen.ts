import { receivedSignal } from '../../base/failure/ending.ts';
import { type ExitCode, exitCodes } from '../../base/failure/failure.ts';
import { realTiming } from '../../base/sockets/timing.ts';
import { marketName } from '../../base/text/format.ts';
import { aborted } from '../../desk/reading/streams.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import { ModelReader } from '../../desk/watch/model-reader.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import type { Console } from '../console/console.ts';
import type { LineReader } from '../console/grammar/command-line.ts';
import type { Result } from '../console/output/result.ts';
import { ownKeysOf } from '../console/settings/own-keys.ts';
import { Frames, FullScreen } from '../console/terminal/full-screen.ts';
import type { Key, MousePress } from '../console/terminal/input-reader.ts';
import type { RawTerminal } from '../console/terminal/raw-terminal.ts';
import { Bell, Colors, type LiveOptions, resultOf, settingOf } from './around-screen.ts';
import { Cockpit } from './cockpit.ts';
import type { Setting } from './header-rows.ts';
import { dialogColumns, isLargeEnough, listedOf, needsRoom, screenFrame } from './layout.ts';
import { ScreenCommands } from './running-command.ts';
import { type Action, press, remembering, scrolled } from './screen-keys.ts';
import { type Act, type Bench, type LadderPlace, mouseAct, wheelRows } from './trading-keys.ts';
import { completed, typedOrder } from './typed-line.ts';
import { type DeckScreen, type Dialog, firstView, type Page, type ScreenView } from './view.ts';
import type { WaitingApprovals } from './waiting-approvals.ts';

/** Five frames a second look smooth and use little bandwidth; the ladder, where users aim, is drawn more often. */
const frameMs = 200;
const ladderFrameMs = 50;
/** How long the first frame waits for data. */
const maxWaitMs = 1_000;

/** Shows the model on the whole terminal and handles keys, until `q`, Ctrl-C, `forMs` or a failure. */
export async function liveScreen(
  console: Console,
  model: LiveModel,
  terminal: RawTerminal,
  options: LiveOptions,
): Promise<Result> {
  return new LiveScreen(console, model, terminal, options, await console.lineReader()).run();
}

class LiveScreen {
  readonly #console: Console;
  readonly #model: LiveModel;
  readonly #terminal: RawTerminal;
  readonly #options: LiveOptions;
  readonly #setting: Setting & { readonly approvals: WaitingApprovals };
  readonly #screen: FullScreen;
  readonly #colors: Colors;
  readonly #frames: Frames;
  readonly #reader: ModelReader;
  readonly #commands: ScreenCommands;
  readonly #cockpit: Cockpit;
  readonly #bell: Bell;
  readonly #ended = Promise.withResolvers<void>();
  readonly #lines: LineReader;
  #view: ScreenView;
  #isEarly = true;
  /** Where the ladder was drawn. */
  #place: LadderPlace | undefined;
  /** The scrolling parts. */
  #page: Page | undefined;
  /** The subject of the notice; the notice is outdated when that changes. */
  #about: string | undefined;

  constructor(console: Console, model: LiveModel, terminal: RawTerminal, options: LiveOptions, lines: LineReader) {
    const { ladder = 'off', layout = ladder } = options;
    this.#console = console;
    this.#model = model;
    this.#terminal = terminal;
    this.#options = options;
    this.#view = { ...firstView, ladder: layout, isTrading: ladder !== 'off' };
    this.#setting = settingOf(console);
    this.#screen = new FullScreen(terminal);
    this.#colors = new Colors(console, terminal, () => this.#changed());
    this.#frames = new Frames(
      () => this.#draw(),
      () => Math.max(this.#view.ladder === 'off' ? frameMs : ladderFrameMs, this.#screen.waitMs),
    );
    this.#lines = lines;
    this.#commands = new ScreenCommands(console, (dialog) => {
      this.#view = { ...this.#view, dialog };
      this.#frames.request();
    });
    this.#bell = new Bell(terminal);
    const bell = () => this.#bell.ring();
    this.#reader = new ModelReader(console, model, {
      changed: () => this.#changed(),
      notice: (text) => this.#notice(text),
      // The notice about its absence no longer applies.
      state: (_, { kind }) => kind === 'live' && this.#notice(undefined),
      failed: (error) => this.#ended.reject(error),
      mayReopen: () => this.#commands.isIdle,
    });
    this.#cockpit = new Cockpit({
      console,
      model,
      reader: this.#reader,
      commands: this.#commands,
      ownKeys: ownKeysOf(console.settings),
      isLargeEnough: () => isLargeEnough(terminal),
      changed: () => this.#frames.request(),
      bell,
    });
  }

  async run(): Promise<Result> {
    const { forMs } = this.#options;
    aborted(this.#console.signal).catch(this.#ended.reject);
    this.#screen.open();
    this.#screen.report(this.#view.ladder !== 'off');
    this.#console.io.divertErr?.((text) => this.#notice(text));
    const silence = this.#terminal.listen({
      key: (key) => this.#pressed(key),
      mouse: (press) => this.#clicked(press),
      focus: (hasFocus) => this.#cockpit.focused(hasFocus),
      resized: () => this.#frames.request(),
      resumed: () => {
        this.#cockpit.disarm('perp was suspended');
        this.#screen.open();
        this.#frames.request();
      },
      background: this.#colors.take,
    });
    this.#colors.ask();
    this.#options.deck?.open(this.#deckScreen());
    const timers = [setTimeout(() => this.#frames.request(), maxWaitMs), setInterval(() => this.#changed(), 1_000)];
    const cancelEnd = forMs === undefined ? () => {} : realTiming.after(forMs, () => this.#ended.resolve());
    // A reader that can't open ends the screen. The user can also quit without waiting for it.
    this.#reader.open().catch((error) => this.#ended.reject(error));
    return resultOf(this.#ended.promise, () => {
      for (const timer of timers) clearTimeout(timer);
      cancelEnd();
      this.#options.left?.(this.#view);
      this.#options.deck?.close();
      this.#cockpit.close();
      this.#frames.close();
      this.#reader.close();
      silence();
      this.#screen.close();
      this.#console.io.divertErr?.(undefined);
      return this.#end();
    });
  }

  async #end(): Promise<ExitCode | undefined> {
    const exit = await this.#commands.end();
    return this.#cockpit.isUnknown ? exitCodes.outcomeUnknown : exit;
  }

  #draw(): void {
    if (this.#about !== undefined && this.#about !== this.#atStake()) this.#view = { ...this.#view, notice: undefined };
    const { dialog } = this.#view;
    if (this.#view.isTrading) this.#cockpit.prepare();
    this.#cockpit.draft(dialog === undefined || dialog.stage === 'done' ? undefined : this.#orderOf(dialog));
    const { glyphs } = this.#colors;
    const { guide, deck } = this.#options;
    guide?.look(this.#model, this.#view);
    const shown = { ...this.#cockpit.shown(), guide, deck };
    const frame = screenFrame(this.#model, this.#view, this.#setting, this.#terminal, glyphs, shown);
    this.#place = frame.ladder;
    this.#page = frame.page;
    this.#screen.report(this.#view.ladder !== 'off' || this.#cockpit.isArmed || (frame.page?.most ?? 0) > 0);
    this.#bell.look(this.#model, this.#setting.approvals.ids());
    this.#screen.show(this.#colors.painted(frame.rows));
    if (dialog?.stage === 'asking' && isLargeEnough(this.#terminal))
      this.#view = { ...this.#view, dialog: { ...dialog, isShown: true } };
  }

  /**
   * The question is about exactly what would be sent; until then, it shows the typed line at the prices on the screen.
   */
  #orderOf(dialog: Dialog): CreateOrderRequest | undefined {
    const asked = dialog.stage === 'asking' ? dialog.order : undefined;
    return asked ?? typedOrder(dialog.text, this.#lines, this.#model, this.#console.settings);
  }

  #changed(): void {
    const { account, book } = this.#model;
    this.#isEarly &&= account === undefined || book === undefined || this.#colors.isAsking;
    if (this.#isEarly) return;
    // Messages that nobody may miss don't wait for a slow line.
    if (this.#screen.waitMs > frameMs && this.#bell.isDue(this.#model)) this.#screen.hurry();
    this.#frames.request();
  }

  #notice(text: string | undefined): void {
    this.#about = undefined;
    this.#view = { ...this.#view, notice: text?.trim().replaceAll(/\s+/g, ' ') };
    this.#changed();
  }

  /** The positions and orders on the screen. */
  #atStake(): string {
    const { account } = this.#model;
    return [
      this.#model.chosen.market_id,
      ...(account?.positions.keys() ?? []),
      ...(account?.orders.keys() ?? []),
    ].join();
  }

  #bench(): Bench {
    const { selected, ladder } = this.#view;
    const model = this.#model;
    return {
      model,
      ladder: this.#cockpit.ladder,
      isLadderShown: ladder !== 'off' && this.#view.zoom === undefined,
      feeBps: this.#cockpit.feeBps,
      // Found only for the keys that ask: an order must not wait for it.
      get selected() {
        const { held, orders } = listedOf(model);
        return { position: held[selected]?.position.id, order: orders[selected - held.length]?.id };
      },
      page: this.#page,
      ownKeys: ownKeysOf(this.#console.settings),
    };
  }

  #pressed(key: Key): void {
    this.#screen.hurry();
    this.#cockpit.touched();
    if (this.#takenByDeck(key)) return;
    const pressed = press(key, this.#model, this.#view, this.#bench());
    if (this.#options.guide?.admits(key, this.#view, pressed) === false) {
      this.#frames.request();
      return;
    }
    const { view: next, action } = pressed;
    const isRead = next.isTrading || next.dialog !== undefined || next.mode === 'help';
    const isCramped = isRead && !isLargeEnough(this.#terminal);
    const { dialog, mode } = this.#view;
    this.#view = isCramped ? { ...next, isTrading: false, dialog, mode, notice: needsRoom } : next;
    if (!this.#view.isTrading && this.#view.dialog === undefined) {
      this.#cockpit.ladder.leave();
      this.#cockpit.disarm('trading keys were turned off');
    }
    // On a cramped screen, commands are neither sent nor confirmed, because they can't be read.
    const sends = action?.kind === 'run' || action?.kind === 'answer' || action?.kind === 'trade';
    if (isCramped && sends) return;
    if (action?.kind === 'trade') this.#trade(action.act, key);
    else if (action !== undefined) this.#do(action);
    this.#frames.request();
  }

  /** The deck has its keys while nothing is typed or asked. */
  #takenByDeck(key: Key): boolean {
    const { dialog, mode } = this.#view;
    const { deck } = this.#options;
    if (deck === undefined || key.ctrl || dialog !== undefined || mode === 'help') return false;
    const before = this.#view;
    if (!deck.press(key)) return false;
    // Its text replaces the notice.
    if (this.#view === before) this.#view = { ...before, notice: undefined };
    this.#frames.request();
    return true;
  }

  #deckScreen(): DeckScreen {
    return {
      model: this.#model,
      changed: () => this.#changed(),
      say: (text) => this.#notice(text),
      type: (line) => {
        this.#view = { ...this.#view, dialog: { stage: 'typing', ...lineOf(line) } };
        this.#changed();
      },
      end: () => this.#ended.resolve(),
    };
  }

  #clicked(press: MousePress): void {
    this.#screen.hurry();
    this.#cockpit.touched();
    const { dialog } = this.#view;
    if (dialog !== undefined && dialog.stage !== 'typing' && this.#page !== undefined) {
      const by = { up: -wheelRows, down: wheelRows }[press.button as 'up' | 'down'];
      if (by !== undefined) this.#view = { ...this.#view, dialog: scrolled(dialog, by, this.#page) };
      this.#frames.request();
    }
    // A guide leads by keys.
    if (this.#options.guide !== undefined) return;
    if (dialog === undefined && this.#view.zoom !== undefined) {
      const { button: name } = press;
      if (name === 'up' || name === 'down')
        for (let row = 0; row < wheelRows; row++) this.#pressed({ name, text: '', ctrl: false });
      return;
    }
    if (!this.#view.isTrading || this.#view.dialog !== undefined || this.#view.mode === 'help') {
      // Releasing a held button now puts nothing down, and neither does the next release.
      if (this.#cockpit.ladder.isDragged) this.#cockpit.ladder.leave();
      return;
    }
    const place = this.#place;
    const bench = this.#bench();
    const uptime = this.#console.machine.uptime?.() ?? performance.now();
    const act = place === undefined ? undefined : mouseAct(press, place, bench, uptime);
    if (act !== undefined)
      this.#trade(act, { name: `mouse ${press.button}`, text: '', ctrl: false, isInBurst: press.isInBurst });
    this.#frames.request();
  }

  /** Carries out a trading key: immediately if the keys are armed, otherwise as a command that asks. */
  #trade(act: Act, key: Key): void {
    const cockpit = this.#cockpit;
    if (act.kind === 'moved') return;
    if (act.kind === 'says') {
      this.#notice(act.text);
      this.#about = this.#atStake();
      return;
    }
    if (cockpit.isArmed && (act.kind === 'enter' || act.kind === 'command')) {
      // Each held key must be detected, even while other input comes with it.
      const isPressed = cockpit.isPressed(key.name);
      if (key.isInBurst === true) cockpit.say('Several keys came at once: nothing was sent.');
      else if (!isPressed) return;
      else if (act.kind === 'enter') void cockpit.enter(act.side, act.limit);
      else void cockpit.command(act.line);
      return;
    }
    if (act.kind === 'arm' && cockpit.isArmed) {
      cockpit.disarm('by key');
      return;
    }
    if (act.kind === 'command') {
      this.#run(act.line);
      return;
    }
    const { text, cursor } =
      act.kind === 'enter' ? this.#entryLine(act) : lineOf(act.kind === 'arm' ? this.#armLine() : act.line);
    const at = act.kind === 'type' ? (act.cursor ?? cursor) : cursor;
    this.#view = { ...this.#view, dialog: { stage: 'typing', text, cursor: at } };
  }

  #armLine(): string {
    const last = this.#view.history.findLast((line) => line.startsWith('arm '));
    const suggested = this.#cockpit.armLine();
    return last ?? suggested;
  }

  /** The command of an entry, with the cursor in place of its size. */
  #entryLine({ side, limit }: Act & { kind: 'enter' }): { text: string; cursor: number } {
    const { chosen } = this.#model;
    const before = `order place ${marketName(chosen.market_id, chosen.symbol)} ${side} `;
    return { text: limit === undefined ? before : `${before} --limit-price ${limit}`, cursor: before.length };
  }

  #run(line: string): void {
    this.#view = remembering({ ...this.#view, dialog: { stage: 'running', text: line, output: '' } }, line);
    this.#commands.run(
      line,
      this.#model.accountId,
      dialogColumns(this.#view, this.#terminal),
      /^\s*arm(\s|$)/.test(line) ? this.#cockpit.arm : this.#options.deck?.runnerOf(line),
    );
  }

  /** Carries out the effects of other keys. */
  #do(action: Exclude<Action, { kind: 'trade' }>): void {
    if (action.kind === 'quit') this.#ended.resolve();
    else if (action.kind === 'interrupt') {
      this.#cockpit.disarm('Ctrl-C');
      // Acts like Ctrl-C on an ordinary terminal: the first asks the command to stop, the second ends perp immediately.
      receivedSignal('SIGINT', true);
      process.kill(process.pid, 'SIGINT');
    } else if (action.kind === 'suspend') {
      this.#cockpit.disarm('perp was suspended');
      this.#screen.close();
      this.#terminal.suspend();
    } else if (action.kind === 'run') this.#run(action.line);
    else if (action.kind === 'answer') this.#commands.answer(action.answer);
    else if (action.kind === 'complete') {
      const held = [...(this.#model.account?.positions.values() ?? [])];
      const { text, cursor, offers } = completed(this.#lines, this.#console.variables, action, { held });
      this.#view = { ...this.#view, dialog: { stage: 'typing', text, cursor, offers } };
    } else {
      if (action.kind === 'account') this.#model.accountId = action.id;
      else this.#model.choose(action.market, action.interval);
      this.#reader.follow();
    }
  }
}

function lineOf(text: string): { text: string; cursor: number } {
  return { text, cursor: text.length };
}
