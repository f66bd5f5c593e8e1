/** The first words of what a day needs, under the titles of `perp help`, which fits a screen of 80x40. */
export const daily: readonly (readonly [title: string, words: readonly string[]])[] = [
  ['Trade', ['order', 'stop', 'target', 'plan', 'twap', 'flatten', 'guard']],
  ['Look', ['watch', 'ladder', 'markets', 'quote', 'chart', 'accounts', 'positions']],
  ['Review', ['day', 'journal', 'pnl', 'report']],
  ['Simulate', ['tour', 'practice', 'sim']],
];

/** All first words, in the order and under the titles of `perp help commands`. */
export const sections: readonly (readonly [title: string, words: readonly string[]])[] = [
  [
    'View',
    [
      'watch',
      'ladder',
      'markets',
      'quote',
      'candles',
      'chart',
      'stream',
      'accounts',
      'positions',
      'fills',
      'countries',
    ],
  ],
  [
    'Trade',
    [
      'order',
      'stop',
      'target',
      'plan',
      'twap',
      'scaled',
      'copy',
      'reverse',
      'flatten',
      'cancel-all',
      'close-all',
      'guard',
    ],
  ],
  ['Review', ['day', 'odds', 'pnl', 'journal', 'report']],
  ['Simulate', ['tour', 'practice', 'sim', 'lab']],
  ['Bots', ['mandate', 'gate', 'approve', 'audit', 'mcp']],
  ['Script', ['wait', 'batch', 'pending', 'api', 'schema', 'sdk']],
  ['Set up', ['login', 'logout', 'whoami', 'profile', 'config', 'completion', 'doctor', 'version']],
];

/** Summaries of the nouns that have several verbs. */
export const nounSummaries: Readonly<Record<string, string>> = {
  accounts: 'Accounts, their risk and trading policy',
  audit: 'The audit log of the gate: what bots asked for, and what came of it',
  config: 'Settings in the config file',
  copy: 'Copy-trading groups: a lead and its followers',
  gate: 'The API for bots: each with a key and a mandate, the credential stays here',
  'gate key': 'Keys of bots for the gate',
  guard: 'Your own rules, enforced: stops, limits, alerts',
  journal: 'Round trips, with your notes and tags',
  lab: 'Strategies: many runs, and what they prove',
  mandate: 'What a bot may trade: terms that only you can loosen',
  markets: 'Tradable markets',
  order: 'Place, follow, amend and cancel orders',
  pending: 'Writes with an unknown outcome',
  plan: 'Exit plans: several targets, break-even, a trail',
  profile: 'Several logins and places, each with a name',
  positions: 'Open and closed positions, their exits and margin',
  scaled: 'Ladders of limit orders',
  sdk: 'The library for your own programs',
  sim: 'The local simulation',
  'sim bookmarks': 'Bookmarks in the current recording',
  'sim key': 'API keys for other clients of the simulation',
  'sim markets': 'Statistics of simulated markets',
  'sim tapes': 'Recorded tapes: what is on them, proofs, cuts',
  stream: 'Live market data and account changes',
  twap: 'Orders worked over time (TWAP and VWAP)',
};

/** What runs when a noun is given without a verb, if that is not its list. */
export const defaultVerbs: { readonly [Noun in string]?: string } = {
  gate: 'status',
  guard: 'run',
  mandate: 'show',
  plan: 'apply',
};
