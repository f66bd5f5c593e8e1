/**
 * Appends records to an audit log, and prints the number of each once it is on disk; `failed` and the code if it is
 * not. Without a count until it is killed.
 */

import { factsOf } from '../../../../src/base/failure/report.ts';
import { AuditLog } from '../../../../src/desk/audit/audit-log.ts';
import { asked, secret } from '../logs.ts';

const [folder = '', headFile = '', count = 'Infinity'] = process.argv.slice(2);

function opened(): AuditLog {
  for (;;) {
    try {
      return AuditLog.open({ folder, headFile }, { secret, fileBytes: 20_000 });
    } catch (error) {
      console.log(`failed ${factsOf(error).code}`);
    }
  }
}

let log = opened();
console.log('begins');
for (let number = 1; number <= Number(count); number++) {
  try {
    const seq = log.append(asked(number));
    await log.synced();
    console.log(seq);
  } catch (error) {
    console.log(`failed ${factsOf(error).code}`);
    await log[Symbol.asyncDispose]();
    log = opened();
  }
}
await log[Symbol.asyncDispose]();
