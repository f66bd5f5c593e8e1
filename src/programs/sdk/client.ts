export type * from './client/call-options.ts';
export type * from './client/client-types.ts';
export { connect } from './client/connect.ts';
export { type CallOutcome, type ErrorFacts, type FieldIssue, PerpError } from './client/errors.ts';
export type * from './client/operations.generated.ts';
