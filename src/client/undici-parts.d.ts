/**
 * The parts of undici that are used, which are not public: one POST in a new process takes 2.2 times as long as `node
 * -e 0` with them, and 3.8 times with the whole package. package.json pins the version;
 * test/client/undici-parts.test.ts fails if an upgrade moves them.
 */
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici';
}
