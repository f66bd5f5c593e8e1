/** The options that decide where a command goes. */
const places = ['env', 'state', 'books', 'api-key-file'] as const;

/** Commands that another simulation, host or account would answer in another way. */
const command =
  /\bperp (?=(accounts|candles|chart|copy|exits|fills|flatten|guard|journal|markets|order|pnl|positions|quote|report|reverse|scaled|sim|stop|stream|target|twap|watch)\b(?![^.;,]*--(?:state|env|books) ))/g;

/** The global options of a command line that say where it goes. */
type Chosen = { readonly [Name in 'env' | 'state' | 'books' | 'apiKeyFile' | 'account']?: unknown };

/** What a command line needs to go where another one goes. */
export interface Place {
  /** ` --env live`, ` --state friday`; empty if nothing. */
  readonly place: string;
  /** ` --account 2`; empty if none was given. */
  readonly ofAccount: string;
}

/** The place of a command line, as options. */
export function placeOf(given: Chosen): Place {
  const option = (name: string, value: unknown) => (value === undefined ? '' : ` --${name} ${word(String(value))}`);
  const values = { env: given.env, state: given.state, books: given.books, 'api-key-file': given.apiKeyFile };
  return {
    place: places.map((name) => option(name, values[name])).join(''),
    ofAccount: option('account', given.account),
  };
}

/** A sentence whose commands, typed back, go where the command that says it went. */
export function inThisPlace(text: string, { place, ofAccount }: Place): string {
  return text.replace(command, (_, name: string) => {
    return `perp${place}${name === 'accounts' || name === 'sim' ? '' : ofAccount} `;
  });
}

function word(value: string): string {
  return /^[\w.:/@%+-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
