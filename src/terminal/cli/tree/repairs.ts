import { Failure, usageFailure } from '../../../base/failure/failure.ts';

/**
 * A line that was refused, with the line that it most likely means in place of its hint, if one is known that reads.
 */
export function withRepair(error: unknown, words: readonly string[], reads: (line: string[]) => boolean): unknown {
  if (!(error instanceof Failure) || error.facts.code !== 'usage') return error;
  const meant = lineMeant(words, reads);
  return meant === undefined ? error : usageFailure(error.message, `Did you mean perp ${meant}?`);
}

/** Only what a shell takes as it stands, and no long word, which may be a secret. */
const plainWord = /^[\w.:%+,@=/-]{1,40}$/;
const maxWords = 24;

/** The first line that the repairs lead to and that reads. */
function lineMeant(words: readonly string[], reads: (line: string[]) => boolean): string | undefined {
  if (words.length > maxWords || !words.every((word) => plainWord.test(word))) return undefined;
  let line = words.join(' ');
  let isRepaired = false;
  for (const repair of [...wordings, inOrder, ...places]) {
    const next = typeof repair === 'function' ? repair(line) : line.replace(repair[0], repair[1]);
    isRepaired ||= next !== line;
    line = next;
  }
  return isRepaired && reads(line.split(' ')) ? line : undefined;
}

type Repair = readonly [wrong: RegExp, right: string];

/** Other tools' words for commands, and options of theirs with a value that perp writes otherwise. */
const wordings: readonly Repair[] = [
  [/^perp /, ''],
  [/^(?:open )?orders(?= |$)/, 'order list'],
  [/^order list (place|list|amend|cancel|show|explain|exits)(?= |$)/, 'order $1'],
  [/^position /, 'positions '],
  [/^account /, 'accounts '],
  [/^market (?=list|show)/, 'markets '],
  [/^(?:market|limit|bracket|open) (?=\w+ )/, 'order place '],
  [/^order (?:market|limit|new|bracket|open) /, 'order place '],
  [/^(?:order )?(buy|sell|long|short) (?=[^ ]+ [\d.$])/i, 'order place $1 '],
  [/^(?:order )?(buy|sell|long|short) (?=[\d.]+[a-z%]* [A-Z])/i, 'order place $1 '],
  [/^(?:scale|ladder) (?=[^ ]+ (?:buy|sell) )/, 'scaled place '],
  [/^(twap|scaled) (?:buy|sell|[A-Z]{2,6}) /, '$1 place $&'],
  [/^(twap|scaled) place \1 /, '$1 place '],
  [/^(twap|scaled) (?:stop|end|kill) /, '$1 cancel '],
  [/^(?:stop-loss|stop loss|stoploss) /, 'stop '],
  [/^(?:take-profit|take profit|takeprofit) /, 'target '],
  [/^(stop|target) (?:cancel|remove|delete|off) ([^ ]+)$/, '$1 $2 none'],
  [/^(stop|target) ([^ ]+) ([\d.]+) (?:%|percent|pct)$/, '$1 $2 $3%'],
  [/^(stop|target) ([^ ]+) ([\d.]+) r$/i, '$1 $2 $3R'],
  [/^(?:set|move) (?=stop |target )/, ''],
  [/^(stop|target) (?:set|move|at|to) (?=[^ ]+ [^ ]+(?: --|$))/, '$1 '],
  [/^(stop|target) ([^ =]+)(?: (?:at|to|@) |=)(?=[^ ]+(?: --|$))/, '$1 $2 '],
  [/^(stop|target) ([\d.]+%?) ([A-Za-z]{2,9})$/, '$1 $3 $2'],
  [/^(stop|target) ([^ ]+) (?:delete|clear|cancel)$/, '$1 $2 none'],
  [/^(?:close|exit) all\b/, 'close-all'],
  [/^positions close (?:all|--all)\b/, 'close-all'],
  [/^flatten (?:all|everything|now)\b/, 'flatten'],
  [/^(?:flat|panic)\b(?! )/, 'flatten'],
  [/^(?:close-all|flatten) (?=[A-Za-z]+\b)/, 'positions close '],
  [/^close ([\d.]+%|half) ([A-Za-z]{2,9})$/, 'close $2 $1'],
  [/^close (?=[\w:]+)/, 'positions close '],
  [/^(positions close [^ ]+) (?:market|full|all)$/, '$1'],
  [/^(positions close [^ ]+) --?half$/, '$1 half'],
  [/^(positions close [^ ]+) 1\/2$/, '$1 half'],
  [/^(positions close [^ ]+) --(?:percent|pct)[ =](\d+)%?$/, '$1 --size $2%'],
  [/^positions close ([^ ]+) half\b/, 'positions close $1 --size 50%'],
  [/^positions close ([^ ]+) ([\d.]+%|0?\.\d+)(?= |$)/, 'positions close $1 --size $2'],
  [/^(positions close .*--size )half\b/, '$150%'],
  [/^(?:order )?cancel (?:all|--all)\b/, 'cancel-all'],
  [/^cancel-all (?:orders|everything)$/, 'cancel-all'],
  [/^cancel-all (buy|sell)s? ([A-Z]{2,9})$/, 'cancel-all --market $2 --side $1'],
  [/^cancel-all ([A-Z]{2,9}) (buy|sell)s?$/, 'cancel-all --market $1 --side $2'],
  [/^(?:cancel-all|cancel) (?:the )?(buy|sell)s?\b/, 'cancel-all --side $1'],
  [/^(?:cancel-all|cancel) ([A-Za-z]{2,9})(?= |$)/, 'cancel-all --market $1'],
  [/^(?:flip|turn) /, 'reverse '],
  [/^(?:portfolio|holdings)$/, 'positions'],
  [/^use (?=acc_)/, 'accounts use '],
  [/^accounts (?:switch|select|choose) /, 'accounts use '],
  [/^accounts (?=acc_)/, 'accounts show '],
  [/^markets (?=[A-Z0-9]+$)/, 'markets show '],
  [/^order (?=[A-Z0-9]{2,9}$)/, 'order list --market '],
  [/^fills (?:--last )?(\d+)$/, 'fills --limit $1'],
  [/^fills (?:--)?(today|yesterday)$/, 'fills --since $1'],
  [/^(fills|order list) (?=[A-Z][A-Z0-9]{1,8}(?: |$))/, '$1 --market '],
  [/^order list --open\b/, 'order list'],
  [/^order (?:history|list (?:--)?(?:filled|closed|ended|history|done))$/, 'order list --ended'],
  [
    /^(?:order )?(?:amend|modify|change|edit|move|replace) (?=[^ ]+ (?:--price|--limit-price|to|[\d.]+)(?: |$))/,
    'order amend ',
  ],
  [/^order amend ([^ ]+) (?:to )?([\d.]+)$/, 'order amend $1 --price $2'],
  [/^(order amend [^ ]+) --limit-price /, '$1 --price '],
  [/^pnl (?:--)?(today|yesterday)$/, 'pnl --from $1'],
  [/^pnl (?:this |--)?week$/, 'pnl --from 7d'],
  [/^positions (?:list )?(?=[A-Z]{2,9}$)/, 'positions show '],
  [/^add margin ([^ ]+) (?=[\d.]+$)/, 'positions margin $1 '],
  [/^sim clock (?:pause|stop)$/, 'sim pause'],
  [/^sim clock (?:run|resume|start)$/, 'sim resume'],
  [/^twap list all$/, 'twap list --all'],
  [/^(candles [^ ]+) (\d+[smhdw]) (\d+)$/, '$1 --interval $2 --limit $3'],
  [/^(candles|chart|watch) ([^ ]+) (?:--tf|--timeframe|-i)[ =]/, '$1 $2 --interval '],
  [/ --range[ =]([\d.]+)-([\d.]+)(?= |$)/, ' --from $1 --to $2'],
  [/ --start[ =]([\d.]+) --end[ =]([\d.]+)(?= |$)/, ' --from $1 --to $2'],
  [/ --(?:duration|minutes|mins)[ =](\d+)(?: ?min(?:ute)?s?)(?= |$)/, ' --duration $1m'],
  [/ --(?:minutes|mins)[ =](?=\d+(?: |$))/, ' --minutes='],
  [/ --minutes=(\d+)/, ' --duration $1m'],
  [/ --duration (\d+h\d+)(?= |$)/, ' --duration $1m'],
  [/^config set ([\w.]+)=(?=.)/, 'config set $1 '],
  [/^login (live|sandbox)\b/, 'login --env $1'],
  [/^(chart|candles|watch|ladder) ([^ ]+) (\d+[smhdw])$/, '$1 $2 --interval $3'],
  [/ --interval (\d+) ?m(?:in|inutes?)?(?= |$)/, ' --interval $1m'],
  [/ --for (?=\d)/, ' --duration '],
  [/ -(sl|tp) /, ' --$1 '],
  [/ --y(?= |$)/, ' --yes'],
  [/ --dry(?= |$)/, ' --dry-run'],
  [/ --(isolated|cross)(?= |$)/, ' --margin $1'],
  [/( --limit-price [\d.]+) --(?:post-only|postonly|maker)(?= |$)/, '$1'],
  [/( --limit-price [\d.]+) --(ioc|fok)(?= |$)/, '$1 --tif $2'],
  [/ --(stop|target|stop-loss|take-profit|sl|tp)[ =]([\d.]+) %/, ' --$1 $2%'],
  [/ --sl[ =]/, ' --stop-loss '],
  [/ --tp[ =]/, ' --take-profit '],
  [/ --margin-mode[ =]/, ' --margin '],
  [/ --leverage ([\d.]+) x(?= |$)/, ' --leverage $1'],
  [/ --type limit @?(?=[\d.]+(?: |$))/, ' --limit-price '],
  [/ --tif gtc(?= |$)/i, ''],
  [/( --limit-price [\d.]+) --gtc(?= |$)/, '$1'],
  [/^sim advance (\d+) (hour|minute|second|day)s?\b/, 'sim advance $1$2'],
  [/^(sim advance \d+[hmsd])(?:our|inute|econd|ay)\b/, '$1'],
];

/** The values that follow market, side and size of an entry without their options. */
const places: readonly Repair[] = [
  [/^((?:order|twap|scaled) place [^ ]+ [^ ]+) (?:usd|\$)(?=[\d.]+k?(?: |$))/i, '$1 $$'],
  [/^((?:order|twap|scaled) place [^ ]+ [^ ]+) \$([\d.]+k?)(?= |$)/i, '$1 $2usd'],
  [/^(order place [^ ]+ [^ ]+) ([\d.]+%)-?risk(?= |$)/, '$1 risk:$2'],
  [/^(order place [^ ]+ [^ ]+) risk[ =]([\d.]+)(?: ?)%(?= |$)/, '$1 risk:$2%'],
  [/^(order place [^ ]+ [^ ]+) ([\d.]+)@(?=[\d.]+)/, '$1 $2 @'],
  [/^(order place [^ ]+ [^ ]+ [^ ]+) (?:limit|price)=(?=[\d.]+)/, '$1 @'],
  [/^(order place [^ ]+ [^ ]+ [^ ]+) market$/, '$1'],
  [/^(order place [^ ]+ [^ ]+ [^ ]+) (?:x(\d+)|(\d+)x)(?= --|$)/, '$1 --leverage $2$3'],
  [/^(order place [^ ]+ [^ ]+ [^ ]+) (?:sl|stop)[ =:]([\d.]+%?)(?= |$)/, '$1 --stop-loss $2'],
  [
    /^(order place [^ ]+ [^ ]+ [^ ]+(?: --stop-loss [^ ]+)?) (?:tp|target)[ =:]([\d.]+%?)(?= |$)/,
    '$1 --take-profit $2',
  ],
  [/^((?:order|twap|scaled) place [^ ]+ [^ ]+ [\d.]+k?) (?:usd[tc]?|dollars?)(?= |$)/i, '$1usd'],
  [/^((?:order|twap|scaled) place [^ ]+ [^ ]+ [\d.]+) (btc|eth|sol|%)(?= |$)/i, '$1$2'],
  [/^((?:order|twap|scaled) place [^ ]+ [^ ]+ [\d.]+)(?:btc|eth|sol)(?= |$)/i, '$1'],
  [/^(order place [^ ]+ [^ ]+ [^ ]+) (?:at |limit |@ ?)?@?([\d.]+)(?= |$)/, '$1 --limit-price $2'],
  [/^(twap place [^ ]+ [^ ]+ [^ ]+) (?:for |over )?(\d+[smhd])(?= |$)/, '$1 --duration $2'],
  [/^(scaled place [^ ]+ [^ ]+ [^ ]+) ([\d.]+)[- ]([\d.]+) (\d+)(?= |$)/, '$1 --from $2 --to $3 --rungs $4'],
];

/** Options that other tools have for market, side and size of an entry. */
const typedAsOptions = / --(?:(?:market|symbol|side|size|qty|amount)[ =]|(?=(?:buy|sell) ))/g;

/** Market, side and size of an entry in their order, whatever order they were typed in. */
function inOrder(line: string): string {
  const [noun, verb, ...words] = line.split(' ');
  if (verb !== 'place') return line;
  const typed = words.slice(0, 3);
  if (typed.some((word) => word.startsWith('-'))) {
    const without = line.replaceAll(typedAsOptions, ' ');
    return without === line ? line : inOrder(without);
  }
  const side = typed.find((word) => Object.hasOwn(sides, word.toLowerCase()));
  const size = typed.find((word) => /^(?:\d|\.\d|risk:|max$)/i.test(word));
  const market = typed.find((word) => word !== side && word !== size);
  if (side === undefined || size === undefined || market === undefined) return line;
  return [noun, verb, market, sides[side.toLowerCase()], size, ...words.slice(3)].join(' ');
}

const sides: Readonly<Record<string, string>> = {
  ...{ buy: 'buy', long: 'buy', b: 'buy', bid: 'buy' },
  ...{ sell: 'sell', short: 'sell', s: 'sell', ask: 'sell' },
};
