/**
 * The code inside a trial's realm, which has JavaScript's own globals and none of Node's. Each function here is
 * evaluated there from its text, so it refers to nothing but its parameters, and no pristine global is used that the
 * strategy could have replaced.
 */

/** The host's interface for the code inside a trial. */
export interface HostCalls {
  /** Market time, Unix ms. */
  now(): number;
  /** From 0 to below 1, by the trial's seed. */
  random(): number;
  /** A line for the trial's log. */
  log(text: string): void;
  /** The strategy tried what a trial refuses: the whole sentence. It fails the trial, even if the strategy goes on. */
  refused(sentence: string): void;
}

type HostFunction = (...args: unknown[]) => unknown;

/** The error that the strategy's code threw, in words. */
export interface Thrown {
  name: string;
  message: string;
  stack: string;
  code: string;
}

/** The strategy side's interface for the host. */
export interface Inside {
  /** A stand-in for something that a trial refuses: a call of it, or of anything in it, is named. */
  refusal(path: string, did: string): unknown;
  /** The definition as JSON, with `true` in place of functions. */
  shape(definition: unknown): string | undefined;
  describe(error: unknown): Thrown;
  /** A value of the strategy's own from JSON. */
  json(text: string): unknown;
  /** An error of the host, made anew. */
  ownError(error: unknown): Error;
  isPromise(value: unknown): boolean;
}

interface Tools {
  host: HostCalls;
  put(target: object, key: string | number, value: unknown, enumerable?: boolean): void;
  ownError(error: unknown): Error;
}

interface Speech {
  refusal(path: string, did: string): unknown;
  show(value: unknown): string;
  describe(error: unknown): Thrown;
  log: HostFunction;
}

/** The text of the script of a strategy's realm: a function of HostCalls that returns the Inside. */
export function insideText(): string {
  return `'use strict'; (calls) => {
    const tools = (${makeTools})(calls);
    const speech = (${makeSpeech})(tools);
    (${replaceGlobals})(tools, speech);
    (${replaceBackground})(tools);
    (${replaceTime})(tools);
    return (${makeInside})(tools, speech);
  }`;
}

/** The interface that the others use; a host error never gets through. */
function makeTools(calls: HostCalls): Tools {
  const { apply } = Reflect;
  const { defineProperty, create } = Object;
  const OwnError = Error;
  const put: Tools['put'] = (target, key, value, enumerable = true) => {
    const slot = create(null) as PropertyDescriptor;
    slot.value = value;
    slot.enumerable = enumerable;
    slot.configurable = true;
    slot.writable = true;
    defineProperty(target, key, slot);
  };
  const ownError: Tools['ownError'] = (error) => {
    // Only at the end of the stack can an error of the host not be read.
    let [name, message, code, field] = ['RangeError', 'Maximum call stack size exceeded', '', ''];
    try {
      const facts = error as { name?: unknown; message?: unknown; code?: unknown; field?: unknown };
      [name, message] = [`${facts.name}`, `${facts.message}`];
      [code, field] = [`${facts.code ?? ''}`, `${facts.field ?? ''}`];
    } catch {}
    const own = new OwnError(message);
    put(own, 'name', name, false);
    if (code !== '') put(own, 'code', code);
    if (field !== '') put(own, 'field', field);
    return own;
  };
  const guarded = (call: (...args: never[]) => unknown): HostFunction => {
    return (...args) => {
      try {
        return apply(call, undefined, args);
      } catch (error) {
        throw ownError(error);
      }
    };
  };
  const [now, random, log, refused] = [calls.now, calls.random, calls.log, calls.refused].map((call) => guarded(call));
  return { host: { now, random, log, refused } as Tools['host'], put, ownError };
}

/** A strategy's output and messages about it: log lines, errors, refusals. */
function makeSpeech({ host }: Tools): Speech {
  const { stringify } = JSON;
  const [OwnError, OwnProxy, text] = [Error, Proxy, String];
  class Refused extends OwnError {
    override readonly name = 'Refused';
  }
  // It can be called and constructed.
  class Nothing {}
  const refusal: Speech['refusal'] = (path, did) => {
    const fail = (): never => {
      const sentence = `this strategy ${did}: ${path}`;
      host.refused(sentence);
      throw new Refused(sentence);
    };
    return new OwnProxy(Nothing, {
      apply: fail,
      construct: fail,
      set: fail,
      defineProperty: fail,
      deleteProperty: fail,
      getPrototypeOf: () => null,
      get(target, key) {
        if (key === 'prototype') return target.prototype;
        return typeof key === 'symbol' || key === 'then' ? undefined : refusal(`${path}.${key}`, did);
      },
    });
  };
  const show: Speech['show'] = (value) => {
    if (typeof value === 'string') return value;
    try {
      if (value instanceof OwnError) return `${value.name}: ${value.message}`;
      return typeof value === 'object' && value !== null ? (stringify(value) ?? text(value)) : text(value);
    } catch {
      return '(can not be printed)';
    }
  };
  const describe: Speech['describe'] = (error) => {
    let [name, message, stack, code] = ['Error', "threw a value that can't be printed", '', ''];
    try {
      // An overflow of the stack may be an error of the host's.
      const facts = error as Partial<Error> & { code?: unknown };
      if (error instanceof OwnError || typeof facts.stack === 'string') {
        [name, message] = [`${facts.name}`, `${facts.message}`];
        [stack, code] = [`${facts.stack}`, `${facts.code ?? ''}`];
      } else message = `threw ${show(error)}`;
    } catch {}
    return { name, message, stack, code };
  };
  const log: Speech['log'] = (...values) => {
    let line = '';
    for (let at = 0; at < values.length; at += 1) line += `${at > 0 ? ' ' : ''}${show(values[at])}`;
    host.log(line);
  };
  // Its own frames only: where perp is installed must not be in a log. Nor could the strategy see frames otherwise.
  const { apply } = Reflect;
  const { startsWith } = String.prototype;
  const isOfHost = (file: unknown): boolean =>
    typeof file === 'string' &&
    (file === 'realm' || apply(startsWith, file, ['node:']) || apply(startsWith, file, ['file:']));
  const prepare = (error: unknown, frames: NodeJS.CallSite[]): string => {
    let shown = 'Error';
    try {
      shown = text(error);
      for (let at = 0; at < frames.length; at += 1)
        if (!isOfHost(frames[at]!.getFileName())) shown += `\n    at ${text(frames[at])}`;
    } catch {}
    return shown;
  };
  Object.defineProperty(OwnError, 'prepareStackTrace', { value: prepare, writable: false, configurable: false });
  return { refusal, show, describe, log };
}

/** Globals that strategies know from Node and browsers: output goes to the log, and the rest is refused by name. */
function replaceGlobals({ put }: Tools, { refusal, log }: Speech): void {
  const { freeze } = Object;
  const global = globalThis as unknown as Record<string, unknown>;
  const console: Record<string, unknown> = {};
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table']) console[name] = log;
  for (const name of ['assert', 'group', 'groupEnd', 'time', 'timeEnd', 'timeLog', 'count', 'clear'])
    console[name] = () => {};
  const write = (value: unknown): boolean => {
    log(value);
    return true;
  };
  const output = freeze({ write, isTTY: false });
  const own: Record<string, unknown> = { env: freeze({}), argv: freeze([]), stdout: output, stderr: output };
  const others = refusal('process', 'reached into its host') as Record<string, unknown>;
  const process = new Proxy(freeze({}), {
    get: (_target, key) => (typeof key === 'symbol' ? undefined : key in own ? own[key] : others[key]),
  });
  const refused: [did: string, names: string][] = [
    ['used the network', 'fetch WebSocket EventSource XMLHttpRequest Request Response Headers navigator'],
    ['started a thread', 'Worker SharedWorker MessageChannel BroadcastChannel'],
    ['used the wall clock (use bot.after or bot.at)', 'setTimeout setInterval setImmediate'],
    ['left the moment of the market (callbacks are synchronous)', 'queueMicrotask requestAnimationFrame'],
    ['used randomness that no seed decides (use bot.random)', 'crypto'],
    ['loaded a module while it ran', 'require module'],
    ['reached into its host', 'Deno Bun'],
  ];
  for (const [did, names] of refused) for (const name of names.split(' ')) put(global, name, refusal(name, did), false);
  // Results that depend on garbage collection or threads can't be reproduced.
  for (const name of ['WeakRef', 'FinalizationRegistry', 'SharedArrayBuffer', 'Atomics']) delete global[name];
  for (const [name, value] of [
    ['console', freeze(console)],
    ['process', process],
    ['global', global],
  ] as const)
    put(global, name, value, false);
}

/** WebAssembly's background work runs synchronously, so none of it remains when a trial is over. */
function replaceBackground({ put }: Tools): void {
  type Maker = new (...args: unknown[]) => object;
  const own = (globalThis as unknown as { WebAssembly: Record<string, unknown> }).WebAssembly;
  const [Module, Instance] = [own.Module as Maker, own.Instance as Maker];
  put(own, 'compile', async (bytes: unknown) => new Module(bytes), false);
  const instantiate = async (source: unknown, imports: unknown) => {
    if (source instanceof Module) return new Instance(source, imports);
    const module = new Module(source);
    return { module, instance: new Instance(module, imports) };
  };
  put(own, 'instantiate', instantiate, false);
  delete own.compileStreaming;
  delete own.instantiateStreaming;
}

/** Time is the market's, and chance the seed's. */
function replaceTime({ host, put }: Tools): void {
  const { apply, construct, ownKeys, getOwnPropertyDescriptor } = Reflect;
  const { defineProperty, freeze } = Object;
  const RealDate = Date;
  const MarketDate = function (this: unknown, ...args: unknown[]): unknown {
    if (new.target === undefined) return new RealDate(host.now()).toString();
    return construct(RealDate, args.length === 0 ? [host.now()] : args, new.target as never);
  };
  for (const key of ownKeys(RealDate)) {
    if (key === 'prototype' || key === 'now') continue;
    defineProperty(MarketDate, key, getOwnPropertyDescriptor(RealDate, key)!);
  }
  MarketDate.prototype = RealDate.prototype;
  MarketDate.now = () => host.now();
  put(RealDate.prototype, 'constructor', MarketDate, false);
  put(globalThis, 'Date', MarketDate, false);
  put(Math, 'random', () => host.random(), false);
  put(globalThis, 'performance', freeze({ now: () => host.now(), timeOrigin: 0 }), false);
  const formats = Intl.DateTimeFormat.prototype;
  const { formatToParts } = formats;
  const { get: format } = getOwnPropertyDescriptor(formats, 'format')!;
  defineProperty(formats, 'format', {
    configurable: true,
    get(this: unknown) {
      const bound = apply(format!, this, []) as (when: unknown) => string;
      return (when: unknown) => bound(when === undefined ? host.now() : when);
    },
  });
  const parts = function (this: unknown, when: unknown): unknown {
    return apply(formatToParts, this, [when === undefined ? host.now() : when]);
  };
  put(formats, 'formatToParts', parts, false);
}

/** The interface that the host uses. */
function makeInside({ put, ownError }: Tools, { refusal, describe }: Speech): Inside {
  const { keys } = Object;
  const { stringify, parse } = JSON;
  const { isArray } = Array;
  const { isFinite: isUsual } = Number;
  const OwnPromise = Promise;
  const shapeOf = (value: unknown, depth: number): unknown => {
    if (typeof value === 'function') return true;
    if (typeof value === 'number' && !isUsual(value)) return `${value}`;
    if (typeof value !== 'object' || value === null || depth > 3) return value;
    const copy: object = isArray(value) ? [] : {};
    for (const name of keys(value)) put(copy, name, shapeOf((value as Record<string, unknown>)[name], depth + 1));
    return copy;
  };
  return {
    refusal,
    describe,
    ownError,
    json: (text) => parse(text),
    shape: (definition) => stringify(shapeOf(definition, 0)),
    isPromise: (value) => value instanceof OwnPromise,
  };
}
