/** Keeps and settles writes in a folder until it is killed. */
import { IntentFile } from '../../../../src/desk/intents/intent-file.ts';
import { noteOf, orderIntent } from '../writes.ts';

const intents = new IntentFile(process.argv[2]!);
console.log('begins');
for (let count = 0; ; count++) {
  const note = noteOf(orderIntent(`${process.pid}-${count}`), { pid: process.pid });
  intents.open(note);
  intents.answer(note.id);
  intents.close(note.id);
}
