import { factsOf } from '../../../base/failure/report.ts';
import { isSamePlace, stateFolder } from '../../../base/files/folders.ts';
import { readNamedFile } from '../../../base/files/private-files.ts';
import { retryAfterMs } from '../../../base/sockets/front.ts';
import { ProxyError, proxyText, proxyTo } from '../../../base/sockets/proxy.ts';
import { venueFacts } from '../../../base/terms/venues.ts';
import { maybe, stretch } from '../../../base/text/format.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import { frontOf } from '../../../wire/client/client-errors.ts';
import type { WireResponse } from '../../../wire/contract/wire.ts';
import type { Console } from '../../console/console.ts';
import { textOf } from '../../console/output/result.ts';
import { readConfig } from '../../console/settings/config-file.ts';
import { noProfile } from '../../console/settings/config-keys.ts';
import { runningSimulation } from '../../console/settings/in-use.ts';
import { profilesIn } from '../../console/settings/lookup.ts';
import { baseUrlVariables } from '../../console/settings/settings.ts';
import { liveOptions } from '../../console/settings/venues.ts';
import { credentialCell, type ProfileRecord, profileRecord } from '../../console/views/profile-view.ts';
import { type Finding, fail, maxWaitMs, ok, warn } from './finding.ts';

/** Clocks are set in many ways; smaller differences are ignored. */
const toleranceMs = 5_000;

/** A host as it is configured, whether or not it can be reached. */
interface ConfiguredHost {
  environment: 'live' | 'sandbox';
  /** Undefined if not set. */
  baseUrl: string | undefined;
  /** The problem with the configured address. */
  problem?: { message: string; fix: string | undefined };
}

/** The hosts of live and sandbox, from variables, the profile in use and config. */
export function configuredHosts({ settings }: Console): ConfiguredHost[] {
  return (['live', 'sandbox'] as const).map((environment) => {
    try {
      return { environment, baseUrl: settings.lookup.value(`${environment}.base_url`) as string | undefined };
    } catch (error) {
      const { message, hint } = factsOf(error);
      return { environment, baseUrl: undefined, problem: { message, fix: hint } };
    }
  });
}

/** Every configured host, and the served simulation, answers as the API does and its clock agrees. */
export async function checkHosts(console: Console): Promise<Finding[]> {
  const hosts = configuredHosts(console);
  const findings = hosts.map(async (host): Promise<Finding[]> => {
    const { environment, baseUrl, problem } = host;
    const check = `${environment} host`;
    if (problem !== undefined) return [fail(check, problem.message, problem.fix)];
    if (baseUrl !== undefined) return checkHost(console, environment, baseUrl);
    const variable = baseUrlVariables[environment];
    if (console.settings.environment !== environment) return [ok(check, 'not configured')];
    return [fail(check, 'not configured', `Set ${variable}, or: perp config set ${environment}.base_url https://...`)];
  });
  const served = await runningSimulation(stateFolder(console.variables), console.settings.simulation.plain);
  if (served !== undefined) findings.push(checkHost(console, 'sim', served.baseUrl));
  for (const { name, environment, host } of profilesOf(console)) {
    if (host === null || hosts.some(({ baseUrl }) => isSamePlace(baseUrl, host))) continue;
    findings.push(checkHost(console, environment, host, `${name} host`));
  }
  return (await Promise.all(findings)).flat();
}

/** The proxy of each host and venue, and whether it can be used. */
export function checkProxy(console: Console): Finding[] {
  const { variables } = console;
  const live = liveOptions(variables, undefined).places.flatMap(
    ({ name, restUrl }) => restUrl ?? venueFacts[name].restUrl ?? [],
  );
  const hosts = configuredHosts(console).flatMap(({ baseUrl }) => baseUrl ?? []);
  try {
    const led = new Map<string, string[]>();
    for (const address of new Set([...hosts, ...live])) {
      const proxy = proxyTo(address, variables);
      const way = proxy === undefined ? '' : proxyText(proxy);
      led.set(way, [...(led.get(way) ?? []), new URL(address).host]);
    }
    const direct = led.get('') ?? [];
    led.delete('');
    if (led.size === 0) return [ok('proxy', 'none')];
    const without = direct.length === 0 ? '' : `; without it: ${direct.join(', ')}`;
    return [...led].map(([way, names]) => ok('proxy', `${way} leads to ${names.join(', ')}${without}`));
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    return [
      fail(
        'proxy',
        `${error.message}.`,
        'Set the variable to http://host:port, or list the hosts that need no proxy in NO_PROXY.',
      ),
    ];
  }
}

/** The profiles; none if the config can't be used, which the check of the config file reports. */
function profilesOf(console: Console): ProfileRecord[] {
  try {
    const config = readConfig(console.variables);
    return [...profilesIn(config).values()].map((profile) => profileRecord(console, profile, config));
  } catch {
    return [];
  }
}

/** Every profile has a credential, or none is needed, and the one in use exists. */
export function checkProfiles(console: Console): Finding[] {
  const { lookup } = console.settings;
  const { value, from } = lookup.find('profile') ?? {};
  const profiles = profilesOf(console);
  const missing = value !== undefined && value !== noProfile && !profiles.some(({ name }) => name === value);
  const now = console.outside.now();
  return [
    ...(missing
      ? [fail('profile', `There is no profile ${quoted(String(value))}, which ${from} names.`, 'perp profile use none')]
      : []),
    ...profiles.map((profile) => profileFinding(profile, now)),
  ];
}

function profileFinding(profile: ProfileRecord, now: number): Finding {
  const { name, environment, host, login, api_key_file: file, in_use: isInUse } = profile;
  const check = `profile ${name}`;
  const what = `${isInUse ? 'in use, ' : ''}${environment}${host === null ? '' : ` at ${host}`}, ${textOf(credentialCell(profile, now))}`;
  const [other] = profile.other_logins;
  if (other !== undefined)
    return warn(
      check,
      `${what}. It is also logged in at ${other.host}.`,
      `PERP_BASE_URL=${other.host} perp logout --profile ${name}`,
    );
  const problem = maybe(file, fileProblem);
  if (problem !== undefined)
    return warn(
      check,
      `${what}, which can't be read: ${problem}`,
      `Write the key to it, or: perp config set profiles.${name}.api_key_file FILE`,
    );
  if (environment === 'sandbox' && file === null)
    return warn(
      check,
      `${what}: only PERP_API_KEY and --api-key-file can name a key.`,
      `perp config set profiles.${name}.api_key_file FILE`,
    );
  const needsLogin = environment === 'live' && file === null && (login === null || login.expires_at <= now);
  return needsLogin ? warn(check, `${what}.`, `perp login --profile ${name}`) : ok(check, what);
}

function fileProblem(file: string): string | undefined {
  try {
    readNamedFile(file);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Calls the one operation that needs no credential, so none is sent. */
async function checkHost(
  console: Console,
  environment: string,
  baseUrl: string,
  check = `${environment} host`,
): Promise<Finding[]> {
  const { httpTransport } = await import('../../../wire/client/http-transport.ts');
  const timeoutMs = maxWaitMs(console);
  const transport = httpTransport(baseUrl, { connectTimeoutMs: timeoutMs });
  const headers = { accept: 'application/json', 'user-agent': `perp/${console.registry.version}` };
  const askedAt = console.outside.now();
  try {
    const answer = await transport({ method: 'GET', target: '/v1', headers }, { timeoutMs, signal: console.signal });
    const answeredAt = console.outside.now();
    const date = Date.parse(answer.headers.date ?? '');
    return [
      identity(check, environment, baseUrl, answer),
      ...(Number.isNaN(date) ? [] : [compareClocks(environment, date, [askedAt, answeredAt])]),
    ];
  } catch (error) {
    const { message, hint } = factsOf(error);
    return [fail(check, message, hint)];
  } finally {
    await transport.close();
  }
}

/** A host may answer and still not be the intended one. */
function identity(check: string, environment: string, baseUrl: string, answer: WireResponse): Finding {
  const { status, body, headers } = answer;
  const front = frontOf(answer, baseUrl);
  const wait = retryAfterMs(headers, Date.now());
  const asks = wait === undefined ? '' : ` It asks to wait ${stretch(wait)}.`;
  if (front !== undefined) return fail(check, `${front.says}.${asks}`, front.wayOut);
  const api = (body as { data?: { name?: unknown; version?: unknown; environment?: unknown } } | undefined)?.data;
  if (status >= 500 || status === 429)
    return fail(check, `${baseUrl} answers with status ${status}.${asks}`, 'Try again in a minute.');
  if (status !== 200 || typeof api?.name !== 'string') {
    return fail(check, `${baseUrl} answers with status ${status}, but not as the API does.`, 'Check the address.');
  }
  const wanted = environment === 'sandbox' ? 'test' : 'live';
  if (api.environment !== wanted) {
    const other = wanted === 'live' ? 'sandbox' : 'live';
    return fail(check, `${baseUrl} is the host of ${other}, not of ${environment}.`, 'Check the address.');
  }
  return ok(check, `${baseUrl}, ${api.name} ${String(api.version)}`);
}

/**
 * Compares a Date header with this machine's clock. The header's time, Unix ms, is any moment of that second, and it
 * was written between request and answer, however long that took.
 */
export function compareClocks(environment: string, date: number, [askedAt, answeredAt]: [number, number]): Finding {
  const check = `${environment} clock`;
  const behindMs = date - answeredAt;
  const aheadMs = askedAt - (date + 999);
  const apartMs = Math.max(behindMs, aheadMs);
  if (apartMs <= toleranceMs) return ok(check, "agrees with this machine's clock");
  const words = `This machine's clock is ${stretch(apartMs)} ${behindMs > aheadMs ? 'behind' : 'ahead of'} the host's.`;
  return warn(check, words, "Sync the system's clock with NTP; expiry times and warnings depend on it.");
}
