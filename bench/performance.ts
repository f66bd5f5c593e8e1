import { cpus } from 'node:os';
import { type Figure, goalText, meetsGoal, valueText } from './measure.ts';

const marks = { begin: '<!-- npm run bench writes from here -->', end: '<!-- to here -->' };

/**
 * A page with these figures in place of those between its marks; `onlyThere`: only those that its table already has.
 */
export function withFigures(page: string, figures: readonly Figure[], time: Date, onlyThere = false): string {
  const [begin, end] = [page.indexOf(marks.begin), page.indexOf(marks.end)];
  if (begin < 0 || end < begin) throw new Error(`the page has no ${marks.begin} before ${marks.end}`);
  const rows = figures
    .filter(({ isQuoted, name }) => isQuoted && !(onlyThere && !page.includes(`\n| ${name} |`)))
    .map((figure) => [
      figure.name,
      valueText(figure),
      meetsGoal(figure) ? goalText(figure) : `${goalText(figure)}: missed`,
    ]);
  const [head = '', ...lines] = [['what', 'figure', 'goal'], ...rows].map((row) => `| ${row.join(' | ')} |`);
  const table = [head, '|---|---|---|', ...lines];
  const day = time.toISOString().slice(0, 10);
  const processors = cpus();
  const machine = `${processors[0]?.model ?? 'unknown processor'}, ${processors.length} cores, Node ${process.versions.node}`;
  const written = `\n\n${table.join('\n')}\n\nPrinted on ${day} (${machine}).\n\n`;
  return page.slice(0, begin + marks.begin.length) + written + page.slice(end);
}
