import type { WireResponse } from '../../contract/wire.ts';
import { factsOf } from '../../ground/failure/report.ts';
import { stateFolder, type Variables } from '../../ground/files/folders.ts';
import { stretch } from '../../ground/text/format.ts';
import type { Console } from '../console/console.ts';
import { runningSimulation } from '../console/open-access.ts';
import { readConfig } from '../settings/config-file.ts';
import type { ConfigValues } from '../settings/config-keys.ts';
import { baseUrlOf, baseUrlVariables } from '../settings/settings.ts';
import { type Finding, fail, maxWaitMs, ok, warn } from './finding.ts';

/** Clocks are set in many ways; smaller differences are ignored. */
const toleranceMs = 5_000;

/** A host as it is configured, whether or not it can be reached. */
export interface ConfiguredHost {
  environment: 'live' | 'sandbox';
  /** Undefined if not set. */
  baseUrl: string | undefined;
  /** The problem with the configured address. */
  problem?: { message: string; fix: string | undefined };
}

/** The hosts of live and sandbox, from variables and config. */
export function configuredHosts(variables: Variables): ConfiguredHost[] {
  const config = usableConfig(variables);
  return (['live', 'sandbox'] as const).map((environment) => {
    try {
      return { environment, baseUrl: baseUrlOf(environment, variables, config) };
    } catch (error) {
      const { message, hint } = factsOf(error);
      return { environment, baseUrl: undefined, problem: { message, fix: hint } };
    }
  });
}

/** Every configured host, and the served simulation, answers as the API does and its clock agrees. */
export async function checkHosts(console: Console): Promise<Finding[]> {
  const hosts = configuredHosts(console.variables);
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
  return (await Promise.all(findings)).flat();
}

function usableConfig(variables: Variables): ConfigValues {
  try {
    return readConfig(variables);
  } catch {
    // The check of the config file reports it.
    return {};
  }
}

/** Calls the one operation that needs no credential, so none is sent. */
async function checkHost(console: Console, environment: string, baseUrl: string): Promise<Finding[]> {
  const check = `${environment} host`;
  const { httpTransport } = await import('../../client/http-transport.ts');
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
function identity(check: string, environment: string, baseUrl: string, { status, body }: WireResponse): Finding {
  const api = (body as { data?: { name?: unknown; version?: unknown; environment?: unknown } } | undefined)?.data;
  if (status >= 500 || status === 429)
    return fail(check, `${baseUrl} answers with status ${status}.`, 'Try again in a minute.');
  if (status !== 200 || typeof api?.name !== 'string') {
    return fail(check, `${baseUrl} answers with status ${status}, but not like the API.`, 'Check the address.');
  }
  const wanted = environment === 'sandbox' ? 'test' : 'live';
  if (api.environment !== wanted) {
    const other = wanted === 'live' ? 'sandbox' : 'live';
    return fail(check, `${baseUrl} is the host of ${other}, not of ${environment}.`, 'Check the address.');
  }
  return ok(check, `${baseUrl}, ${api.name} ${String(api.version)}`);
}

/**
 * Compares a Date header with this machine's clock. The header's time, Unix ms, is any moment of that second, and it was
 * written between request and answer, however long that took.
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
