/** Says something on standard error as a command does, and once more while a live screen would take what is said. */
import { processIo } from '../../../../../src/terminal/console/terminal/io.ts';

const io = processIo({});
io.err('said\n');
io.divertErr?.((text) => io.out(`diverted: ${text}`));
io.err('said to a live screen\n');
io.divertErr?.(undefined);
io.err('said after it\n');
