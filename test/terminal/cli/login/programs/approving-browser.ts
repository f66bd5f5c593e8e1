import { appendFileSync } from 'node:fs';
import { Person } from '../person.ts';

/** Runs as $BROWSER: records its arguments and environment, and acts as the person who approves. */
const address = process.argv[2]!;
appendFileSync(process.env.BROWSER_LOG!, `${JSON.stringify(process.argv.slice(2))}\n`);
await new Person().approve(address);
