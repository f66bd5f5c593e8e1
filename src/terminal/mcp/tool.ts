import type { ObjectSchema, Schema } from '../../wire/contract/schema.ts';
import type { Console } from '../console/console.ts';
import type { AgentCall } from './agent-console.ts';

/** One tool: its definition, and what it does. */
export interface Tool {
  readonly name: string;
  /** Whom it is for, when to use it, and what it never does. */
  readonly description: string;
  /** Whether it sends writes. */
  readonly changes: boolean;
  /** Whether it only waits: it ends when nobody can read its answer anymore. */
  readonly waits?: true;
  readonly input: ObjectSchema;
  /** The additional fields of its result. */
  readonly output: Readonly<Record<string, Schema>>;
  run(console: Console, args: never, call: ToolCall): Promise<ToolResult>;
}

/** The context of a call. */
export interface ToolCall extends Pick<AgentCall, 'stopIfCanceled' | 'terms'> {
  /** The key of a tool that changes something, else empty. */
  readonly key: string;
  /** The request first sent with this key, so that a repeated call sends the same bytes. */
  readonly kept: Map<string, unknown>;
}

/** The own part of a result, and one sentence that says what is true now. */
export interface ToolResult extends Record<string, unknown> {
  readonly summary: string;
}

/** Declares a tool, whose arguments have the type of its input. */
export function defineTool<A, const T extends Omit<Tool, 'run' | 'input'>>(
  tool: T & {
    readonly input: ObjectSchema<A>;
    run(console: Console, args: A, call: ToolCall): Promise<ToolResult>;
  },
): Tool {
  return tool as unknown as Tool;
}
