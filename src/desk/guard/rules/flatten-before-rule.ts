import { times } from '../fields.ts';
import { alertAndLock, defineRule } from '../rule.ts';
import { latestOccurrence } from '../schedule.ts';

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
