import type { Market } from '../../contract/markets.ts';
import { type Interval, intervals } from '../../contract/streams.ts';
import type { DeskModel } from '../../desk/watch/desk-model.ts';
import { marketName } from '../../ground/text/market-name.ts';
import type { Key } from '../terminal/raw-terminal.ts';
import { listedOf } from './desk-layout.ts';
import type { DeskView, Dialog } from './desk-view.ts';
import { pressDialog } from './dialog-keys.ts';

/** What a key does, apart from changing the view. */
export type Action =
  | { readonly kind: 'quit' }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'choose'; readonly market: Market; readonly interval: Interval }
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: 'run'; readonly line: string }
  | { readonly kind: 'answer'; readonly answer: string };

/** What a key does: the view after it, and an action to take. */
export interface Pressed {
  readonly view: DeskView;
  readonly action?: Action | undefined;
}

/** The effect of a key. */
export function press(key: Key, model: DeskModel, before: DeskView): Pressed {
  const view = { ...before, notice: undefined };
  if (key.ctrl) return { view, action: controlOf(key.name) };
  if (view.dialog !== undefined) return pressInDialog(key, view, view.dialog);
  if (view.mode === 'help') return { view: { ...view, mode: 'watching' }, action: quitOf(key) };
  if (key.name === 'paste') return { view };
  const line = view.isTrading ? commandOf(key.name, model, view) : undefined;
  if (line !== undefined) return { view: { ...view, dialog: { stage: 'typing', text: line, cursor: line.length } } };
  return { view: viewAfter(key.name, model, view), action: quitOf(key) ?? chosenBy(key.name, model, view) };
}

function pressInDialog(key: Key, view: DeskView, before: Dialog): Pressed {
  const { dialog, run, answer } = pressDialog(key, before);
  const next = { ...view, dialog };
  if (run !== undefined) return { view: next, action: { kind: 'run', line: run } };
  return { view: next, action: answer === undefined ? undefined : { kind: 'answer', answer } };
}

/** The start of the command that a trading key types; Enter then shows its preview. */
function commandOf(name: string, model: DeskModel, { selected }: DeskView): string | undefined {
  const { held, orders } = listedOf(model);
  const market = marketName(model.chosen.market_id, model.chosen.symbol);
  const position = held[selected]?.position.id ?? held.find(({ position: one }) => isChosen(one, model))?.position.id;
  const order = orders[selected - held.length]?.id;
  const commands: Readonly<Record<string, string | undefined>> = {
    b: `order place ${market} buy `,
    s: `order place ${market} sell `,
    c: `positions close ${position ?? market}`,
    x: `order cancel ${order ?? ''}`,
    S: `stop ${position ?? market} `,
    T: `target ${position ?? market} `,
    F: 'flatten',
    ':': '',
  };
  return commands[name];
}

function isChosen({ market_id }: { market_id: string }, { chosen }: DeskModel): boolean {
  return market_id === chosen.market_id;
}

function controlOf(name: string): Action | undefined {
  if (name === 'c') return { kind: 'interrupt' };
  return name === 'z' ? { kind: 'suspend' } : undefined;
}

function quitOf({ name }: Key): Action | undefined {
  return name === 'q' ? { kind: 'quit' } : undefined;
}

function viewAfter(name: string, model: DeskModel, view: DeskView): DeskView {
  if (name === '?') return { ...view, mode: 'help' };
  if (name === 't') return { ...view, isTrading: !view.isTrading };
  if (name === 'escape') return { ...view, isTrading: false };
  const step = { up: -1, k: -1, down: 1, j: 1 }[name];
  if (step === undefined) return view;
  const { held, orders } = listedOf(model);
  const last = Math.max(0, held.length + orders.length - 1);
  return { ...view, selected: Math.min(last, Math.max(0, view.selected + step)) };
}

function chosenBy(name: string, model: DeskModel, view: DeskView): Action | undefined {
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

function nextAccount({ accounts, accountId }: DeskModel): Action | undefined {
  const ids = [...accounts.keys()];
  const id = ids[(ids.indexOf(accountId ?? '') + 1) % ids.length];
  return id === undefined ? undefined : { kind: 'account', id };
}

function selectedMarket(model: DeskModel, { selected }: DeskView): Action | undefined {
  const { held, orders } = listedOf(model);
  const id = held[selected]?.position.market_id ?? orders[selected - held.length]?.market_id;
  const market = id === undefined ? undefined : model.market(id);
  return market === undefined ? undefined : { kind: 'choose', market, interval: model.interval };
}
