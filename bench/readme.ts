import { cpus } from 'node:os';
import { type Figure, goalText, meetsGoal, valueText } from './measure.ts';

const marks = { begin: '<!-- npm run bench writes from here -->', end: '<!-- to here -->' };

/** The README with these figures in place of those between its marks. */
export function withFigures(readme: string, figures: readonly Figure[], time: Date): string {
  const [begin, end] = [readme.indexOf(marks.begin), readme.indexOf(marks.end)];
  if (begin < 0 || end < begin) throw new Error(`README.md has no ${marks.begin} before ${marks.end}`);
  const rows = figures
    .filter(({ isQuoted }) => isQuoted)
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
  return readme.slice(0, begin + marks.begin.length) + written + readme.slice(end);
}
