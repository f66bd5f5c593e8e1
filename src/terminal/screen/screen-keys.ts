import { marketName } from '../../base/text/format.ts';
import { foundBy } from '../../base/text/search.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { Market } from '../../wire/contract/markets.ts';
import { type Interval, intervals } from '../../wire/contract/streams.ts';
import type { Key } from '../console/terminal/input-reader.ts';
import { listedOf } from './layout.ts';
import { panels } from './panels.ts';
import { type Act, actOf, type Bench } from './trading-keys.ts';
import type { Dialog, Page, ScreenView } from './view.ts';

/** The effect of a key, apart from changing the view. */
export type Action =
  | { readonly kind: 'quit' }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'choose'; readonly market: Market; readonly interval: Interval }
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: 'run'; readonly line: string }
  | { readonly kind: 'answer'; readonly answer: string }
  /** TAB in a typed line. */
  | { readonly kind: 'complete'; readonly text: string; readonly cursor: number }
  | { readonly kind: 'trade'; readonly act: Act };

/** The effect of a key: the new view, and an action to take. */
interface Pressed {
  readonly view: ScreenView;
  readonly action?: Action | undefined;
}

/** The effect of a key; `bench` is the state that trading keys act on. */
export function press(key: Key, model: LiveModel, before: ScreenView, bench: Bench): Pressed {
  const view = { ...before, notice: undefined };
  const isEdited = view.dialog?.stage === 'typing' && key.name in controlKeys;
  if (key.ctrl && !isEdited) return { view, action: controlOf(key.name) };
  if (view.dialog !== undefined) return pressInDialog(key, view, view.dialog, bench);
  if (view.mode === 'help' && key.name === '?') return { view: { ...view, helpPage: view.helpPage + 1 } };
  if (view.mode === 'help') return { view: { ...view, mode: 'watching' }, action: quitOf(key) };
  if (key.name === 'paste') return { view };
  if (key.name === ':') return { view: { ...view, dialog: { stage: 'typing', text: '', cursor: 0 } } };
  if (key.name === '/')
    return { view: { ...view, dialog: searching({ stage: 'typing', text: '', cursor: 0 }, model) } };
  if (view.zoom !== undefined && panels[view.zoom]!.selectFrom === undefined) {
    const by = scrollOf(key.name, bench.page ?? { size: 1, most: 0 });
    if (by !== undefined)
      return { view: { ...view, scroll: Math.max(0, Math.min(bench.page?.most ?? 0, view.scroll + by)) } };
  }
  const act = view.isTrading ? actOf(key.name, bench) : undefined;
  if (act !== undefined) return { view, action: { kind: 'trade', act } };
  return { view: viewAfter(key.name, model, view), action: quitOf(key) ?? chosenBy(key.name, model, view) };
}

type Typing = Dialog & { stage: 'typing' };

/** A search, with the markets that match its text. */
function searching(dialog: Typing, model: LiveModel): Typing {
  return {
    ...dialog,
    pick: 0,
    offers: searched(model, dialog.text).map(({ market_id, symbol }) => marketName(market_id, symbol)),
  };
}

function searched(model: LiveModel, text: string): readonly Market[] {
  return foundBy(model.markets, text, ({ symbol, market_id, coin }) => ({
    name: symbol,
    id: market_id,
    all: coin,
  }));
}

function pressInSearch(key: Key, view: ScreenView, before: Typing, model: LiveModel): Pressed {
  const { pick = 0, offers = [], text } = before;
  const step = { up: -1, down: 1, tab: 1, backtab: -1 }[key.name];
  if (step !== undefined)
    return { view: { ...view, dialog: { ...before, pick: Math.max(0, Math.min(offers.length - 1, pick + step)) } } };
  if (key.name === 'return' || key.name === 'enter') {
    const market = searched(model, text)[pick];
    if (market === undefined) return { view };
    return { view: { ...view, dialog: undefined }, action: { kind: 'choose', market, interval: model.interval } };
  }
  const { dialog } = pressTyping(key, before, []);
  return { view: { ...view, dialog: dialog?.stage === 'typing' ? searching(dialog, model) : undefined } };
}

function pressInDialog(key: Key, view: ScreenView, before: Dialog, { model, page }: Bench): Pressed {
  if (before.stage === 'typing' && before.pick !== undefined) return pressInSearch(key, view, before, model);
  const { dialog, run, answer, complete } = pressDialog(key, before, view.history, page);
  const next = { ...view, dialog };
  if (run !== undefined) return { view: remembering(next, run), action: { kind: 'run', line: run } };
  if (complete !== undefined) return { view: next, action: { kind: 'complete', ...complete } };
  return { view: next, action: answer === undefined ? undefined : { kind: 'answer', answer } };
}

const longestHistory = 200;

/** The view with a line at the end of its history. */
export function remembering(view: ScreenView, line: string): ScreenView {
  const history = [...view.history.filter((other) => other !== line), line].slice(-longestHistory);
  return { ...view, history };
}

function controlOf(name: string): Action | undefined {
  if (name === 'c') return { kind: 'interrupt' };
  return name === 'z' ? { kind: 'suspend' } : undefined;
}

function quitOf({ name }: Key): Action | undefined {
  return name === 'q' ? { kind: 'quit' } : undefined;
}

function viewAfter(name: string, model: LiveModel, view: ScreenView): ScreenView {
  if (name === '?') return { ...view, mode: 'help', helpPage: 0 };
  if (name === 't') return { ...view, isTrading: !view.isTrading };
  if (name === 'escape' && view.zoom !== undefined) return { ...view, zoom: undefined, scroll: 0 };
  if (name === 'escape') return { ...view, isTrading: false };
  if (name === 'w') {
    const next = view.zoom === undefined ? 0 : view.zoom + 1;
    return { ...view, zoom: next < panels.length ? next : undefined, scroll: 0 };
  }
  if (name === 'L')
    return { ...view, ladder: { off: 'pane', pane: 'whole', whole: 'off' }[view.ladder] as ScreenView['ladder'] };
  const step = { up: -1, k: -1, down: 1, j: 1, pageup: -10, pagedown: 10 }[name];
  if (step === undefined) return view;
  const { held, orders } = listedOf(model);
  const last = Math.max(0, held.length + orders.length - 1);
  return { ...view, selected: Math.min(last, Math.max(0, view.selected + step)) };
}

function chosenBy(name: string, model: LiveModel, view: ScreenView): Action | undefined {
  const { chosen, interval, watched } = model;
  const at = watched.findIndex(({ market_id }) => market_id === chosen.market_id);
  const step = { left: -1, h: -1, right: 1, l: 1, tab: 1 }[name];
  if (step !== undefined) {
    const market = watched[(at + step + watched.length) % watched.length]!;
    return { kind: 'choose', market, interval };
  }
  const direct = /^[1-9]$/.test(name) ? watched[Number(name) - 1] : undefined;
  if (direct !== undefined) return { kind: 'choose', market: direct, interval };
  if (name === '[' || name === ']') {
    const next = intervals[intervals.indexOf(interval) + (name === ']' ? 1 : -1)];
    return next === undefined ? undefined : { kind: 'choose', market: chosen, interval: next };
  }
  if (name === 'a') return nextAccount(model);
  if (name === 'return') return selectedMarket(model, view);
  return undefined;
}

function nextAccount({ accounts, accountId }: LiveModel): Action | undefined {
  const ids = [...accounts.keys()];
  const id = ids[(ids.indexOf(accountId ?? '') + 1) % ids.length];
  return id === undefined ? undefined : { kind: 'account', id };
}

function selectedMarket(model: LiveModel, { selected }: ScreenView): Action | undefined {
  const { held, orders } = listedOf(model);
  const id = held[selected]?.position.market_id ?? orders[selected - held.length]?.market_id;
  const market = id === undefined ? undefined : model.market(id);
  return market === undefined ? undefined : { kind: 'choose', market, interval: model.interval };
}

/** The effect of a key on a dialog: the next dialog, and the line or answer to run. */
interface DialogEffect {
  readonly dialog: Dialog | undefined;
  readonly run?: string;
  /** A line, or `y` for yes. */
  readonly answer?: string;
  readonly complete?: { readonly text: string; readonly cursor: number };
}

/** The effect of a key on a dialog. */
export function pressDialog(
  key: Key,
  dialog: Dialog,
  history: readonly string[] = [],
  page: Page = { size: 1, most: 0 },
): DialogEffect {
  if (dialog.stage === 'typing') return pressTyping(key, dialog, history);
  const by = page.most === 0 ? undefined : scrollOf(key.name, page);
  if (by !== undefined) return { dialog: scrolled(dialog, by, page) };
  if (dialog.stage === 'done') return { dialog: undefined };
  if (dialog.stage === 'running' || !dialog.isShown || key.name === 'paste') return { dialog };
  const { text, question, typed } = dialog;
  if (typed !== undefined) return pressAnswer(key, dialog, typed);
  // Keys that came together were not pressed by a person who has read the question.
  if (key.isInBurst === true) return { dialog };
  const isYes = key.name === 'y' || key.name === 'Y';
  // A key pressed for something else is not an answer.
  if (!isYes && key.name !== 'n' && key.name !== 'N' && key.name !== 'escape') return { dialog };
  const output = `${question} ${isYes ? 'yes' : 'no'}\n`;
  return { dialog: { stage: 'running', text, output }, answer: isYes ? 'y' : '' };
}

/** The number of rows a key scrolls; undefined if it doesn't scroll. */
function scrollOf(name: string, { size, most }: Page): number | undefined {
  return { up: -1, down: 1, pageup: -size, pagedown: size, home: -most, end: most }[name];
}

/** A dialog scrolled down by this many rows. */
export function scrolled(dialog: Exclude<Dialog, { stage: 'typing' }>, by: number, { most }: Page): Dialog {
  return { ...dialog, scroll: Math.max(0, Math.min(most, (dialog.scroll ?? 0) + by)) };
}

/** A key of an answer that is a line; Escape means no answer. */
function pressAnswer(key: Key, dialog: Dialog & { stage: 'asking' }, typed: string): DialogEffect {
  const { text, question } = dialog;
  const answered = (answer: string): DialogEffect => ({
    dialog: { stage: 'running', text, output: `${question}: ${answer}\n` },
    answer,
  });
  if (key.name === 'escape') return answered('');
  if (key.name === 'return' || key.name === 'enter') return answered(typed);
  if (key.name === 'backspace') return { dialog: { ...dialog, typed: typed.slice(0, -1) } };
  return { dialog: { ...dialog, typed: typed + key.text } };
}

type LineKeys = Readonly<Record<string, (before: string, after: string) => [string, string]>>;

/** The effect of a key on a typed line before and after the cursor. */
const lineKeys: LineKeys = {
  backspace: (before, after) => [before.slice(0, -1), after],
  delete: (before, after) => [before, after.slice(1)],
  left: (before, after) => [before.slice(0, -1), before.slice(-1) + after],
  right: (before, after) => [before + after.slice(0, 1), after.slice(1)],
  home: (before, after) => ['', before + after],
  end: (before, after) => [before + after, ''],
};

/** The effect of Ctrl and a letter, as in shells. */
const controlKeys: LineKeys = {
  a: lineKeys.home!,
  e: lineKeys.end!,
  k: (before) => [before, ''],
  u: (_, after) => ['', after],
  w: (before, after) => [before.slice(0, before.trimEnd().lastIndexOf(' ') + 1), after],
};

function pressTyping(key: Key, dialog: Dialog & { stage: 'typing' }, history: readonly string[]): DialogEffect {
  const { text, cursor } = dialog;
  const typed = (next: string, at: number): DialogEffect => ({ dialog: { stage: 'typing', text: next, cursor: at } });
  if (key.name === 'backspace' && cursor === 0) return { dialog };
  const edited = (key.ctrl ? controlKeys : lineKeys)[key.name]?.(text.slice(0, cursor), text.slice(cursor));
  if (edited !== undefined) return typed(edited.join(''), edited[0].length);
  if (key.name === 'escape') return { dialog: undefined };
  if (key.name === 'return' || key.name === 'enter') {
    if (text.trim() === '') return { dialog: undefined };
    return { dialog: { stage: 'running', text, output: '' }, run: text };
  }
  if (key.name === 'tab') return { dialog, complete: { text, cursor } };
  if (key.name === 'up' || key.name === 'down')
    return { dialog: recalled(dialog, history, key.name === 'up' ? 1 : -1) };
  // Pasted lines become one line, which does not run before Enter.
  const piece = key.text.replace(/\p{Cc}+/gu, ' ');
  return piece === '' ? { dialog } : typed(text.slice(0, cursor) + piece + text.slice(cursor), cursor + piece.length);
}

/** The typed line before or after this one in the history; below the newest is the line being typed. */
function recalled(dialog: Dialog & { stage: 'typing' }, history: readonly string[], way: 1 | -1): Dialog {
  const { text, back = 0, kept = text } = dialog;
  const next = Math.min(history.length, Math.max(0, back + way));
  const line = next === 0 ? kept : history[history.length - next]!;
  return { stage: 'typing', text: line, cursor: line.length, back: next, kept };
}
