import { type ExitCode, exitCodes, Failure } from '../../base/failure/failure.ts';
import { NewAlarms } from '../../desk/watch/challenge.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { Row } from '../console/charts/cells.ts';
import { cutMark, type Glyphs, glyphsFor } from '../console/charts/glyphs.ts';
import type { Console } from '../console/console.ts';
import type { Result } from '../console/output/result.ts';
import {
  has256Colors,
  hasColors,
  type Palette,
  plainPalette,
  themeFor,
  themePalette,
} from '../console/output/themes.ts';
import { backgroundRequest, type Rgb } from '../console/terminal/background.ts';
import type { RawTerminal } from '../console/terminal/raw-terminal.ts';
import { whereNow } from '../console/where.ts';
import type { Deck, ScreenGuide, ScreenView } from './view.ts';
import { WaitingApprovals } from './waiting-approvals.ts';

/** How a live screen begins and ends. */
export interface LiveOptions {
  readonly forMs: number | undefined;
  readonly ladder?: ScreenView['ladder'];
  /** The layout from its last use; trading keys are off. */
  readonly layout?: ScreenView['ladder'] | undefined;
  /** The screen is being left like this. */
  left?(view: ScreenView): void;
  /** Leads the user. */
  readonly guide?: ScreenGuide;
  /** The control that moves the clock. */
  readonly deck?: Deck;
}

/** Waits for the end, closes, and reports how it ended; a write in progress may have an unknown outcome. */
export async function resultOf(ended: Promise<void>, close: () => Promise<ExitCode | undefined>): Promise<Result> {
  try {
    await ended;
    return { kind: 'text', text: '', exit: (await close()) ?? exitCodes.done };
  } catch (error) {
    const unknown = await close();
    if (!(error instanceof Failure) || error.facts.code !== 'interrupted') throw error;
    return { kind: 'text', text: '', exit: unknown ?? exitCodes.interrupted };
  }
}

/** Where a screen trades, its local times, and the approvals that wait there. */
export function settingOf(console: Console) {
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
  const isHost = console.settings.environment !== 'sim';
  const place = (account: string | undefined) => whereNow(console, account);
  return { place, isHost, localTime: (ms: number) => clock.format(ms), approvals: new WaitingApprovals(console) };
}

/** Rings the terminal's bell once for each alarm of any account. */
export class Bell {
  readonly #terminal: RawTerminal;
  readonly #alarms = new NewAlarms();
  /** The waiting requests for which it has already rung. */
  readonly #waiting = new Set<string>();

  constructor(terminal: RawTerminal) {
    this.#terminal = terminal;
  }

  /** Whether there is an alarm for which it has not rung. */
  isDue(model: LiveModel): boolean {
    return this.#alarms.areDue(model.accounts.values(), model);
  }

  /** Finds new alarms and new requests that wait for the user; several at once ring once. */
  look(model: LiveModel, waiting: readonly string[] = []): void {
    const isNew = this.#alarms.tell(model.accounts.values(), model);
    const begun = waiting.filter((id) => !this.#waiting.has(id));
    for (const id of begun) this.#waiting.add(id);
    if (isNew || begun.length > 0) this.ring();
  }

  ring(): void {
    this.#terminal.write('\u0007');
  }
}

/** How long the first frame waits for the terminal to report its background. A later answer changes the colors. */
const askMs = 50;

/** The colors of the live screen, which follow the terminal's background; and its characters. */
export class Colors {
  readonly #console: Console;
  readonly #terminal: RawTerminal;
  readonly #changed: () => void;
  /** Undefined without colors. */
  readonly #has256: boolean | undefined;
  #timer: NodeJS.Timeout | undefined;
  #palette: Palette;
  readonly glyphs: Glyphs;

  constructor(console: Console, terminal: RawTerminal, changed: () => void) {
    const isColored = hasColors(console.palette);
    this.#console = console;
    this.#terminal = terminal;
    this.#has256 = isColored ? has256Colors(console.variables) : undefined;
    this.#changed = changed;
    this.glyphs = glyphsFor(console.variables, isColored);
    this.#palette = this.#paletteOn(undefined);
  }

  /** Whether an answer may still come in time for the first frame. */
  get isAsking(): boolean {
    return this.#timer !== undefined;
  }

  /** Rows in these colors. */
  painted(rows: readonly Row[]): string[] {
    return rows.map((row) => row.map(this.#palette).join('').replaceAll(cutMark, this.glyphs.cut));
  }

  /** Asks the terminal; its answer arrives as input. */
  ask(): void {
    if (this.#has256 === undefined || this.#console.settings.theme !== 'auto') return;
    this.#timer = setTimeout(() => this.#over(), askMs);
    this.#terminal.write(backgroundRequest);
  }

  /** The terminal's answer. */
  readonly take = (color: Rgb): void => {
    this.#palette = this.#paletteOn(color);
    this.#over();
  };

  #paletteOn(color: Rgb | undefined): Palette {
    const { settings, variables } = this.#console;
    return this.#has256 === undefined
      ? plainPalette
      : themePalette(themeFor(settings.theme, color, variables), this.#has256);
  }

  #over(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed();
  }
}
