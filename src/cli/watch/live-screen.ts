import type { LiveModel } from '../../desk/watch/live-model.ts';
import { ModelReader } from '../../desk/watch/model-reader.ts';
import { type ExitCode, exitCodes, Failure } from '../../ground/failure/failure.ts';
import type { Console } from '../console/console.ts';
import { whereNow } from '../console/where.ts';
import type { Result } from '../output/result.ts';
import { Frames, FullScreen } from '../terminal/full-screen.ts';
import type { Key } from '../terminal/input-reader.ts';
import type { RawTerminal } from '../terminal/raw-terminal.ts';
import type { Setting } from './account-panel.ts';
import { Bell } from './bell.ts';
import { Colors } from './colors.ts';
import { type Action, press } from './keys.ts';
import { ScreenCommands } from './screen-commands.ts';
import { isLargeEnough, screenRows } from './screen-layout.ts';
import { firstView, type ScreenView } from './screen-view.ts';

/** Five frames a second look smooth and use little bandwidth. */
const frameMs = 200;
/** How long the first frame waits for data. */
const maxWaitMs = 1_000;

/** Shows the model on the whole terminal and handles keys, until `q`, Ctrl-C, `forMs` or a failure. */
export async function liveScreen(
  console: Console,
  model: LiveModel,
  terminal: RawTerminal,
  forMs: number | undefined,
): Promise<Result> {
  const colors = new Colors(console, terminal, () => changed());
  const setting = settingOf(console);
  const screen = new FullScreen(terminal);
  const ended = Promise.withResolvers<void>();
  let view: ScreenView = firstView;
  const bell = new Bell(terminal);
  const draw = () => {
    bell.look(model);
    screen.show(colors.painted(screenRows(model, view, setting, terminal, colors.glyphs)));
    if (view.dialog?.stage === 'asking' && isLargeEnough(terminal))
      view = { ...view, dialog: { ...view.dialog, isShown: true } };
  };
  const frames = new Frames(draw, frameMs);
  let isEarly = true;
  const changed = () => {
    isEarly &&= model.account === undefined || model.book === undefined || colors.isAsking;
    if (!isEarly) frames.request();
  };
  const notice = (text: string | undefined) => {
    view = { ...view, notice: text?.trim().replaceAll(/\s+/g, ' ') };
    changed();
  };
  const reader = new ModelReader(console, model, {
    changed,
    notice,
    // The notice about its absence no longer applies.
    state: (_, { kind }) => kind === 'live' && notice(undefined),
    failed: (error) => ended.reject(error),
    ended: () => bell.ring(),
    mayReopen: () => commands.isIdle,
  });
  const commands: ScreenCommands = new ScreenCommands(console, terminal, (dialog) => {
    view = { ...view, dialog };
    frames.request();
  });
  const act = actor({ model, reader, screen, terminal, commands, quit: () => ended.resolve() });
  const pressed = (key: Key) => {
    const { view: next, action } = press(key, model, view);
    const isCramped = next.isTrading && !isLargeEnough(terminal);
    view = isCramped ? { ...next, isTrading: false, dialog: view.dialog } : next;
    // On a cramped screen, commands are neither sent nor confirmed, because they can't be read.
    const isSending = action?.kind === 'run' || action?.kind === 'answer';
    if (action !== undefined && !(isCramped && isSending)) act(action);
    frames.request();
  };
  whenAborted(console.signal, ended.reject);
  const resumed = () => {
    screen.open();
    frames.request();
  };
  screen.open();
  console.io.divertErr?.(notice);
  const silence = terminal.listen({ key: pressed, resized: () => frames.request(), resumed, background: colors.take });
  colors.ask();
  const timers = [setTimeout(() => frames.request(), maxWaitMs), setInterval(changed, 1_000)];
  if (forMs !== undefined) timers.push(setTimeout(() => ended.resolve(), forMs));
  const close = () => {
    for (const timer of timers) clearTimeout(timer);
    frames.close();
    reader.close();
    silence();
    screen.close();
    console.io.divertErr?.(undefined);
    return commands.end();
  };
  // A reader that can't open ends the screen. The user can also quit without waiting for it.
  reader.open().catch((error) => ended.reject(error));
  return resultOf(ended.promise, close);
}

/** Waits for the end, closes, and reports how it ended; a write under way may have an unknown outcome. */
async function resultOf(ended: Promise<void>, close: () => Promise<ExitCode | undefined>): Promise<Result> {
  try {
    await ended;
    return { kind: 'text', text: '', exit: (await close()) ?? exitCodes.done };
  } catch (error) {
    const unknown = await close();
    if (!(error instanceof Failure) || error.facts.code !== 'interrupted') throw error;
    return { kind: 'text', text: '', exit: unknown ?? exitCodes.interrupted };
  }
}

function whenAborted(signal: AbortSignal, act: (reason: unknown) => void): void {
  if (signal.aborted) act(signal.reason);
  else signal.addEventListener('abort', () => act(signal.reason), { once: true });
}

/** Carries out the effects of keys. */
function actor(parts: {
  model: LiveModel;
  reader: ModelReader;
  screen: FullScreen;
  terminal: RawTerminal;
  commands: ScreenCommands;
  quit(): void;
}): (action: Action) => void {
  const { model, reader, screen, terminal, commands, quit } = parts;
  return (action) => {
    if (action.kind === 'quit') quit();
    // Acts like Ctrl-C on an ordinary terminal: the first asks the command to stop, the second ends perp immediately.
    else if (action.kind === 'interrupt') process.kill(process.pid, 'SIGINT');
    else if (action.kind === 'suspend') {
      screen.close();
      terminal.suspend();
    } else if (action.kind === 'run') commands.run(action.line, model.accountId);
    else if (action.kind === 'answer') commands.answer(action.answer);
    else if (action.kind === 'account') model.accountId = action.id;
    else {
      model.choose(action.market, action.interval);
      reader.follow();
    }
  };
}

function settingOf(console: Console): Setting {
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
  const isHost = console.settings.environment !== 'sim';
  return { place: (account) => whereNow(console, account), isHost, localTime: (ms) => clock.format(ms) };
}
