import type { TestEvent } from 'node:test/reporters';

/** What `scripts/test.ts` needs to know of a run. */
export interface TestFact {
  /**
   * A skipped test, a test file that has ended, a test that was under way when the run was ended from outside, or a
   * test that failed.
   */
  readonly kind: 'skipped' | 'file' | 'interrupted' | 'failed';
  readonly name: string;
  /** The file of a test that failed. */
  readonly file?: string | undefined;
  readonly milliseconds: number;
}

/** A reporter for node:test: facts as lines of JSON. */
export default async function* testFacts(events: AsyncIterable<TestEvent>) {
  const lines = (...facts: TestFact[]) => facts.map((fact) => `${JSON.stringify(fact)}\n`).join('');
  for await (const { type, data } of events) {
    // The process ends right after the first line of this event.
    if (type === 'test:interrupted')
      yield lines(...data.tests.map(({ name }): TestFact => ({ kind: 'interrupted', name, milliseconds: 0 })));
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { name, skip, details, file } = data;
    const milliseconds = Math.round(details.duration_ms);
    if (type === 'test:fail') yield lines({ kind: 'failed', name, file, milliseconds });
    if (skip !== undefined && skip !== false) yield lines({ kind: 'skipped', name: `${name}: ${skip}`, milliseconds });
    else if (name.startsWith('test/')) yield lines({ kind: 'file', name, milliseconds });
  }
}
