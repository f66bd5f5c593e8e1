import type { KnownOperationId, ReadRequestOf, ResponseOf } from '../contract/operations.ts';
import type { Environment } from '../engine/model.ts';
import type { Principal } from './keys.ts';
import type { Simulation, Turn } from './simulation.ts';

/** What every handler knows of a request beside its own path, query and body. */
export interface Circumstances {
  readonly operationId: string;
  /** Whoever asks; on an operation without credential an anonymous reader. */
  readonly principal: Principal;
  /** The host that was asked. */
  readonly environment: Environment;
  /** Of an idempotent operation; else empty. */
  readonly idempotencyKey: string;
  /** Every query parameter as it was sent. */
  readonly search: URLSearchParams;
  readonly simulation: Simulation;
  readonly urls: HostUrls;
}

/** A checked request of one operation, as its handler gets it. */
export type Call<Id extends KnownOperationId> = ReadRequestOf<Id> & Circumstances;

/** Where the two hosts are, for messages that name the right one. */
export type HostUrls = Readonly<Record<Environment, string>>;

/** What a handler answers; a refusal is thrown as a `Failure`. */
export interface Answer<Body = unknown> {
  status: 200 | 201 | 202;
  body: Body;
  headers?: Record<string, string>;
}

/** Does one operation at one moment of the exchange: of a GET it only looks, else its changes are committed. */
export type Handler<Id extends KnownOperationId> = (call: Call<Id>, turn: Turn) => Answer<ResponseOf<Id>>;

/** 200 with `{ data }`. */
export function found<T>(data: T): Answer<{ data: T }> {
  return { status: 200, body: { data } };
}

/** 201 with `{ data }`. */
export function made<T>(data: T): Answer<{ data: T }> {
  return { status: 201, body: { data } };
}
