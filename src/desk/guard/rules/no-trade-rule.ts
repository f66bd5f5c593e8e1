import { hours } from '../fields.ts';
import { alertAnd, defineRule } from '../rule.ts';
import { windowAt } from '../schedule.ts';

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
