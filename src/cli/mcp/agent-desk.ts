import type { Console } from '../console/console.ts';
import type { AgentDesk } from './agent-console.ts';

/** The desk of a connection that may only read. */
export function readingDesk(console: Console): AgentDesk {
  return { console, mandate: undefined, access: () => console.access() };
}
