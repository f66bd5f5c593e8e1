import { DatabaseSync } from 'node:sqlite';

/**
 * Rows in the order of their keys, however many and however far apart: SQLite sorts them, on disk once they are many. Rows
 * of equal keys stay in order; in a file that runs backwards, in the opposite order.
 */
export async function* sorted<Row>(rows: AsyncIterable<{ key: number; row: Row }>): AsyncGenerator<Row> {
  // Without a name, the file is private and gone when it is closed.
  const database = new DatabaseSync('');
  try {
    database.exec('PRAGMA journal_mode = OFF; PRAGMA cache_size = -4000; CREATE TABLE r (key REAL, row TEXT); BEGIN');
    const insert = database.prepare('INSERT INTO r VALUES (?, ?)');
    let [forwards, backwards, before] = [0, 0, 0];
    for await (const { key, row } of rows) {
      insert.run(key, JSON.stringify(row));
      if (key > before) forwards += 1;
      else if (key < before) backwards += 1;
      before = key;
    }
    const direction = backwards > forwards ? 'DESC' : 'ASC';
    for (const { row } of database.prepare(`SELECT row FROM r ORDER BY key, rowid ${direction}`).iterate())
      yield JSON.parse(row as string) as Row;
  } finally {
    database.close();
  }
}
