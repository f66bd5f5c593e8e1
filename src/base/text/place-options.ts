import { shellWord } from './plain-text.ts';

/** The options that decide the destination of a command. */
const places = ['env', 'profile', 'state', 'books', 'api-key-file'] as const;

/** Commands that another simulation, host or account would answer differently. */
const command =
  /\bperp (?=(accounts|cancel-all|candles|chart|close-all|copy|exits|fills|flatten|guard|journal|markets|order|plan|pnl|positions|quote|report|reverse|scaled|sim|stop|stream|target|twap|watch)\b(?![^.;,]*--(?:state|env|books|profile) ))/g;

/** Commands of a login, which belongs to a profile. */
const login = /\bperp (?=(?:login|logout|whoami)\b(?![^.;,]*--profile ))/g;

/** The global options of a command line that set its destination. */
type Chosen = { readonly [Name in 'env' | 'profile' | 'state' | 'books' | 'apiKeyFile' | 'account']?: unknown };

/** The options that make a command line go where another one goes. */
export interface Place {
  /** ` --env live`, ` --state friday`; empty if nothing. */
  readonly place: string;
  /** ` --profile prop`; empty if none was given. */
  readonly ofProfile: string;
  /** ` --account 2`; empty if none was given. */
  readonly ofAccount: string;
}

/** The place of a command line, as options. */
export function placeOf(given: Chosen): Place {
  const option = (name: string, value: unknown) =>
    value === undefined ? '' : ` --${name} ${shellWord(String(value))}`;
  const { profile } = given;
  const values = { env: given.env, profile, state: given.state, books: given.books, 'api-key-file': given.apiKeyFile };
  return {
    place: places.map((name) => option(name, values[name])).join(''),
    ofProfile: option('profile', profile),
    ofAccount: option('account', given.account),
  };
}

/** A sentence whose commands, typed back, have the same destination as the command that printed it. */
export function withPlace(text: string, { place, ofProfile, ofAccount }: Place): string {
  return text.replace(login, `perp${ofProfile} `).replace(command, (_, name: string) => {
    return `perp${place}${name === 'accounts' || name === 'sim' ? '' : ofAccount} `;
  });
}
