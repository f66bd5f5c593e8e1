/** A time until now; the option adds its summary. */
export const pastTime = { value: 'TIME', kind: 'pastTime' } as const;

/** The period whose results are shown. */
export const periodOptions = {
  from: { ...pastTime, summary: 'start time, today, yesterday, or a duration before now, such as 7d' },
  to: { ...pastTime, summary: 'end time, yesterday, or a duration before now (default now)' },
};

/** Options that choose a stretch of a tape. */
export const rangeOptions = {
  from: { value: 'PLACE', summary: 'start at a bookmark, or at a time such as 14:00 (UTC)' },
  until: { value: 'PLACE', summary: 'end at a bookmark or a time' },
  market: { value: 'MARKET', kind: 'market', repeat: true, summary: 'only this market: id, coin or symbol' },
} as const;

/** The file or folder that a command writes. */
export const outOption = (value: 'FILE' | 'FOLDER', summary: string) =>
  ({ short: 'o', value, kind: 'file', required: true, summary }) as const;

/** Which side of the trigger price fires a conditional order. */
export const triggerDirection = {
  value: 'WAY',
  choices: ['above', 'below'],
  summary: 'which side of the trigger price fires it',
} as const;

/** Options that only a new simulation takes. */
export const newSimulationOptions = {
  seed: {
    value: 'N',
    kind: 'count',
    maximum: 999_999_999,
    summary: 'random seed; the same seed gives the same prices',
  },
  plan: {
    value: 'PLAN,...',
    summary:
      'challenge plan of the accounts: select, prime or none (no rules, no rooms); select,none: in turn (default select)',
  },
  balance: {
    value: 'USD',
    kind: 'amount',
    maximum: 1_000_000_000,
    summary: 'starting balance of each account (default 100000)',
  },
  accounts: { value: 'N', kind: 'count', maximum: 100, summary: 'number of accounts (default: one for each plan)' },
} as const;

/** How a simulation behaves to its clients. */
export const weatherOption = {
  value: 'SEED|FILE|off',
  summary:
    'lost answers, 429, draining streams and more, as on a bad day of a real service; the same for the same seed',
} as const;

/** How a simulation is served. */
export const servingOptions = {
  from: { value: 'PLACE', summary: 'start a recording at a bookmark, or at a time such as 14:00 (UTC)' },
  'as-now': {
    summary: 'shift a recording to the wall clock and repeat it without end, for clients that refuse old prices',
  },
  'rate-limit': { value: 'N|off', summary: 'requests per minute per client address (default 300)' },
  weather: weatherOption,
} as const;
