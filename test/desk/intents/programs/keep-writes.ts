/** Keeps and settles writes in a folder until it is killed. */
import { JournalFile } from '../../../../src/desk/intents/journal-file.ts';
import { noteOf, orderIntent } from '../writes.ts';

const journal = new JournalFile(process.argv[2]!);
console.log('begins');
for (let count = 0; ; count++) {
  const note = noteOf(orderIntent(`${process.pid}-${count}`), { pid: process.pid });
  journal.open(note);
  journal.answer(note.id);
  journal.close(note.id);
}
