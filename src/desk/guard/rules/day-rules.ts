import { usd } from '../../../base/text/format.ts';
import { alertAnd, alertAndLock, count, dayKey, defineRule, hours, loss, times } from '../rule.ts';
import { latestOccurrence, windowAt } from '../schedule.ts';
import { resultOf } from '../view.ts';

/** The loss of the day, with open positions. */
export const dailyStop = defineRule({
  fields: { loss },
  needs: ['equity'],
  steps: ['lock', 'flatten'],
  isDaily: true,
  condition: ({ written }) => `equity is ${written.loss} below its value at the start of the day`,
  consequence: alertAndLock,
  judge(rule, { equity, dayStart: began, day }) {
    if (equity === null || began === null) return [];
    const limit = rule.loss.unit === 'percent' ? (began * rule.loss.amount) / 100 : rule.loss.amount;
    const lost = began - equity;
    if (lost < limit) return [];
    const says = `Daily stop: ${usd(lost)} USD lost since the start of the day at ${usd(began)} (limit ${usd(limit)})`;
    return [{ key: dayKey(rule, day), says, facts: { equity, day_start_equity: began, loss: lost, limit } }];
  },
  template: `
# [daily-stop]                 # loss since the start of the day, including open positions
# loss = "2%"                  # of the day's first equity; or "500usd"
# do = ["lock", "flatten"]
`,
  docs: "equity is this far below the day's start: `2%` of it, or `500usd`",
});

/** The number of positions of the day. */
export const maxTrades = defineRule({
  fields: { trades: count },
  needs: ['positions', 'closed'],
  steps: ['lock'],
  isDaily: true,
  condition: ({ trades }) =>
    `${trades} ${trades === 1 ? 'position has' : 'positions have'} been opened since the start of the day`,
  consequence: alertAndLock,
  judge(rule, { positions, closed, day }) {
    // The lists are not read at one moment, so a position may be in both.
    const today = [...positions, ...closed].filter(({ opened_at }) => opened_at >= day);
    const trades = new Set(today.map(({ id }) => id)).size;
    if (trades < rule.trades) return [];
    const says = `${trades} ${trades === 1 ? 'trade' : 'trades'} today (limit ${rule.trades})`;
    return [{ key: dayKey(rule, day), says, facts: { trades, limit: rule.trades } }];
  },
  template: `
# [max-trades]                 # positions opened since the start of the day
# trades = 10
# do = ["lock"]
`,
  docs: 'this many positions were opened today',
});

/** Losses in a row. */
export const maxLosses = defineRule({
  fields: { losses: count },
  needs: ['closed'],
  steps: ['lock'],
  isDaily: false,
  condition: ({ losses }) =>
    losses === 1
      ? 'a position has closed with a loss since the start of the day'
      : `${losses} positions in a row have closed with a loss since the start of the day`,
  consequence: alertAndLock,
  judge(rule, { closed }) {
    const firstWin = closed.findIndex((position) => resultOf(position) >= 0);
    const streak = closed.slice(0, firstWin < 0 ? undefined : firstWin);
    if (streak.length < rule.losses) return [];
    const lost = -streak.reduce((sum, position) => sum + resultOf(position), 0);
    const losses = `${streak.length} ${streak.length === 1 ? 'loss' : 'losses in a row'}`;
    const says = `${losses} today, ${usd(lost)} USD (limit ${rule.losses})`;
    // The key contains the streak's first loss, so a longer streak has the same key.
    const key = `${rule.id}@${streak.at(-1)!.id}`;
    return [{ key, says, facts: { losses: streak.length, lost, limit: rule.losses } }];
  },
  template: `
# [max-losses]                 # positions in a row closed with a loss since the start of the day
# losses = 3
# do = ["lock"]
`,
  docs: 'this many positions in a row closed at a loss today, after fees and carry',
});

/** Hours without new exposure. */
export const noTrade = defineRule({
  fields: { hours },
  needs: [],
  steps: ['lock'],
  isDaily: false,
  condition: ({ written }) => `it is ${written.hours}`,
  consequence: alertAnd('then'),
  judge(rule, { time, zone }) {
    const spans = rule.hours.map((window) => windowAt(window, time, zone)).filter((span) => span !== undefined);
    if (spans.length === 0) return [];
    const start = Math.min(...spans.map((span) => span.start));
    const until = Math.max(...spans.map((span) => span.end));
    const says = `No-trade hours (${rule.written.hours})`;
    return [{ key: `${rule.id}@${start}`, says, facts: { start, until }, until }];
  },
  template: `
# [no-trade]                   # locks until these hours end
# hours = ["22:00-02:00", "Fri 16:00-24:00", "Sat-Sun"]
# do = ["lock"]
`,
  docs: 'it is one of these hours: `"22:00-02:00"`, `"Sat-Sun"`, `"Fri 16:00-24:00"`; its lock ends with them',
});

/** A time that was missed by more than this is only reported, ms. */
const latestMs = 3_600_000;

/** Times to be flat. */
export const flattenBefore = defineRule({
  fields: { times },
  needs: [],
  steps: ['flatten'],
  isDaily: false,
  condition: ({ written }) => `it is ${written.times}`,
  consequence: alertAndLock,
  judge(rule, { time, before, zone }) {
    if (before === null) return [];
    return rule.times.flatMap((moment) => {
      const at = latestOccurrence(moment, time, zone);
      // Setting the clock back must not hide a time: firings are remembered by their keys.
      if (at === undefined || at <= Math.min(before, time - 1)) return [];
      const isLate = time - at > latestMs;
      const key = `${rule.id}@${at}`;
      const facts = { at, late: isLate };
      if (!isLate) return [{ key, says: `Flat time reached (${rule.written.times})`, facts }];
      const says = `A flat time was missed (${rule.written.times}); nothing was closed`;
      return [{ key, says, facts, steps: [] }];
    });
  },
  template: `
# [flatten-before]
# times = ["16:55", "Fri 16:30", "2026-12-10 08:25"]
# do = ["flatten"]
`,
  docs: 'it is one of these times: `"16:55"`, `"Fri 16:30"`, `"2026-12-10 08:25"`',
});
