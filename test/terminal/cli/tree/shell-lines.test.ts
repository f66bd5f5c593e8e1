import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { commandLines } from '../../../../src/terminal/cli/tree/help.ts';
import { topics } from '../../../../src/terminal/cli/tree/topics.ts';
import { test, trial } from '../../../tiers.ts';
import { commands, helpOf } from '../practice.ts';

const registry = await commands();
const paths = [...registry.specs.keys()];
const groups = new Set(paths.flatMap((path) => path.split(' ').map((_, at, words) => words.slice(0, at).join(' '))));
const everyPage = [...new Set([...paths, ...groups, ...topics])];
const widths = [40, 60, 80, 200];

test('a command that fits stays on one line; a longer one breaks between words and keeps options with their values', () => {
  const place = 'perp order place BTC sell 0.05 --type stop_market --trigger-price 60000';
  const table: [command: string, width: number, lines: string[]][] = [
    [place, 80, [place]],
    [place, 60, ['perp order place BTC sell 0.05 --type stop_market \\', '  --trigger-price 60000']],
    [place, 38, ['perp order place BTC sell 0.05 \\', '  --type stop_market \\', '  --trigger-price 60000']],
    ['perp a | perp bbbb', 11, ['perp a |', '  perp bbbb']],
    ["perp a 'b c d e'", 12, ['perp a \\', "  'b c d e'"]],
    ['source <(perp completion bash)', 12, ['source \\', '  <(perp completion bash)']],
    ['perp x > a-long-name', 14, ['perp x > \\', '  a-long-name']],
  ];
  for (const [command, width, lines] of table) assert.deepEqual(commandLines(command, width), lines);
});

for (const width of widths) {
  test(`every page of help fits ${width} columns`, async () => {
    for (const path of everyPage) {
      for (const line of (await helpOf(path, width)).split('\n')) {
        assert.ok(line.length <= width, `perp help ${path} at ${width}: ${line}`);
      }
    }
  });
}

trial(
  'an example copied from help of any width is the same command',
  {
    skip: process.platform === 'win32' && 'needs a POSIX shell',
  },
  async () => {
    const meant = new Map<string, string[]>();
    for (const path of paths) {
      for (const width of widths) {
        const help = await helpOf(path, width);
        for (const [example] of registry.spec(path).examples) {
          const lines = commandLines(example, width - 2);
          assert.ok(help.includes(lines.join('\n  ')), example);
          meant.set(lines.join('\n'), [...(meant.get(lines.join('\n')) ?? []), example]);
        }
      }
    }
    const copied = argumentsOf([...meant.keys()]);
    const examples = [...new Set([...meant.values()].flat())];
    const typed = argumentsOf(examples);
    for (const [at, from] of [...meant.values()].entries())
      for (const example of from) assert.equal(copied[at], typed[examples.indexOf(example)], example);
    const forPowerShell = commandLines('perp completion powershell | Out-String | Invoke-Expression', 38);
    assert.doesNotMatch(forPowerShell.join('\n'), /\\/, 'a backslash does not continue a line there');
  },
);

/** How a shell parses each command line: each program's arguments on a separate line. */
function argumentsOf(commands: readonly string[]): string[] {
  const say = 'say() { printf "[%s]" "$@"; echo; }; perp() { say perp "$@"; }; generate-orders() { :; }\n';
  const harmless = commands.map((command) =>
    command.replace(/Out-String|Invoke-Expression|source/g, 'say $&').replace(/> /g, '"$PWD" '),
  );
  const script = harmless.map((command) => `${command}\necho ---\n`).join('');
  const said = execFileSync('bash', ['-c', say + script], { encoding: 'utf8' }).replace(/\/dev\/fd\/\d+/g, '');
  return said.split('---\n').slice(0, -1);
}
