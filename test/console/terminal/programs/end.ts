/** Ends as perp does when nothing is left to do; the words say what there was: `done`, `write`, `SIGINT`. */
import { endOfWork } from '../../../../src/console/terminal/io.ts';
import { hearSignal, openWrite } from '../../../../src/ground/failure/ending.ts';

const words = process.argv.slice(2);
if (words.includes('write')) openWrite('a write');
if (words.includes('SIGINT')) hearSignal('SIGINT');
endOfWork(words.includes('done'), {});
