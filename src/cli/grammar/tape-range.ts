/** Options that choose a stretch of a tape. */
export const rangeOptions = {
  from: { value: 'PLACE', summary: 'start at a bookmark, or at a time such as 14:00 (UTC)' },
  until: { value: 'PLACE', summary: 'end at a bookmark or a time' },
  market: { value: 'MARKET', kind: 'market', repeat: true, summary: 'only this market: id, coin or symbol' },
} as const;
