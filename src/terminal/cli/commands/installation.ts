import { installed } from '../../../base/self/self.ts';
import { defineCommand } from '../../console/console.ts';
import { fields, recordOf } from '../../console/output/result.ts';
import { completionScript } from '../completion/scripts.ts';

const version = defineCommand({
  summary: 'Show the version, commit, runtime and installation',
  description: 'Also prints the command that upgrades this copy. Reads and sends nothing.',
  examples: [
    ['perp version', 'for people'],
    ['perp version --json', 'for scripts and bug reports'],
  ],
  ignoresProfile: true,
  toleratesBadConfig: true,
  async run({ registry }) {
    const { version, commit } = registry;
    const { by, place, upgrade } = installed();
    const runtime = `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
    return recordOf({ version, commit, runtime, installed: by, place, upgrade }, () => [
      fields(
        ['version', version],
        ['commit', commit ?? 'unknown'],
        ['runtime', runtime],
        ['installed', `${by}, ${place}`],
        ['to upgrade', upgrade],
      ),
    ]);
  },
});

const completion = defineCommand({
  summary: 'Print the completion script for a shell',
  description:
    'Completes commands, options, values, markets, and your accounts, positions and working orders, without using the network.',
  args: [{ name: 'shell', choices: ['bash', 'zsh', 'fish', 'powershell'], summary: 'your shell' }],
  examples: [
    ['source <(perp completion bash)', 'in ~/.bashrc'],
    ['source <(perp completion zsh)', 'in ~/.zshrc, after: autoload -Uz compinit && compinit'],
    ['mkdir -p ~/.config/fish/completions && perp completion fish > ~/.config/fish/completions/perp.fish', 'for fish'],
    ['perp completion powershell | Out-String | Invoke-Expression', 'in $PROFILE'],
  ],
  ignoresProfile: true,
  async run(_, input) {
    return { kind: 'text', text: completionScript(input.shell) };
  },
});

export const words = { version, completion };
