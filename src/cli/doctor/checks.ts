import { journalFolder, unsettledWrites } from '../../desk/intents/journals.ts';
import { isUnderWay } from '../../desk/writes/settlement.ts';
import { factsOf } from '../../ground/failure/report.ts';
import { counted } from '../../ground/text/format.ts';
import type { Context } from '../context/context.ts';
import { checkCompletion } from './completion.ts';
import { checkConfig, checkFolders, checkLoginFile } from './files.ts';
import { type Check, type Finding, fail, maxWaitMs, ok, warn } from './finding.ts';
import { checkHosts } from './hosts.ts';
import { checkKeychain } from './keychain.ts';
import { checkLocks, checkSimulations } from './simulations.ts';
import { checkVenues } from './venues.ts';

/** Everything perp doctor checks, in the order of its output. */
const checks: readonly Check[] = [
  ['node', checkNode],
  ['config', checkConfig],
  ['folders', checkFolders],
  ['keychain', checkKeychain],
  ['login file', checkLoginFile],
  ['host', checkHosts],
  ['venues', checkVenues],
  ['file locks', checkLocks],
  ['simulation', checkSimulations],
  ['pending writes', checkPending],
  ['completion', (context) => checkCompletion(context.variables, maxWaitMs(context))],
];

/** Runs all checks in parallel, so slow ones overlap. Never throws. */
export async function examine(context: Context): Promise<Finding[]> {
  const findings = checks.map(async ([name, look]) => {
    try {
      return [await look(context)].flat();
    } catch (error) {
      const { message, hint } = factsOf(error);
      return fail(name, message, hint);
    }
  });
  return (await Promise.all(findings)).flat();
}

/** The version that package.json and bin/perp.js require. */
const oldest = [24, 15] as const;

/** The Node that runs this. An older one gets this far only if it was started without bin/perp.js. */
function checkNode(): Finding {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  const what = `${node} on ${process.platform} ${process.arch}`;
  return isOld ? fail('node', what, `Install Node ${oldest.join('.')} or newer: https://nodejs.org`) : ok('node', what);
}

/** Every write that was sent has a known outcome. */
function checkPending({ variables, outside }: Context): Finding[] {
  const check = 'pending writes';
  const { writes, damages } = unsettledWrites(journalFolder(variables));
  const open = writes.filter(({ note }) => !isUnderWay(note, outside.now()));
  const damaged = damages.map(({ file, reason }) => fail(check, `${file}: ${reason}.`, 'perp pending list'));
  if (open.length > 0) {
    const what = `The outcome of ${counted(open.length, 'write')} is unknown.`;
    return [warn(check, what, 'perp pending resume'), ...damaged];
  }
  return damaged.length > 0 ? damaged : [ok(check, 'none')];
}
