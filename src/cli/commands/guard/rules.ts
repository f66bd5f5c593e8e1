import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf, rulesOption } from '../../../console/grammar/spec.ts';
import { blank, fields, line, type Result, recordOf, tableOf } from '../../../console/output/result.ts';

export const command = defineCommand({
  summary: 'Check the rules file and explain it',
  description: 'Exits 2 and reports the line if something in the file is wrong. Sends nothing.',
  options: rulesOption,
  examples: [['perp guard rules', 'what each rule watches, and what it does']],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { readRules, rulesFile } = await import('../../../desk/guard/rule-file.ts');
  const { conditionOf, consequenceOf } = await import('../../../desk/guard/rules.ts');
  const file = rulesFile(console.variables, input.rules);
  const rules = readRules(file);
  return recordOf({ file, ...rules }, () => [
    fields(
      ['file', file],
      ['account', rules.account ?? 'any'],
      ['time zone', rules.zone],
      ['alerts to', rules.exec?.join(' ') ?? 'the terminal'],
    ),
    blank,
    rules.rules.length === 0
      ? line('No rules.')
      : tableOf(rules.rules, [
          { header: 'LINE', cell: (rule) => String(rule.line), align: 'right', keep: 1 },
          { header: 'RULE', cell: (rule) => rule.kind },
          { header: 'WHEN', cell: (rule) => conditionOf(rule) },
          { header: 'THEN', cell: (rule) => consequenceOf(rule) },
        ]),
  ]);
}
