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
