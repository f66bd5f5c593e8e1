/** Words that other tools use for a command of perp. The first words are theirs, what follows is what they gave. */
const commands: Readonly<Record<string, (words: readonly string[]) => string>> = {
  balance: () => 'accounts show',
  bal: () => 'accounts show',
  book: ([market]) => joined('quote', market ?? 'BTC', '--depth 8'),
  buy: (words) => trade('buy', words),
  cancel: (words) => joined('order cancel', ...words),
  close: (words) => joined('positions close', ...words),
  depth: ([market]) => joined('quote', market ?? 'BTC', '--depth 8'),
  equity: () => 'accounts show',
  exit: (words) => joined('positions close', ...words),
  history: () => 'fills',
  long: (words) => trade('buy', words),
  margin: () => 'accounts show',
  orders: () => 'order list',
  panic: () => 'flatten',
  pos: () => 'positions',
  price: ([market]) => joined('quote', market ?? 'BTC'),
  sell: (words) => trade('sell', words),
  short: (words) => trade('sell', words),
  symbols: () => 'markets',
  ticker: ([market]) => joined('quote', market ?? 'BTC'),
  trades: () => 'fills',
  ver: () => '--version',
  version: () => '--version',
};

/** Options of other tools, and those of perp that they most likely mean, in order. */
const options: Readonly<Record<string, readonly string[]>> = {
  '--amount': ['--size'],
  '--lev': ['--leverage'],
  '--limit': ['--limit-price', '--price'],
  '--price': ['--limit-price'],
  '--qty': ['--size'],
  '--quantity': ['--size'],
  '--reduce': ['--reduce-only'],
  '--sl': ['--stop-loss'],
  '--stop': ['--stop-loss', '--trigger-price'],
  '--stoploss': ['--stop-loss'],
  '--takeprofit': ['--take-profit'],
  '--target': ['--take-profit'],
  '--tp': ['--take-profit'],
  '--trigger': ['--trigger-price'],
  '-v': ['--version'],
};

/** The command line that an unknown first word most likely means, without `perp`; undefined if none is known. */
export function commandMeant(word: string, rest: readonly string[]): string | undefined {
  return Object.hasOwn(commands, word.toLowerCase()) ? commands[word.toLowerCase()]!(rest) : undefined;
}

/** The option that an unknown one most likely means, if the command has it. */
export function optionMeant(flag: string, known: (long: string) => boolean): string | undefined {
  return Object.hasOwn(options, flag) ? options[flag]!.find(known) : undefined;
}

/** `perp buy BTC 0.05` and `perp buy 0.05 BTC`. */
function trade(side: string, words: readonly string[]): string {
  const [one, other, ...rest] = words;
  if (one === undefined) return `order place BTC ${side} 0.05`;
  const isSizeFirst = /^[\d.$]/.test(one) && other !== undefined && !/^[\d.$-]/.test(other);
  return isSizeFirst
    ? joined('order place', other, side, one, ...rest)
    : joined('order place', one, side, other, ...rest);
}

function joined(...words: (string | undefined)[]): string {
  return words.filter((word) => word !== undefined).join(' ');
}
