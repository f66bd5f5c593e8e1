/** Changes every file that processes share, as often as asked. */
import { writeSync } from 'node:fs';
import { BotsFile, gateFolder } from '../../../../src/bots/gate/bots-file.ts';
import { Journal } from '../../../../src/desk/account/journal.ts';
import { KeptSessions } from '../../../../src/desk/credentials/kept-sessions.ts';
import { keepPlan, savePlan } from '../../../../src/desk/guard/plans.ts';
import { lockAccount } from '../../../../src/desk/lock/trading-lock.ts';
import { signMandate } from '../../../../src/desk/mandate/signed.ts';
import { storeAnnounced } from '../../../../src/desk/reading/endings.ts';
import { remember } from '../../../../src/desk/resolve/remembered.ts';
import { writeConfig } from '../../../../src/terminal/console/settings/config-file.ts';
import { useByHand } from '../../../../src/terminal/console/settings/in-use.ts';
import { setBookmark } from '../../../../src/venues/live/practice.ts';
import { writeSummaries } from '../../../../src/venues/tape/summary.ts';

export type Write = (nth: string) => void | Promise<void>;

const variables = process.env;
const folder = variables.PERP_STATE_DIR!;

function session() {
  const ends: (() => void)[] = [];
  const memory = { atEnd: (_: string, act: () => void) => ends.push(act), destination: undefined };
  const settings = { environment: 'sim', baseUrl: undefined, dryRun: false };
  return { session: { machine: { variables }, memory, settings } as never, end: () => ends.map((act) => act()) };
}

const notes = { market_id: 'm', side: 'long', opened_at: 1, note: null, risk: null } as const;

/** The end of a lock, so that each is another: `w0n3x1` is 31. */
export const untilOf = (nth: string) => Number(nth.replace(/^w\d+n(\d)x(\d)$/, '$1$2'));

/** Every writer of a file that processes share. */
export const writers: Readonly<Record<string, Write>> = {
  config: (nth) => writeConfig(variables, { [`profiles.p${nth}.env`]: 'sim' }),
  'saved plans': (nth) => void savePlan(variables, `plan${nth}`, '1/2@1R rest@2R'),
  'plans in place': (nth) =>
    keepPlan(`${folder}/plans.json`, nth, {
      ...{ position_id: nth, symbol: 'BTC', text: 'rest@2R', size: 1, targets: [1], breakEven: true },
    }),
  endings: (nth) => storeAnnounced(variables, `s${nth}`, { mark: nth, ended: [] }),
  remembered(nth) {
    const { session: one, end } = session();
    remember(one, `k${nth}` as never, [[nth, '']]);
    end();
  },
  journal: (nth) =>
    void new Journal(session().session, 'acc').change('pos', (now) => ({
      ...{ ...notes, position_id: 'pos', tags: [...(now?.tags ?? []), `t${nth}`] },
    })),
  logins: (nth) =>
    new KeptSessions({ host: `https://h${nth}.example`, profile: undefined }, variables).remember({
      ...{ name: nth, expiresAt: 1, place: 'file', apiKey: 'no-key-at-all' },
    } as never),
  credentials: (nth) =>
    new KeptSessions({ host: `https://h${nth}.example`, profile: undefined }, variables).keep(
      { name: nth, apiKey: `x_live_${nth.padEnd(24, '0')}`, expiresAt: 1 },
      'file',
    ),
  bots: (nth) => void new BotsFile(gateFolder(variables)).stop(`b${nth}`, 1),
  bookmarks: (nth) => void setBookmark(`${folder}/day.jsonl`, `m${nth}`, 1),
  'simulation in use': (nth) => useByHand(variables, `s${nth}`, 1),
  summaries: (nth) => writeSummaries(`${folder}/day.jsonl`, [{ name: nth } as never]),
  'account lock'(nth) {
    const account = { account: 'acc', since: 0, until: untilOf(nth), why: nth };
    lockAccount(`${folder}/guard/locks`, account);
  },
  mandates: (nth) => void signMandate(variables, { name: `bot-${nth}` } as never, 1),
};

// Each change is told once it is confirmed.
if (process.argv[1] === import.meta.filename) {
  const [, , from, count] = process.argv;
  for (let nth = 0; nth < Number(count); nth++) {
    for (const [name, write] of Object.entries(writers)) {
      await write(`${from}x${nth}`);
      writeSync(1, `${name} ${from}x${nth}\n`);
    }
  }
}
