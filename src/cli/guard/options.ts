import type { OptionSpec } from '../grammar/spec.ts';

/** The option of every command that reads rules. */
export const rulesOption = {
  rules: { value: 'FILE', kind: 'file', summary: 'rules file (default: guard.toml beside the config file)' },
} as const satisfies Record<string, OptionSpec>;
