import type { Context } from '../context/context.ts';
import { factsOf } from '../failure/report.ts';
import { checkCompletion } from './completion.ts';
import { checkConfig, checkFolders, checkLoginFile } from './files.ts';
import { type Check, type Finding, fail } from './finding.ts';
import { checkHosts } from './hosts.ts';
import { checkKeychain } from './keychain.ts';
import { checkNode } from './node.ts';
import { checkPending } from './pending.ts';
import { checkLocks, checkSimulations } from './simulations.ts';

/** Everything perp doctor looks at, in the order it tells. */
const checks: readonly Check[] = [
  ['node', checkNode],
  ['config', checkConfig],
  ['folders', checkFolders],
  ['keychain', checkKeychain],
  ['login file', checkLoginFile],
  ['host', checkHosts],
  ['file locks', checkLocks],
  ['simulation', checkSimulations],
  ['pending writes', checkPending],
  ['completion', checkCompletion],
];

/** Looks at everything at once, so that what waits for an answer waits together. Never throws. */
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
