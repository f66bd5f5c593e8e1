import { DatabaseSync } from 'node:sqlite';
import type { LineFile } from '../../exchange/markets/recorded/lines.ts';

/** A row, and the number that it is in the order of. */
export interface Keyed<Row> {
  key: number;
  row: Row;
}

/**
 * Rows in the order of their keys, however many and however far apart, or as they arrived: SQLite keeps them, on disk once
 * they are many. A file whose keys mostly fall is turned around. Each row comes with the number of its line.
 */
export async function* sorted<Row>(
  file: LineFile,
  rows: AsyncIterable<Keyed<Row>>,
  by: 'key' | 'arrival',
): AsyncGenerator<Row> {
  // Without a name, the database is private and gone when it is closed.
  const database = new DatabaseSync('');
  try {
    database.exec('PRAGMA journal_mode = OFF; PRAGMA cache_size = -4000; CREATE TABLE r (key, line, row TEXT); BEGIN');
    const insert = database.prepare('INSERT INTO r VALUES (?, ?, ?)');
    let [forwards, backwards, before] = [0, 0, 0];
    for await (const { key, row } of rows) {
      insert.run(key, file.lineNumber, JSON.stringify(row));
      if (key > before) forwards += 1;
      else if (key < before) backwards += 1;
      before = key;
    }
    const direction = backwards > forwards ? 'DESC' : 'ASC';
    const order = by === 'key' ? `key, rowid ${direction}` : `rowid ${direction}`;
    const { lineNumber } = file;
    for (const { line, row } of database.prepare(`SELECT line, row FROM r ORDER BY ${order}`).iterate()) {
      file.lineNumber = line as number;
      yield JSON.parse(row as string) as Row;
    }
    file.lineNumber = lineNumber;
  } finally {
    database.close();
  }
}
