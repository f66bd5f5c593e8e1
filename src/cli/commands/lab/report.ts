import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { usageFailure } from '../../../ground/failure/failure.ts';
import { openInBrowser, writePage } from '../../history/write-page.ts';
import { openStudy } from '../../lab/open-study.ts';
import { studyPage } from '../../lab/study-page.ts';
import { studyRecord } from '../../lab/study-record.ts';

const defaultFile = 'perp-lab.html';

export const command = defineCommand({
  summary: 'Write a page about the trials of a file: heatmap, equity, drawdown, costs, trades',
  description:
    'One HTML file that needs no network, has no scripts and loads nothing. It follows the light or dark setting of the browser and can be printed. Its figures are those of perp lab show.',
  args: [{ name: 'file', kind: 'file', summary: 'the trials file' }],
  options: {
    out: { short: 'o', value: 'FILE', kind: 'file', summary: `the page (default ${defaultFile})` },
    open: { summary: 'open it in the browser' },
    force: { summary: 'replace the page if it exists' },
  },
  examples: [['perp lab report sweep.trials -o sweep.html --open', 'a page, in the browser']],
  changesMore: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const page = resolve(input.out ?? defaultFile);
  if (existsSync(page) && !input.force)
    throw usageFailure(`${page} already exists.`, 'Use --force to replace it, or another -o FILE.');
  const study = await openStudy(console, input.file);
  const html = studyPage(study, await studyRecord(study), basename(input.file));
  if (!console.settings.dryRun) {
    writePage(page, html);
    if (input.open) await openInBrowser(console, page);
  }
  const verb = console.settings.dryRun ? 'Dry run: would write ' : 'Wrote ';
  const record = { file: page, bytes: Buffer.byteLength(html) };
  return recordOf(record, () => [line(verb, { text: page, tone: 'strong' }, '.')]);
}
