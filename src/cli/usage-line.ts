import type { CommandSpec } from './spec.ts';

/** `perp order place MARKET SIDE SIZE [flags]`. */
export function usageLine(path: string, spec: CommandSpec): string {
  const args = (spec.args ?? []).map((argument) => {
    const name = argument.name.replace(/([A-Z])/g, '-$1').toUpperCase() + (argument.repeat === true ? '...' : '');
    return argument.optional === true ? `[${name}]` : name;
  });
  const required = Object.entries(spec.flags ?? {})
    .filter(([, flag]) => flag.required === true)
    .map(([name, flag]) => `--${name} ${flag.value}`);
  const more = Object.keys(spec.flags ?? {}).length > required.length ? ['[flags]'] : [];
  return ['perp', path, ...args, ...required, ...more].join(' ');
}
