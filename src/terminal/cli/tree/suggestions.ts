import { shellWord } from '../../../base/text/plain-text.ts';

/**
 * Other tools' words for perp's commands. The keys are those words; the functions receive the words typed after them.
 */
const commands: Readonly<Record<string, (words: readonly string[]) => string>> = {
  alarm: () => 'guard add (alerts are rules of the guard)',
  alert: () => 'guard add (alerts are rules of the guard)',
  alerts: () => 'guard add (alerts are rules of the guard)',
  bal: () => 'accounts show',
  balance: () => 'accounts show',
  balances: () => 'accounts show',
  be: ([position]) => joined('stop', position ?? 'BTC', 'entry'),
  book: ([market]) => joined('quote', market ?? 'BTC', '--depth 8'),
  buy: (words) => trade('buy', words),
  cancel: (words) => joined('order cancel', ...words),
  close: (words) => joined('positions close', ...words),
  depth: ([market]) => joined('quote', market ?? 'BTC', '--depth 8'),
  closeall: () => 'close-all',
  equity: () => 'accounts show',
  exit: (words) => joined('positions close', ...words),
  funding: ([market]) =>
    `${joined('stream stats', market ?? 'BTC')} (the market's rate) or perp pnl (what you paid: carry)`,
  get: (words) => joined('order show', ...words),
  history: () => 'fills',
  ladders: () => 'scaled (ladders of limit orders)',
  kill: () => 'flatten',
  long: (words) => trade('buy', words),
  margin: () => 'accounts show',
  orderbook: ([market]) => joined('quote', market ?? 'BTC', '--depth 8'),
  orders: () => 'order list',
  panic: () => 'flatten',
  pos: () => 'positions',
  price: ([market]) => joined('quote', market ?? 'BTC'),
  sell: (words) => trade('sell', words),
  short: (words) => trade('sell', words),
  sl: (words) => joined('stop', ...(words.length === 0 ? ['BTC', '1%'] : words)),
  status: () => 'accounts show',
  symbols: () => 'markets',
  ticker: ([market]) => joined('quote', market ?? 'BTC'),
  tp: (words) => joined('target', ...(words.length === 0 ? ['BTC', '3%'] : words)),
  trades: ([market]) => `fills (yours) or ${joined('perp stream trades', market ?? 'BTC')} (the market's)`,
  trail: () => 'guard add (trailing stops are a rule of the guard)',
  trailing: () => 'guard add (trailing stops are a rule of the guard)',
  ver: () => '--version',
};

/** Other tools' verbs, and perp's verbs that they most likely mean, in order. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  add: ['place', 'save', 'set'],
  change: ['amend', 'set', 'save'],
  close: ['cancel', 'close'],
  create: ['place', 'add', 'save', 'set'],
  delete: ['rm', 'delete', 'cancel'],
  describe: ['show', 'list'],
  edit: ['amend', 'save', 'set'],
  get: ['show', 'list'],
  info: ['show', 'list'],
  init: ['add'],
  ls: ['list'],
  modify: ['amend', 'save'],
  new: ['place', 'add', 'save', 'set'],
  open: ['place', 'list'],
  remove: ['rm', 'delete', 'cancel'],
  rm: ['delete', 'cancel'],
  save: ['set'],
  send: ['place'],
  status: ['status', 'show', 'list'],
  submit: ['place'],
  update: ['amend', 'save', 'set'],
  view: ['show', 'list'],
};

/** Options of other tools, and the perp options they most likely mean, in order. */
const options: Readonly<Record<string, readonly string[]>> = {
  '--amount': ['--size'],
  '--closed': ['--ended'],
  '--coin': ['--market'],
  '--count': ['--rungs', '--limit'],
  '--from': ['--since'],
  '--last': ['--limit'],
  '--lev': ['--leverage'],
  '--limit': ['--limit-price', '--price'],
  '--limit-price': ['--price'],
  '--tf': ['--interval'],
  '--orders': ['--rungs'],
  '--price': ['--limit-price'],
  '--qty': ['--size'],
  '--quantity': ['--size'],
  '--reduce': ['--reduce-only'],
  '--since': ['--from'],
  '--stop': ['--stop-loss', '--trigger-price'],
  '--stoploss': ['--stop-loss'],
  '--symbol': ['--market'],
  '--takeprofit': ['--take-profit'],
  '--target': ['--take-profit'],
  '--trigger': ['--trigger-price'],
  '--until': ['--to'],
  '-v': ['--version'],
};

/** Options that other tools have where perp has a command. */
const commandsInstead: Readonly<Record<string, string>> = {
  'config set --unset': 'config rm',
  'order cancel --all': 'cancel-all',
  'positions close --all': 'close-all',
};

const sides: ReadonlySet<string> = new Set(['buy', 'sell', 'long', 'short']);

/**
 * The command line that an unknown word most likely means, without `perp`; undefined if none is known. The word is the
 * first of the line, or the first after `noun`.
 */
export function commandMeant(noun: string, word: string, rest: readonly string[]): string | undefined {
  if (noun !== '' && !(noun === 'order' && sides.has(word.toLowerCase()))) return undefined;
  return Object.hasOwn(commands, word.toLowerCase()) ? commands[word.toLowerCase()]!(rest.map(shellWord)) : undefined;
}

/** The same for an unknown verb after `noun`, which has the verbs `known`. */
export function verbMeant(
  noun: string,
  word: string,
  rest: readonly string[],
  known: readonly string[],
): string | undefined {
  if (noun === 'order' && word === 'wait') return joined('order show', rest[0] ?? 'ORDER', '--wait');
  if (noun === '' || !Object.hasOwn(verbs, word.toLowerCase())) return undefined;
  const wanted = rest.length > 0 ? verbs[word.toLowerCase()]! : verbs[word.toLowerCase()]!.toReversed();
  const verb = wanted.find((one) => known.includes(one));
  if (verb === undefined) return undefined;
  return verb === 'list' ? joined(noun, verb) : joined(noun, verb, ...rest.map(shellWord));
}

/** The option that an unknown one most likely means, if the command has it. */
export function optionMeant(flag: string, known: (long: string) => boolean): string | undefined {
  return Object.hasOwn(options, flag) ? options[flag]!.find(known) : undefined;
}

/** The command that an unknown option of a command most likely means; undefined if none is known. */
export function commandInstead(path: string, flag: string): string | undefined {
  const line = `${path} ${flag}`;
  return Object.hasOwn(commandsInstead, line) ? commandsInstead[line] : undefined;
}

/** An entry without its market; one with all its words is repaired (`repairs.ts`). */
function trade(side: string, words: readonly string[]): string {
  return words.length === 0 ? `order place BTC ${side} 0.05` : joined('order place', 'MARKET', side, ...words);
}

function joined(...words: (string | undefined)[]): string {
  return words.filter((word) => word !== undefined).join(' ');
}
