/**
 * Appends records to an audit log without waiting for the disk, until it refuses one; then prints why, and the notes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { factsOf } from '../../../../src/base/failure/report.ts';
import { AuditLog } from '../../../../src/desk/audit/audit-log.ts';
import { asked, secret } from '../logs.ts';

const [folder = '', headFile = ''] = process.argv.slice(2);
const notes: string[] = [];
const log = AuditLog.open({ folder, headFile }, { secret, note: (text) => notes.push(text) });
try {
  for (let number = 1; ; number++) {
    log.append(asked(number));
    await delay(20);
  }
} catch (error) {
  const { code, message } = factsOf(error);
  console.log(JSON.stringify({ code, message, notes }));
}
await log[Symbol.asyncDispose]();
