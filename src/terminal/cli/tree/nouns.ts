/** The first words of what a day needs, under the titles of `perp help`, which fits a screen of 80x40. */
export const daily: readonly (readonly [title: string, words: readonly string[]])[] = [
  ['Trade', ['order', 'stop', 'target', 'plan', 'twap', 'flatten', 'guard']],
  ['Look', ['watch', 'ladder', 'markets', 'quote', 'chart', 'accounts', 'positions']],
  ['Review', ['day', 'journal', 'pnl', 'report']],
  ['Simulate', ['tour', 'practice', 'sim']],
];

/** All first words, in the order and under the titles of `perp help commands`. */
export const sections: readonly (readonly [title: string, words: readonly string[]])[] = [
  ['View', ['watch', 'ladder', 'markets', 'quote', 'candles', 'chart', 'stream', 'accounts', 'positions', 'fills']],
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
  accounts: 'List accounts, their risk and trading policies',
  audit: 'Review bot requests and their outcomes',
  config: 'Read and change settings',
  copy: "Copy a lead account's trades to follower accounts",
  gate: 'Give bots their own keys and limits, not your credential',
  'gate key': "Manage the bots' keys for the gate",
  guard: 'Enforce your own rules: stops, limits, alerts',
  journal: 'Review round trips, with your notes and tags',
  lab: 'Run strategies many times and evaluate the results',
  mandate: 'Set what a bot may trade',
  markets: 'List tradable markets',
  order: 'Place, follow, amend and cancel orders',
  pending: 'Settle writes with an unknown outcome',
  plan: 'Plan exits: several targets, break-even, a trailing stop',
  profile: 'Manage named logins and environments',
  positions: 'Show and close positions; set exits and margin',
  scaled: 'Place ladders of limit orders',
  sdk: 'Set up the library for your own programs',
  sim: 'Control the local simulation',
  'sim bookmarks': 'Manage bookmarks in the current recording',
  'sim key': "Manage the simulation's API keys",
  'sim markets': 'Measure simulated markets',
  'sim tapes': 'List, verify and cut recorded tapes',
  stream: 'Stream market data and account changes',
  twap: 'Work orders over time (TWAP and VWAP)',
};

/** The command that runs when a noun is given without a verb, if it isn't the noun's list. */
export const defaultVerbs: { readonly [Noun in string]?: string } = {
  gate: 'status',
  guard: 'run',
  mandate: 'show',
  plan: 'apply',
};
