/** migrate FILE VERSION: migrates a small state to the version; every step adds a row. Prints the result. */

import { migrate } from '../../../../src/exchange/store/schema.ts';
import { StateDatabase } from '../../../../src/exchange/store/state-database.ts';

const version = Number(process.argv[3]);
const connection = new StateDatabase(process.argv[2]!);
migrate(connection, {
  version,
  create: () => ['CREATE TABLE taken (step)'],
  upgrades: Array.from({ length: version - 1 }, (_, step) => ({
    from: step + 1,
    to: step + 2,
    sql: [`INSERT INTO taken VALUES (${step})`],
  })),
});
const reached = connection.prepare('PRAGMA user_version').row()![0];
const rows = connection.prepare('SELECT count(*) FROM taken').row()![0];
console.log(`version ${reached}, ${rows} rows`);
connection.close();
