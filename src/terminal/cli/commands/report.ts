import { defineCommand } from '../../console/console.ts';
import { periodOptions } from '../../console/grammar/option-groups.ts';

const defaultFile = 'perp-report.html';

export const command = defineCommand({
  summary: 'Write an HTML report: verdict, equity, floors, odds, tables',
  description:
    'The page contains its charts and data, so it needs no network and loads nothing. It follows the light or dark setting of the browser and can be printed. Its figures are those of perp pnl and perp journal.',
  options: {
    out: { short: 'o', value: 'FILE', kind: 'file', summary: `the file (default ${defaultFile})` },
    ...periodOptions,
    open: { summary: 'open it in the browser' },
    force: { summary: 'replace the file if it exists' },
  },
  examples: [
    ['perp report -o november.html --from 30d', 'a month'],
    ['perp report --open --force', 'everything, in the browser'],
  ],
  changesMore: true,
  async run(console, input) {
    const { report } = await import('../history/trading-report.ts');
    return report(console, { ...input, out: input.out ?? defaultFile });
  },
});
