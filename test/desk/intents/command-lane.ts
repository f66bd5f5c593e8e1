import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sessionFile, writeSessionFile } from '../../../src/desk/credentials/session-file.ts';
import { unsettledWrites } from '../../../src/desk/intents/intent-files.ts';
import { BuiltRun, type Ended, freshWorld, machine, type Served, servedWorld } from '../../terminal/cli/built-perp.ts';
import { perpFromSource } from '../../terminal/cli/practice.ts';
import type { Lengths } from '../../wire/client/fault-plan.ts';
import { type Fault, type FaultProxy, faultProxy } from '../../wire/client/fault-proxy.ts';
import type { PracticeWorld } from '../../wire/client/practice-world.ts';
import type { CommandTrial } from '../../wire/client/write-trials.ts';
import { type Gate, gate } from './gate.ts';

type Prepare = (world: PracticeWorld) => Promise<CommandTrial>;

/** How commands run: the executable, or from source in the test's process, which is ten times as fast. */
export type Way = 'executable' | 'here';

/** A separate machine with a served simulation behind a fault proxy and a gate, for sequential commands. */
export class CommandLane {
  readonly #machine: ReturnType<typeof machine>;
  readonly #served: Served;
  readonly #proxy: FaultProxy;
  readonly #entrance: Gate;
  readonly #outage: { isOn: boolean };
  readonly #way: Way;

  private constructor(
    way: Way,
    parts: { machine: ReturnType<typeof machine>; served: Served; proxy: FaultProxy; entrance: Gate },
    outage: { isOn: boolean },
  ) {
    this.#way = way;
    this.#machine = parts.machine;
    this.#served = parts.served;
    this.#proxy = parts.proxy;
    this.#entrance = parts.entrance;
    this.#outage = outage;
  }

  static async open(way: Way): Promise<CommandLane> {
    const own = machine();
    mkdirSync(own.variables.PERP_CONFIG_DIR!);
    writeFileSync(join(own.variables.PERP_CONFIG_DIR!, 'config.json'), '{"arrival_window": 0.4}');
    await freshWorld(own.variables, 2);
    const served = await servedWorld(own.variables);
    const proxy = await faultProxy(served.baseUrl);
    const outage = { isOn: false };
    const entrance = await gate(proxy.url, () => outage.isOn && proxy.struck());
    return new CommandLane(way, { machine: own, served, proxy, entrance }, outage);
  }

  async close(): Promise<void> {
    await this.#entrance.close();
    await this.#proxy.close();
    await this.#served.stop();
    this.#machine.remove();
  }

  /** A folder for a test's files. */
  get folder(): string {
    return this.#machine.folder;
  }

  get world(): PracticeWorld {
    return this.#served.world;
  }

  /** Bytes of a command's write and its answer without faults. */
  async lengths(prepare: Prepare): Promise<Lengths> {
    this.#proxy.arm();
    const trial = await prepare(this.world);
    const calm = await this.#perp(trial);
    assert.equal(calm.exit, 0, calm.err);
    assert.equal(await trial.effects(), 1, 'without faults');
    assert.deepEqual(this.#unsettled(), { writes: [], damages: [] });
    return this.#proxy.writeLengths()[0]!;
  }

  /**
   * Runs a command under a fault at a byte of its first write, unless the fault names another; checks that its exit
   * status is correct, and that the write took effect at most once.
   */
  async strike(
    prepare: Prepare,
    fault: Fault,
    where: string,
    meanwhile: () => Promise<unknown> = async () => {},
  ): Promise<Ended> {
    const trial = await prepare(this.world);
    this.#proxy.arm({ write: 0, ...fault });
    const ended = await this.#perp(trial, fault.kind === 'stall' ? '0.4' : '2');
    if (fault.kind === 'drop') await delay((fault.delayMs ?? 0) + 10);
    await meanwhile();
    await this.#check(trial, ended, `${where}, ${JSON.stringify(fault)}: exit ${ended.exit}, ${ended.err}`);
    await this.world.tidy();
    return ended;
  }

  /** The same, but after the fault the network stays down until `meanwhile` is done. */
  async strikeAndStayAway(...parameters: Parameters<CommandLane['strike']>): Promise<Ended> {
    this.#outage.isOn = true;
    try {
      return await this.strike(...parameters);
    } finally {
      this.#outage.isOn = false;
    }
  }

  async #check(trial: CommandTrial, { exit, err }: Ended, where: string): Promise<void> {
    this.#outage.isOn = false;
    // 9: done, but perp could not check whether anything is left.
    if (exit === 0 || exit === 9) assert.equal(await trial.effects(), 1, where);
    else if (exit === 7) assert.equal(await trial.effects(), 0, where);
    else {
      assert.equal(exit, 8, where);
      if (trial.credential === undefined) await this.#checkResumed(trial, where);
      else {
        assert.match(err, /so it is kept/, where);
        assert.equal((await this.#perp(trial)).exit, 0, where);
        assert.equal(await trial.effects(), 1, where);
      }
    }
    assert.deepEqual(this.#unsettled(), { writes: [], damages: [] }, where);
    if (trial.credential !== undefined) assert.equal(existsSync(sessionFile(this.#variables)), exit === 7, where);
  }

  async #checkResumed(trial: CommandTrial, where: string): Promise<void> {
    const resumed = await this.#perp({ argv: ['pending', 'resume'] }, '0.4');
    const [settled, ...others] = JSON.parse(resumed.out);
    assert.deepEqual([resumed.exit, others.length], [0, 0], `${where}: ${resumed.out}`);
    assert.match(settled.outcome, /^(done|not_done)$/, where);
    assert.equal(await trial.effects(), Number(settled.outcome === 'done'), `${where}: ${resumed.out}`);
  }

  #perp(
    { argv, credential: session }: Pick<CommandTrial, 'argv' | 'credential'>,
    timeoutSeconds = '2',
  ): Promise<Ended> {
    const remote = { PERP_ENV: 'live', PERP_BASE_URL: this.#entrance.url, PERP_ACCOUNT: this.world.accountId };
    const credential = session === undefined ? { PERP_API_KEY: this.#served.key } : {};
    if (session !== undefined) {
      const expiresAt = Date.now() + 86_400_000;
      writeSessionFile(this.#variables, this.#entrance.url, { apiKey: session, name: 'desk', expiresAt });
    }
    const variables = { ...this.#variables, ...remote, ...credential };
    const words = [...argv, '--json', '--timeout', timeoutSeconds];
    if (this.#way === 'here') return perpFromSource(words, { variables, inRealTime: true });
    return new BuiltRun(words, variables).ended;
  }

  get #variables(): Record<string, string> {
    return this.#machine.variables;
  }

  #unsettled() {
    return unsettledWrites(`${this.#variables.PERP_STATE_DIR}/intents`);
  }
}
