/** Ends as perp does when nothing is left to do; the words say what there was: `done`, `write`, `SIGINT`. */

import { openWrite, receivedSignal } from '../../../../../src/base/failure/ending.ts';
import { endOfWork } from '../../../../../src/terminal/console/terminal/io.ts';

const words = process.argv.slice(2);
if (words.includes('write')) openWrite('a write');
if (words.includes('SIGINT')) receivedSignal('SIGINT');
endOfWork(words.includes('done'), {});
