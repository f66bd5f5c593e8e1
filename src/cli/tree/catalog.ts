import type { CommandSpec } from '../grammar/spec.ts';

/** Every command by its path (`order place`): its summary is ready, its full spec is loaded on demand. */
export interface Catalog {
  readonly version: string;
  readonly summaries: ReadonlyMap<string, string>;
  spec(path: string): CommandSpec;
}
