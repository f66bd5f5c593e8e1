import { defineCommand } from '../../console/console.ts';
import { completionScript } from '../completion/scripts.ts';

export const command = defineCommand({
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
