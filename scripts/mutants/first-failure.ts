/** A reporter that ends the process at the first failed test, whose name is then the last line on stdout. */
import { writeSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';

/** Prints nothing while tests pass. */
export default async function* firstFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.todo !== undefined) continue;
    const { details, name } = data;
    const { cause, message } = details.error as { cause?: { message?: string }; message?: string };
    writeSync(1, `\n${JSON.stringify({ name, message: cause?.message ?? message })}\n`);
    process.exit(1);
  }
  yield '';
}
