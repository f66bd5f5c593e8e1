import { exitCodes, Failure } from '../../base/failure/failure.ts';
import { hintFor } from '../../base/failure/hints.ts';
import { factsOf } from '../../base/failure/report.ts';
import type { Operation } from '../../wire/contract/operation.ts';
import { type KnownOperationId, operations } from '../../wire/contract/operations.ts';
import { validate } from '../../wire/contract/validate.ts';

/** An answer that the command received. */
export interface Received {
  id: KnownOperationId;
  status: number;
  body: unknown;
}

/**
 * Explains the error that stopped a command: if it looks like a bug and an answer violates the contract, returns a
 * Failure that names the field; otherwise the error itself. Answers are validated only here, so harmless deviations
 * stop nothing.
 */
export function diagnosed(received: readonly Received[], error: unknown): unknown {
  return factsOf(error).exit === exitCodes.bug ? (badAnswer(received, error) ?? error) : error;
}

function badAnswer(received: readonly Received[], cause: unknown): Failure | undefined {
  for (const { id, status, body } of received) {
    const operation: Operation | undefined = id in operations ? operations[id as keyof typeof operations] : undefined;
    // A success status that the contract does not list has the same body.
    const schema = operation && (operation.responses[status]?.schema ?? operation.success);
    const [issue, ...more] = schema === undefined ? [] : validate(schema, body);
    if (issue === undefined) continue;
    const others = more.length === 0 ? '' : `, and ${more.length} more`;
    const message = `The host's answer to ${id} does not match the API: ${issue.field} ${issue.issue}${others}.`;
    return new Failure({ code: 'bad_answer', message, status, hint: hintFor('bad_answer') }, { cause });
  }
  return undefined;
}
