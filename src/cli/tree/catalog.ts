import type { CommandSpec } from '../grammar/spec.ts';

/** Every command by its path (`order place`): what it does in a line at hand, the rest of its spec on demand. */
export interface Catalog {
  readonly version: string;
  readonly summaries: ReadonlyMap<string, string>;
  spec(path: string): CommandSpec;
}
