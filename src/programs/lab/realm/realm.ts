import { isBuiltin } from 'node:module';
import vm from 'node:vm';
import { type Strategy, StrategyError, type StrategyErrorCode } from '../../sdk/strategy/define-strategy.ts';
import { checkedStrategy } from '../../sdk/strategy/definition.ts';
import { type Guard, guardedBot } from './guarded-bot.ts';
import { type HostCalls, type Inside, insideText, type Thrown } from './inside.ts';

/** A module of a strategy: its text without types, and the targets of its import specifiers. */
export interface StrategyModule {
  /** Its location, for errors: a path relative to the strategy's folder. */
  readonly name: string;
  readonly kind: 'script' | 'json';
  readonly text: string;
  /** Names of the modules behind its specifiers; a module of Node's is its specifier. */
  readonly links: Readonly<Record<string, string>>;
}

/** A strategy with everything that it imports; the first module is its own. */
export type StrategyModules = readonly StrategyModule[];

/** The host functions that the strategy uses while it runs. */
interface ArmedContext extends Pick<HostCalls, 'now' | 'random' | 'log'> {
  /** The strategy's code is called. */
  called(): void;
  /** The strategy has placed an order under this id, in this line of its files; empty if unknown. */
  placed?(id: string, where: string): void;
}

/** The strategy reached for something that a trial refuses: the message names it and the call. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** The exports of `perp/strategy` inside a realm. */
export const strategyModule = `
  export function defineStrategy(strategy) { return strategy; }
  export class StrategyError extends Error {
    constructor(code, message, facts = {}) {
      super(message, 'cause' in facts ? { cause: facts.cause } : {});
      this.name = 'StrategyError';
      this.code = code;
      this.at = undefined;
      this.field = facts.field;
    }
  }
  const inTrial = (name) => { throw new StrategyError('callback', name + ' was called, but a trial runs the strategy itself'); };
  export async function backtest() { inTrial('backtest'); }
  export async function trade() { inTrial('trade'); }`;
/** The name under which strategies import it. */
export const strategyImport = 'perp/strategy';
/** The library's other modules: a strategy may import them for its own program, but call none of them in a trial. */
export const otherImports: ReadonlyMap<string, readonly string[]> = new Map([
  ['perp/client', ['PerpError', 'connect']],
  ['perp/sim', ['Simulation']],
]);

/** A function of a strategy. */
type Callback = (bot: object, value?: unknown) => unknown;

const promised: Thrown = {
  name: 'TypeError',
  message: 'it returned a promise; callbacks are synchronous',
  stack: '',
  code: 'callback',
};

const overflow: Thrown = {
  name: 'RangeError',
  message: 'it used up the stack within a call of its bot or console',
  stack: '',
  code: 'callback',
};

// A worker takes it from the process, so that a strategy can't have it.
const builtin = process.getBuiltinModule;

let insideScript: vm.Script | undefined;
const compiled = new WeakMap<StrategyModule, Buffer>();

/**
 * A separate world for one run of a strategy: fresh globals without anything of Node's, in which its modules are
 * evaluated anew, so that nothing of an earlier run is left and nothing of the host is in reach (docs/lab.md).
 */
export class Realm {
  /** The strategy's default export; opaque here. */
  readonly definition: unknown;
  /** The first sentence about a refusal; null if there was none. */
  refused: string | null = null;
  private readonly inside: Inside;
  private readonly modules: StrategyModules;
  private readonly surroundings: ArmedContext;
  private bot: object = {};
  private guard: Guard | null = null;
  private readonly calls: { readonly cutShort: number };

  private constructor(
    inside: Inside,
    modules: StrategyModules,
    definition: unknown,
    surroundings: ArmedContext,
    calls: { readonly cutShort: number },
  ) {
    this.inside = inside;
    this.modules = modules;
    this.definition = definition;
    this.surroundings = surroundings;
    this.calls = calls;
  }

  /** Evaluates the modules. Throws a RefusedError, or a StrategyError for what they throw. */
  static async open(modules: StrategyModules, surroundings: ArmedContext): Promise<Realm> {
    let refused: string | null = null;
    let realm: Realm | null = null;
    const note = (sentence: string) => {
      refused ??= sentence;
      if (realm !== null) realm.refused ??= sentence;
    };
    const importing = (specifier: string): never => {
      note(`this strategy loaded a module while it ran: dynamic import of ${JSON.stringify(`${specifier}`)}`);
      throw new RefusedError('dynamic imports are refused');
    };
    const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
      codeGeneration: { strings: true, wasm: true },
      // For code outside all modules, such as a text that a promise evaluates.
      importModuleDynamically: importing,
    });
    insideScript ??= new vm.Script(insideText(), { filename: 'realm' });
    const calls = { cutShort: 0 };
    const own = (insideScript.runInContext(context) as (calls: HostCalls) => Inside)({
      now: () => surroundings.now(),
      random: () => surroundings.random(),
      log(text) {
        // At the end of the stack, only this may still be possible.
        calls.cutShort += 1;
        surroundings.log(text);
        calls.cutShort -= 1;
      },
      refused: (sentence) => note(`${sentence}`),
    });
    const linked = linkedModules(modules, context, own, importing);
    await linked.evaluate().catch((error: unknown) => {
      if (refused !== null) throw new RefusedError(refused);
      throw errorBy(own.describe(error));
    });
    if (refused !== null) throw new RefusedError(refused);
    const { default: definition } = linked.namespace as { default?: unknown };
    realm = new Realm(own, modules, definition, surroundings, calls);
    return realm;
  }

  /** The definition as plain data, with `true` in place of functions. */
  shape(): unknown {
    let text: string | undefined;
    try {
      text = this.inside.shape(this.definition);
    } catch (error) {
      throw this.refused === null ? errorBy(this.inside.describe(error)) : new RefusedError(this.refused);
    }
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** Connects the object through which the strategy reads and asks. */
  connect(bot: object): void {
    const { placed } = this.surroundings;
    this.guard = {
      cutShort: 0,
      ownError: this.inside.ownError,
      callBack: (callback) => this.run(() => callback()),
      ...(placed && { placed: (order) => placed(order, placeIn(new Error().stack ?? '', this.modules)) }),
    };
    this.bot = guardedBot(bot, this.guard);
  }

  /** Calls a function of the definition, by its path there. Throws a RefusedError or a StrategyError. */
  call([name, part]: readonly [name: string, part?: string], value?: unknown): void {
    const { bot } = this;
    this.run(() => {
      // Its own objects: reading them may run the strategy's code.
      const definition = this.definition as Record<string, Callback & Record<string, Callback>>;
      const owner: Record<string, Callback> = part === undefined ? definition : definition[name]!;
      return value === undefined ? owner[part ?? name]!(bot) : owner[part ?? name]!(bot, value);
    });
  }

  /** Runs code of the strategy. */
  private run(code: () => unknown): void {
    this.surroundings.called();
    let thrown: Thrown | null = null;
    try {
      const value = code();
      if (value !== undefined && this.inside.isPromise(value)) thrown = promised;
    } catch (error) {
      thrown = this.inside.describe(error);
    }
    if (this.refused !== null) throw new RefusedError(this.refused);
    if (this.calls.cutShort > 0 || (this.guard !== null && this.guard.cutShort > 0)) thrown = overflow;
    if (thrown !== null) throw errorBy(thrown);
  }
}

/**
 * The strategy of a realm as any host can run it: its data copied, each of its callbacks a call into the realm. Throws
 * a StrategyError for an invalid definition.
 */
export function strategyIn(realm: Realm): Strategy {
  const shape = realm.shape();
  if (typeof shape !== 'object' || shape === null) return checkedStrategy(shape);
  let isConnected = false;
  const callback = (...path: [name: string, part?: string]): Callback => {
    return (bot, value) => {
      if (!isConnected) realm.connect(bot);
      isConnected = true;
      realm.call(path, value);
    };
  };
  const callable = Object.fromEntries(
    Object.entries(shape).map(([name, value]) => [name, value === true ? callback(name) : value]),
  );
  const { every } = shape as { every?: unknown };
  if (typeof every === 'object' && every !== null) {
    callable.every = Object.fromEntries(
      Object.entries(every).map(([name, value]) => [name, value === true ? callback('every', name) : value]),
    );
  }
  return checkedStrategy(callable);
}

/** The place at the end of a line of a stack, `cross.ts:12:7`; null if there is none. */
function placeOf(frame: string): string | null {
  const last = frame.slice(Math.max(frame.lastIndexOf(' '), frame.lastIndexOf('(')) + 1);
  const place = last.endsWith(')') ? last.slice(0, -1) : last;
  const numbers = place.split(':').slice(1).slice(-2);
  return numbers.length === 2 && numbers.every((part) => /^\d+$/.test(part)) ? place : null;
}

/** The first place of a stack that is in one of the modules: `cross.ts:12`. */
function placeIn(stack: string, modules: StrategyModules): string {
  for (const frame of stack.split('\n')) {
    const [file, line] = (placeOf(frame) ?? '').split(':');
    if (modules.some(({ name }) => name === file)) return `${file}:${line}`;
  }
  return '';
}

/** The strategy's error as a host error; a host error that only passed through is returned unchanged. */
function errorBy({ name, message, stack, code }: Thrown): StrategyError {
  if (name === 'StrategyError' && code !== '') return new StrategyError(code as StrategyErrorCode, message);
  const place = stack
    .slice(message.length)
    .split('\n')
    .map(placeOf)
    .find((found) => found !== null);
  const shown = name === 'Error' || message === '' ? message : `${name}: ${message}`;
  return new StrategyError('callback', place === undefined ? shown : `${shown} (${place})`);
}

/** The strategy's module with all its imports, not evaluated yet. */
function linkedModules(
  modules: StrategyModules,
  context: vm.Context,
  own: Inside,
  importing: (specifier: string) => never,
): vm.SourceTextModule {
  const byName = new Map(modules.map((module) => [module.name, module]));
  const made = new Map<string, vm.Module>();
  const moduleAt = (name: string): vm.Module => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const module = madeOf(name, byName.get(name), context, own, importing);
    made.set(name, module);
    return module;
  };
  for (const { name, links } of modules) {
    const module = moduleAt(name);
    if (!(module instanceof vm.SourceTextModule)) continue;
    module.linkRequests(module.moduleRequests.map(({ specifier }) => moduleAt(links[specifier]!)));
  }
  const first = made.get(modules[0]!.name) as vm.SourceTextModule;
  first.instantiate();
  return first;
}

function madeOf(
  name: string,
  module: StrategyModule | undefined,
  context: vm.Context,
  own: Inside,
  importing: (specifier: string) => never,
): vm.Module {
  if (module?.kind === 'json') {
    return new vm.SyntheticModule(
      ['default'],
      function () {
        this.setExport('default', own.json(module.text));
      },
      { context, identifier: name },
    );
  }
  if (module === undefined && name !== strategyImport) return refusedModule(name, context, own);
  const options: vm.SourceTextModuleOptions = {
    context,
    identifier: name,
    importModuleDynamically: importing,
  };
  const cachedData = module === undefined ? undefined : compiled.get(module);
  const made = new vm.SourceTextModule(
    module?.text ?? strategyModule,
    cachedData === undefined ? options : { ...options, cachedData },
  );
  if (module === undefined) made.linkRequests([]);
  else if (cachedData === undefined) {
    compiled.set(module, (made as unknown as { createCachedData(): Buffer }).createCachedData());
  }
  return made;
}

/** The purpose of Node's built-in modules, for the sentence about a call to them. */
const does: readonly [modules: RegExp, did: (call: string) => string][] = [
  [
    /^fs(\/promises)?$/,
    (call) =>
      /write|append|mk|rm|unlink|rename|copy|trunc|ch(own|mod)|link|utimes/i.test(call)
        ? 'wrote a file'
        : 'read a file',
  ],
  [/^perp\/client$/, () => 'used the network'],
  [/^perp\/sim$/, () => 'opened a simulation'],
  [/^(net|https?|http2|tls|dgram|dns(\/promises)?)$/, () => 'used the network'],
  [/^(child_process|cluster)$/, () => 'started a process'],
  [/^worker_threads$/, () => 'started a thread'],
  [/^timers(\/promises)?$/, () => 'used the wall clock (use bot.after or bot.at)'],
  [
    /^(process|vm|module|v8|inspector|repl|diagnostics_channel|async_hooks|trace_events)/,
    () => 'reached into its host',
  ],
];

/** A module of Node or of the library: it can be imported, and any call into it is refused by name. */
function refusedModule(name: string, context: vm.Context, own: Inside): vm.Module {
  const bare = name.replace(/^node:/, '');
  const did = does.find(([modules]) => modules.test(bare))?.[1] ?? (() => "used one of Node's own modules");
  const shown = isBuiltin(name) ? `node:${bare}` : name;
  const names = isBuiltin(name) ? Object.keys(builtin(name) ?? {}) : (otherImports.get(name) ?? []);
  const exported = [...new Set([...names, 'default'])];
  return new vm.SyntheticModule(
    exported,
    function () {
      for (const one of exported) {
        const call = one === 'default' ? shown : `${shown} ${one}`;
        this.setExport(one, own.refusal(call, did(one)));
      }
    },
    { context, identifier: name },
  );
}
