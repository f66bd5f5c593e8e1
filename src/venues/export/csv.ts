import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { decimalText } from '../tape/level-text.ts';
import { type Cell, type Column, columnsOf, type Scales, type TableName, type TableWriter } from './tables.ts';

const pieceLength = 2 ** 16;

/** Writes one table as CSV with a header. Times are Unix microseconds; an empty cell is unknown. */
export function csvTable(file: string, table: TableName, scales: Scales): TableWriter {
  const columns = columnsOf(table);
  const out = createWriteStream(file, { flags: 'wx' });
  let failure: Error | undefined;
  out.on('error', (error) => {
    failure = error;
  });
  let wake = () => {};
  for (const event of ['drain', 'close']) out.on(event, () => wake());
  let text = `${columns.map(({ name }) => name).join(',')}\n`;
  const flush = () => {
    out.write(text);
    text = '';
  };
  return {
    add(row) {
      for (let at = 0; at < columns.length; at += 1)
        text += (at === 0 ? '' : ',') + cellText(row[at]!, columns[at]!, scales);
      text += '\n';
      if (text.length >= pieceLength) flush();
    },
    async drained() {
      if (failure !== undefined) throw failure;
      if (!out.writableNeedDrain || out.closed) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
    async end() {
      if (failure !== undefined) throw failure;
      flush();
      out.end();
      await finished(out);
    },
  };
}

function cellText(cell: Cell, { kind }: Column, scales: Scales): string {
  if (cell === null) return '';
  if (kind === 'price' || kind === 'size') return decimalText(cell as number, scales[kind]);
  const text = String(cell);
  return kind === 'text' && /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
