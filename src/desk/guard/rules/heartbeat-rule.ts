import { duration, file } from '../fields.ts';
import { alertAndLock, defineRule } from '../rule.ts';

/** A dead man's switch. */
export const heartbeat = defineRule({
  fields: { file, 'max-age': duration },
  needs: ['silences'],
  steps: ['flatten'],
  isDaily: false,
  condition: ({ file: path, written }) => `${path} has not been touched for ${written['max-age']}`,
  consequence: alertAndLock,
  judge(rule, { silences }) {
    const silentMs = silences.get(rule.file) ?? 0;
    return {
      holds: silentMs >= rule.maxAge,
      says: () => `No heartbeat: ${rule.file} has not been touched for ${Math.floor(silentMs / 1000)}s`,
      facts: { silent_ms: silentMs },
    };
  },
  template: `
# [heartbeat]                  # a dead man's switch: fires when the file has not been touched for max-age
# file = "/run/user/1000/bot.alive"
# max-age = "60s"
# do = ["flatten"]
`,
  docs: "the file hasn't been touched for this long: a dead man's switch",
});
