/**
 * A reporter that ends the process at the first failed test. Each line on stdout is an object of JSON: a test file that
 * begins, as `{ file }`, or, as the last one, what failed, as `{ file, name, message }`.
 */
import { writeSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';

/** Prints nothing about tests that pass. */
export default async function* firstFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let file = '';
  const write = (facts: object) => writeSync(1, `\n${JSON.stringify({ file, ...facts })}\n`);
  for await (const { type, data } of events) {
    if (type === 'test:start' && data.nesting === 0) {
      // The outermost suites are named like their files.
      file = data.name;
      write({});
    }
    if (type !== 'test:fail' || data.todo !== undefined) continue;
    const { details, name } = data;
    const { cause, message } = details.error as { cause?: { message?: string }; message?: string };
    write({ name, message: cause?.message ?? message });
    process.exit(1);
  }
  yield '';
}
