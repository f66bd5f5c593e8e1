import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { hintFor } from '../../../base/failure/hints.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { configFolder, stateFolder, variable } from '../../../base/files/folders.ts';
import { installed } from '../../../base/self/self.ts';
import { isOpenToOthers } from '../../../base/system/system.ts';
import { venueFacts } from '../../../base/terms/venues.ts';
import { counted, stretch } from '../../../base/text/format.ts';
import { hostOf, KeptSessions } from '../../../desk/credentials/kept-sessions.ts';
import { Keychain, KeychainError, keychainFailure } from '../../../desk/credentials/keychain.ts';
import { readSessionFile, sessionFile } from '../../../desk/credentials/session-file.ts';
import { intentFolder, unsettledWrites } from '../../../desk/intents/intent-files.ts';
import { isAwaited } from '../../../desk/writes/settlement.ts';
import type { Console } from '../../console/console.ts';
import { configFile, readConfig } from '../../console/settings/config-file.ts';
import { liveOptions } from '../../console/settings/venues.ts';
import { checkCompletion } from './completion-check.ts';
import { type Check, type Finding, fail, maxWaitMs, ok, warn, wrongClock } from './finding.ts';
import { checkHosts, checkProfiles, checkProxy, configuredHosts } from './hosts.ts';

/** Clocks closer than this agree. */
const toleranceMs = 2_000;

/** Every venue of live markets answers over REST and streams, and its clock agrees with ours. */
async function checkVenues(console: Console): Promise<Finding[]> {
  const { tryVenues } = await import('../../../service/live/recording.ts');
  const checks = await tryVenues(liveOptions(console.variables, undefined), maxWaitMs(console));
  return checks.map(({ venue, restMs, restProblem, streamMs, streamProblem, skewMs }) => {
    const check = `${venue} feed`;
    const problems = [
      ...(restProblem === null ? [] : [`REST: ${restProblem}`]),
      ...(streamProblem === null ? [] : [`stream: ${streamProblem}`]),
    ];
    if (problems.length > 0) {
      const way =
        venueFacts[venue].wsUrl === null
          ? 'perp config set live.base_url https://...'
          : `perp config set venues.${venue}.ws_url wss://...`;
      const text = problems.join('; ');
      const fix = /certificate|issuer/i.test(text)
        ? 'If a proxy or a company replaces certificates, set NODE_EXTRA_CA_CERTS to the file of its CA.'
        : `Live markets need both. Behind a proxy, set HTTPS_PROXY, or run: ${way}`;
      return warn(check, `${text}.`, fix);
    }
    const took = `REST ${Math.round(restMs!)} ms, stream ${Math.round(streamMs!)} ms`;
    if (skewMs === null || Math.abs(skewMs) <= toleranceMs) return ok(check, took);
    const apart = `its clock is ${stretch(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's`;
    return wrongClock(check, `${took}; ${apart}.`);
  });
}

/** Everything perp doctor checks, in the order of its output. */
const checks: readonly Check[] = [
  ['perp', checkSelf],
  ['node', checkNode],
  ['config', checkConfig],
  ['profiles', checkProfiles],
  ['folders', checkFolders],
  ['keychain', checkKeychain],
  ['login file', checkLoginFile],
  ['proxy', checkProxy],
  ['host', checkHosts],
  ['venues', checkVenues],
  ['file locks', checkLocks],
  ['simulation', checkSimulations],
  ['pending writes', checkPending],
  ['completion', (console) => checkCompletion(console.variables, maxWaitMs(console))],
];

/** Runs all checks in parallel, so slow ones overlap. Never throws. */
export async function examine(console: Console): Promise<Finding[]> {
  const findings = checks.map(async ([name, look]) => {
    try {
      return [await look(console)].flat();
    } catch (error) {
      const { message, hint } = factsOf(error);
      return fail(name, message, hint);
    }
  });
  return (await Promise.all(findings)).flat();
}

/** The version that package.json and bin/perp.js require. */
const oldest = [24, 15] as const;

/** The version of this perp, and how to update it. */
function checkSelf({ registry }: Console): Finding {
  const { by, upgrade } = installed();
  return ok('perp', `${registry.version}, installed as ${by}; to upgrade: ${upgrade}`);
}

/** The Node that runs this. An older one gets this far only if it was started without bin/perp.js. */
function checkNode(): Finding {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  const what = `${node} on ${process.platform} ${process.arch}`;
  return isOld ? fail('node', what, `Install Node ${oldest.join('.')} or newer: https://nodejs.org`) : ok('node', what);
}

/** Every write that was sent has a known outcome. */
function checkPending({ variables, outside }: Console): Finding[] {
  const check = 'pending writes';
  const { writes, damages } = unsettledWrites(intentFolder(variables));
  const open = writes.filter(({ note }) => !isAwaited(note, outside.now()));
  const damaged = damages.map(({ file, reason }) => fail(check, `${file}: ${reason}.`, 'perp pending list'));
  if (open.length > 0) {
    const what = `The outcome of ${counted(open.length, 'write')} is unknown.`;
    return [warn(check, what, 'perp pending resume'), ...damaged];
  }
  return damaged.length > 0 ? damaged : [ok(check, 'none')];
}

/** The databases of all simulations are undamaged and of a known format; shows their sizes. */
async function checkSimulations({ variables }: Console): Promise<Finding[]> {
  const { stateHealth } = await import('../../../service/public.ts');
  const states = stateHealth(stateFolder(variables));
  if (states.length === 0) return [ok('simulation', 'none yet; the first command creates one')];
  return states.map(({ state, sizeBytes, format, problem }) => {
    const check = `simulation ${state}`;
    if (problem?.kind === 'corrupt') return fail(check, problem.message, `perp sim check --state ${state}`);
    if (problem !== null) return fail(check, problem.message, hintFor(`store_${problem.kind}`));
    return ok(check, `undamaged, ${size(sizeBytes)}, ${format === null ? 'still empty' : `format ${format}`}`);
  });
}

/** Processes on one state exclude each other with file locks, which not every file system supports. */
async function checkLocks({ variables }: Console): Promise<Finding[]> {
  const folder = stateFolder(variables);
  if (!existsSync(folder)) return [];
  const { assertLocksWork } = await import('../../../service/state/lock-probe.ts');
  assertLocksWork(folder);
  return [ok('file locks', 'work between processes')];
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The keychain stores and returns an entry; a silent one is given up on after three seconds. */
async function checkKeychain(console: Console): Promise<Finding> {
  try {
    await new Keychain(console.variables).check();
    return ok('keychain', 'stores and returns entries');
  } catch (error) {
    if (!(error instanceof KeychainError)) throw error;
    const { message, hint } = keychainFailure(error, 'store a login').facts;
    return (await isNeeded(console)) ? fail('keychain', message, hint) : warn('keychain', message, hint);
  }
}

/** Live is configured, and this machine has no other credential for it. */
async function isNeeded(console: Console): Promise<boolean> {
  const { variables, settings } = console;
  const live = configuredHosts(console).find(({ environment }) => environment === 'live');
  if (live?.baseUrl === undefined) return false;
  const { apiKeyFile, profileKeyFile } = settings;
  if (apiKeyFile !== undefined || profileKeyFile !== undefined) return false;
  if (variable(variables, 'PERP_API_KEY') !== undefined) return false;
  const sessions = new KeptSessions({ host: hostOf(live.baseUrl), profile: settings.profile }, variables);
  // The check of the file reports what is wrong with it.
  return (await sessions.in('file').catch(() => undefined)) === undefined;
}

/** The config file is valid, and no other user can change where credentials are sent. */
function checkConfig({ variables }: Console): Finding {
  const file = configFile(variables);
  const settings = Object.keys(readConfig(variables)).length;
  const status = statusOf(file);
  if (status === undefined) return ok('config', `${file} does not exist; using defaults`);
  if (isForeign(status))
    return fail(
      'config',
      `${file} belongs to another user, who could redirect your credentials.`,
      'Set PERP_CONFIG_DIR to a folder that you own.',
    );
  if (isOpenToOthers(status.mode, 0o022))
    return fail('config', `Other users can write to ${file} and so redirect your credentials.`, `chmod 600 ${file}`);
  if (isOpenToOthers(status.mode, 0o044)) return warn('config', `Other users can read ${file}.`, `chmod 600 ${file}`);
  return ok('config', `${file}, ${counted(settings, 'setting')}`);
}

/** The folders are private to this user and writable. */
function checkFolders({ variables }: Console): Finding[] {
  return [
    checkFolder('config folder', configFolder(variables), 0o022, 'PERP_CONFIG_DIR'),
    checkFolder('state folder', stateFolder(variables), 0o077, 'PERP_STATE_DIR'),
  ];
}

function checkFolder(check: string, folder: string, refused: number, variable: string): Finding {
  const other = `Set ${variable} to a folder that you own.`;
  const status = statusOf(folder);
  if (status !== undefined && !status.isDirectory()) return fail(check, `${folder} is not a folder.`, other);
  const place = status === undefined ? nearestThere(folder) : folder;
  if (!isWritable(place)) return fail(check, `${place} is not writable.`, `chmod u+rwx ${place}, or: ${other}`);
  if (status === undefined) return ok(check, `${folder} will be created when needed`);
  const others = `Other users can ${isOpenToOthers(status.mode, 0o022) ? 'write to' : 'read'} ${folder}.`;
  return isOpenToOthers(status.mode, refused) ? warn(check, others, `chmod 700 ${folder}`) : ok(check, folder);
}

/** A login stored in a file can be trusted. */
function checkLoginFile({ variables }: Console): Finding[] {
  const file = sessionFile(variables);
  if (statusOf(file) === undefined) return [];
  // Throws for an untrusted file, whatever the host.
  readSessionFile(variables, '');
  return [ok('login file', `${file} stores a login, readable only by you and not encrypted`)];
}

/** Root is trusted, because it can do anything anyway. */
function isForeign({ uid }: Stats): boolean {
  const own = process.getuid?.();
  return own !== undefined && uid !== own && uid !== 0;
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The closest parent folder that exists. */
function nearestThere(path: string): string {
  const parent = dirname(path);
  return parent === path || statusOf(parent) !== undefined ? parent : nearestThere(parent);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
