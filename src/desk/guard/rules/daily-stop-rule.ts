import { usd } from '../../../base/text/format.ts';
import { loss } from '../fields.ts';
import { alertAndLock, dayKey, defineRule } from '../rule.ts';

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
