import { hostname } from 'node:os';
import { usageFailure } from '../../../base/failure/failure.ts';
import { variable } from '../../../base/files/folders.ts';
import { dateTime } from '../../../base/text/format.ts';
import type { LoginOf } from '../../../desk/credentials/kept-sessions.ts';
import { sessionFile } from '../../../desk/credentials/session-file.ts';
import { defineCommand } from '../../console/console.ts';
import { fields, line, type Result, recordOf } from '../../console/output/result.ts';
import { approvalAddress, liveLogin, loginPage } from '../login/live-host.ts';

export const command = defineCommand({
  summary: 'Log in to live through the browser',
  description:
    'Opens the approval page and stores the session in the keychain of this machine, only for the live host and the profile. If no browser ' +
    'can be opened, perp prints the address and you can paste the code. A session can trade on every account you own until it ' +
    'expires or perp logout ends it.',
  options: {
    'no-browser': { summary: 'print the address instead of opening a browser' },
    name: { value: 'DEVICE', kind: 'text', summary: 'name of the session (default: the name of this machine)' },
    'insecure-storage': {
      summary: 'store the session in a file that only you can read, for machines without a keychain',
    },
  },
  examples: [
    ['perp login', 'approve in the browser'],
    ['perp login --profile prop', 'the login of a profile (perp profile)'],
    ['perp login --no-browser', 'on a machine without a browser'],
    ['perp login --insecure-storage', 'on a server without a keychain'],
  ],
  changesMore: true,
  async run(console, input) {
    const { variables, settings } = console;
    const login = liveLogin(console);
    const { host, profile } = login;
    const page = loginPage(host, console);
    const deviceName = checkedName(input.name ?? hostname());
    if (settings.dryRun) return dryRun(page, login, deviceName);
    const place = input.insecureStorage ? 'file' : 'keychain';
    const { logIn } = await import('../login/log-in.ts');
    const kept = await logIn(console, { login, page, deviceName, opensBrowser: !input.noBrowser, place, maxWaitMs });
    if (place === 'file')
      console.note(`The credential is in ${sessionFile(variables)}; anyone who can read your files can trade with it.`);
    if (variable(variables, 'PERP_API_KEY') !== undefined)
      console.note('PERP_API_KEY is set and takes precedence over this login.');
    if (settings.environment !== 'live') {
      console.note(
        `The default environment is ${settings.environment}: add --env live, or run perp config set env live.`,
      );
    }
    const record = { environment: 'live', profile, host, name: kept.name, expires_at: kept.expiresAt, kept: place };
    return recordOf(record, () => [
      line({ text: `Logged in as ${kept.name}.`, tone: 'good' }),
      fields(['profile', profile], ['host', host], ['expires', dateTime(kept.expiresAt)], ['stored in', place]),
    ]);
  },
});

/** The simulation's page waits ten minutes for an answer, so perp does too. */
const maxWaitMs = 10 * 60_000;

function checkedName(name: string): string {
  const shown = name.trim();
  if (shown !== '' && shown.length <= 64 && !/\p{C}/u.test(shown)) return shown;
  throw usageFailure('--name must be 1 to 64 visible characters.');
}

/** The address that would be opened; port, challenge and state are created only by a real login. */
function dryRun(page: string, { host, profile }: LoginOf, deviceName: string): Result {
  const made = { challenge: 'CHALLENGE', redirectUri: 'http://127.0.0.1:PORT/callback', state: 'STATE' };
  const record = { login_url: approvalAddress(page, { ...made, deviceName }), profile, host, device_name: deviceName };
  return recordOf(record, () => [
    fields(
      ['profile', profile],
      ['approval page', page],
      ['token endpoint', `${host}/v1/auth/cli/token`],
      ['device', deviceName],
    ),
    line({ text: 'Dry run: nothing was opened or sent.', tone: 'faint' }),
  ]);
}
