/**
 * undici by its parts, which are not public: one POST in a process of its own takes 2.2 times the time of `node -e 0`
 * with them, and 3.8 times through the package as a whole. package.json pins the version; test/client/undici-parts.test.ts
 * tells when an upgrade moves them.
 */
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici';
}
