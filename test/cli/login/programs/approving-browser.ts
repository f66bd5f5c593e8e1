import { appendFileSync } from 'node:fs';
import { Person } from '../person.ts';

/** Started as $BROWSER: puts down what it was started with, and plays the person who approves. */
const address = process.argv[2]!;
appendFileSync(process.env.BROWSER_LOG!, `${JSON.stringify(process.argv.slice(2))}\n`);
await new Person().approve(address);
