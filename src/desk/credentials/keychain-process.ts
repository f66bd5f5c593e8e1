import { isPart } from '../../base/self/self.ts';

/** A use of the keychain, as its library names it. */
export type Call =
  | ['getPassword', service: string, account: string]
  | ['setPassword', service: string, account: string, secret: string]
  | ['deletePassword', service: string, account: string];

/** The library's result, or its message. */
export type Answer = { answers: unknown[] } | { message: string };

async function answersTo(calls: readonly Call[]): Promise<Answer> {
  try {
    const library = await import('keytar');
    // The bundle gets it as CommonJS has it.
    const keytar = library.default ?? library;
    const answers: unknown[] = [];
    for (const [name, ...values] of calls)
      answers.push(await (keytar[name] as (...values: string[]) => Promise<unknown>)(...values));
    return { answers };
  } catch (error) {
    return { message: (error as Error).message };
  }
}

// Secrets come and go as messages, which only the process that started this one can send.
if (isPart('keychain'))
  process.once('message', (calls: Call[]) => {
    process.send!('asked');
    void answersTo(calls).then((answer) => process.send!(answer, () => process.disconnect()));
  });
