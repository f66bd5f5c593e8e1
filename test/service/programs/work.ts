import { Work, works } from '../interrupted-work.ts';

/** Does a task on the state in a folder (both are arguments); prints when it has started and when it is done. */
const [stateDir, name] = process.argv.slice(2);
const { work } = await Work.open(stateDir!);
console.log('begun');
await works[name as keyof typeof works].act(work);
console.log('done');
