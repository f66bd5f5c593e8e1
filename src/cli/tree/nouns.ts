/** The first words in the order and under the titles that help shows them. */
export const sections: readonly (readonly [title: string, words: readonly string[]])[] = [
  ['Look', ['markets', 'quote', 'candles', 'stream', 'accounts', 'positions', 'fills', 'countries']],
  ['Trade', ['order', 'twap', 'scaled', 'copy', 'cancel-all', 'close-all']],
  ['Practise', ['sim']],
  ['Set up', ['login', 'logout', 'whoami', 'pending', 'batch', 'config', 'completion', 'doctor']],
];

/** What a noun with several verbs is about. */
export const nounSummaries: Readonly<Record<string, string>> = {
  accounts: 'Accounts, their risk and trading policy',
  config: 'Settings kept in the config file',
  copy: 'Copy-trading groups: a lead and its followers',
  markets: 'What can be traded',
  order: 'Place, follow, amend and cancel orders of every kind',
  pending: 'Writes whose outcome is not known yet',
  positions: 'Open and closed positions, their exits and margin',
  scaled: 'Ladders of limit orders',
  sim: 'The local simulation',
  'sim bookmarks': 'Named moments of the recording that is played',
  'sim keys': 'API keys for other clients of the simulation',
  'sim markets': 'What the markets of a simulation are like',
  stream: 'Market data and account changes as they come',
  twap: 'Orders worked over time (TWAP and VWAP)',
};
