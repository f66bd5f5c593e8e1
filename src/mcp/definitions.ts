import { nullable, number, object, record, type Schema, string } from '../contract/schema.ts';
import type { AgentDesk } from './agent-console.ts';
import type { Tool } from './tool.ts';
import { closingTools } from './tools-closing.ts';
import { orderTools } from './tools-orders.ts';
import { readingTools } from './tools-reading.ts';

/** Every tool. */
export const allTools: readonly Tool[] = [...readingTools, ...orderTools, ...closingTools];

/** The tools that are listed: without a mandate, only those that read. */
export function toolsOf({ mandate }: AgentDesk): readonly Tool[] {
  return mandate === undefined ? allTools.filter(({ changes }) => !changes) : allTools;
}

/** What every result says. */
const head = {
  environment: string(),
  account: nullable(string()),
  room_usd: record(nullable(number())),
};

/** A tool as the protocol lists it. */
export function definitionOf({ name, description, changes, input, output }: Tool) {
  return {
    name,
    description,
    inputSchema: plainObject(input),
    outputSchema: plainObject(object({ ...head, ...output })),
    annotations: changes
      ? { readOnlyHint: false, destructiveHint: true, idempotentHint: true }
      : { readOnlyHint: true },
  };
}

function plainObject(schema: Schema): { type: 'object'; [key: string]: unknown } {
  return { ...schema, type: 'object' };
}
