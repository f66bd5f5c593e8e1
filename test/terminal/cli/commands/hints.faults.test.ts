import assert from 'node:assert/strict';
import { cpSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { TrialsFile } from '../../../../src/programs/lab/trials-file.ts';
import { defaultVerbs } from '../../../../src/terminal/cli/tree/nouns.ts';
import { globalOptions } from '../../../../src/terminal/console/grammar/global-options.ts';
import type { CommandSpec } from '../../../../src/terminal/console/grammar/spec.ts';
import { around, recordingOf } from '../../../desk/resolve/recording.ts';
import { source, textsIn } from '../../../source-texts.ts';
import { commands, Desk, type Run } from '../practice.ts';

type Specs = ReadonlyMap<string, CommandSpec>;

/** Commands that hints name and that are not run here, and why. */
const notRun: Readonly<Record<string, string>> = {
  'doctor --live': 'it reads the networks of venues',
  'lab run': 'lab.faults.test.ts runs sweeps',
  login: 'it opens a browser',
  logout: 'there is no login to end',
  'sim record': 'it reads the network of a venue',
  'sim run': 'it runs another program',
  'sim serve --books live': 'it reads the network of a venue',
  wait: 'with a manual clock, nothing comes true',
};

/** Commands that can't succeed here, with their exit status, and why. */
const ends: Readonly<Record<string, readonly [exit: number, why: string]>> = {
  'accounts acknowledge-copy-stop': [3, 'copying has not been stopped'],
  'approve 0': [3, 'no such request waits'],
  doctor: [7, 'no host can be reached'],
  'gate ': [7, 'no gate is running'],
  'gate flatten': [7, 'no gate is running'],
  'gate serve': [130, 'Ctrl-C ends it'],
  'gate status': [7, 'no gate is running'],
  'mcp --gate': [4, 'the credential is not the key of a gate'],
  'pending resume KEY': [3, 'every write is settled'],
  'practice --continue': [3, 'no practice was left'],
  'sim bookmarks': [6, 'the markets are synthetic'],
  'sim check --re': [6, 'the state is undamaged'],
  'sim fund': [6, 'the account has not passed'],
  'sim serve': [130, 'Ctrl-C ends it'],
};

const words = (text: string) => text.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
const bare = (word: string) => word.replace(/(?:\{\})?[.,;:)?]*$/, '') || word;
const camelCase = (name: string) => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Whether an option takes a value. */
function takesValue({ options = {} }: CommandSpec, name: string): boolean {
  const all: Readonly<Record<string, object>> = { ...globalOptions, ...options };
  const option = all[name] ?? all[camelCase(name)];
  return option !== undefined && ['value', 'kind', 'choices'].some((field) => field in option);
}

/** The command that words begin with. */
function pathIn(found: readonly string[], specs: Specs): string | undefined {
  const starts = [3, 2, 1].map((length) => found.slice(0, length).map(bare).join(' '));
  return starts.find((one) => specOf(one, specs) !== undefined);
}

/** The spec of a command; of a noun alone, that of its usual verb. */
function specOf(path: string, specs: Specs): [path: string, spec: CommandSpec] | undefined {
  const verb = defaultVerbs[path] ?? 'list';
  const full = [path, `${path} ${verb}`, `${path} list`].find((one) => specs.has(one));
  return full === undefined ? undefined : [full, specs.get(full)!];
}

/** The command at the start of a text; a sentence may follow. */
function commandIn(text: string, specs: Specs): string | undefined {
  const found = words(text);
  const path = pathIn(found, specs);
  if (path === undefined) return undefined;
  const line = path.split(' ');
  if (bare(found[line.length - 1]!) !== found[line.length - 1]) return path;
  const [, spec] = specOf(path, specs)!;
  for (const word of found.slice(line.length)) {
    const [last, one] = [line.at(-1)!, bare(word)];
    const isValue = last.startsWith('--') && takesValue(spec, last.slice(2));
    const isWritten = /^(?:--[a-z-]+|[A-Z_]+|.*[{}"\d@=].*|wss?:.*|https?:.*|none|off|warn|live|BTC)$/.test(one);
    if (!isValue && (!isWritten || one.startsWith('('))) break;
    line.push(one);
    if (one !== word) break;
  }
  return line.join(' ');
}

/** Every command that a hint, an error or a note names, and a place of it. Examples are tried elsewhere. */
async function hints(specs: Specs): Promise<Map<string, string>> {
  const examples = new Set([...specs.values()].flatMap(({ examples: all = [] }) => all.map(([line]) => line)));
  const files = globSync(`${source}/{base,desk,bots,programs,service,terminal,venues}/**/*.ts`);
  const found = new Map<string, string>();
  for (const [text, where] of files.flatMap((file) => textsIn(file, (one) => /\bperp [a-z]/.test(one))))
    for (const { index } of examples.has(text) ? [] : text.matchAll(/\bperp (?=[a-z])/g)) {
      const line = commandIn(text.slice(index + 5), specs);
      if (line !== undefined && !found.has(line)) found.set(line, where);
    }
  return found;
}

/** What stands for an argument or an option's value, by the command and its name, or by the name alone. */
const values: Readonly<Record<string, string>> = {
  'api method': 'GET',
  'config set value': '3',
  'copy disable id': '@group',
  'gate key add bot': 'scalper',
  'lab merge file': '@trials',
  'lab show file': '@trials',
  OTHER: 'other',
  'mandate add bot': 'grid',
  'plan set name': 'swing',
  'pending resume key': 'KEY',
  'profile add name': 'other',
  'scaled cancel id': '@ladder',
  'scaled show id': '@ladder',
  'sim export tape': '@tape',
  'sim import file': '@export',
  'sim merge file': '@tape',
  'sim use name': 'default',
  'sim tapes slice tape': '@tape',
  'sim tapes verify tape': '@tape',
  'twap cancel id': '@twap',
  'twap show id': '@twap',
  account: '@account',
  'api-key-file': 'bot.key',
  'base-url': 'https://api.example.com',
  books: '@tape',
  bot: 'scalper',
  condition: 'flat',
  duration: '30s',
  env: 'sim',
  file: 'scalper',
  from: '2026-03-05T14:00Z',
  id: '00000000',
  key: 'trade.leverage',
  mandate: 'scalper',
  market: 'BTC',
  name: '@profile',
  order: '@order',
  plan: '1/3@1% rest@2%',
  position: 'BTC',
  price: '1%',
  profile: '@profile',
  shell: 'bash',
  side: 'buy',
  size: '0.01',
  state: 'default',
  text: 'late',
  to: '1h',
  usd: '100',
  value: '3',
  weather: '7',
  what: '2026-03-05',
};

/** The settings whose keys hints fill in: what a key ends with, and one such setting. */
const settings: readonly (readonly [end: string, key: string, value: string])[] = [
  ['api_key_file', 'profiles.@profile.api_key_file', 'bot.key'],
  ['login_url', 'profiles.@profile.login_url', 'https://login.example.com'],
  ['_stream_url', 'profiles.@profile.account_stream_url', 'wss://stream.example.com'],
  ['ws_url', 'venues.okx.ws_url', 'wss://okx.example.com'],
  ['base_url', 'live.base_url', 'https://api.example.com'],
  ['{}', 'trade.leverage', '3'],
];

/** The command line of a hint: placeholders and what is missing are filled in. */
function lineOf(hint: string, specs: Specs): string[] {
  const all = words(hint);
  const short = pathIn(all, specs)!;
  const rest = all.slice(short.split(' ').length);
  const [path, spec] = specOf(short, specs)!;
  const setting = path === 'config set' ? settings.find(([end]) => rest[0]?.endsWith(end)) : undefined;
  if (setting !== undefined) return ['config', 'set', ...setting.slice(1)];
  const filledIn = (name: string, written = '') => {
    const isLiteral = written !== '' && !/^(?:[A-Z]+|and|or|obeys)$|[{}]|\.\.\.$/.test(written);
    return isLiteral
      ? written.replaceAll(/^["']|["']$/g, '')
      : (values[written] ?? values[`${path} ${name}`] ?? values[name] ?? `?${name}`);
  };
  const line = short.split(' ');
  const open = [...(spec.args ?? [])];
  while (rest.length > 0) {
    const word = rest.shift()!;
    const option = /^--[a-z-]+/.exec(word)?.[0];
    if (option !== undefined) {
      const name = option.slice(2);
      line.push(option, ...(takesValue(spec, name) ? [filledIn(name, rest.shift())] : []));
    } else if (open.length > 0) line.push(filledIn(open.shift()!.name, word));
  }
  for (const { name, optional } of open) if (optional !== true) line.push(filledIn(name));
  return line;
}

/** What a hint leaves out because it only names the command, or what makes one end. */
const additions: readonly (readonly [line: string, ...added: string[]])[] = [
  ['gate serve --mandate', '--port', '0'],
  ['gate serve', '--mandate', 'scalper', '--port', '0'],
  ['guard add', '--rules', '@new.toml'],
  ['guard ', '--trail', '1.5%', '--once'],
  ['journal one-r BTC ', '100'],
  ['ladder', '--for', '1s'],
  ['lab merge', '-o', '@new'],
  ['lab report', '-o', '@new'],
  ['practice 2026', '--plain'],
  ['practice --continue', '--plain'],
  ['practice', '2026-03-05', '--plain'],
  ['sim advance ', '30s'],
  ['sim export', '--to', 'csv', '-o', '@new'],
  ['sim import', '-o', '@new.jsonl'],
  ['sim merge', '-o', '@new.jsonl'],
  ['sim serve', '--port', '0', '--sandbox-port', '0'],
  ['sim tapes slice', '-o', '@new.jsonl'],
  ['stream trades', '--for', '1s'],
  ['wait', '--for', '1s'],
  ['watch', '--for', '1s'],
];

/** Whether a command line begins like this, or is all of it if that ends with a space. */
const fits = (begin: string, line: string) => (begin.endsWith(' ') ? line === begin.trim() : line.startsWith(begin));

/** A user's machine with a bit of everything, and what its placeholders stand for. */
async function prepared(desk: Desk): Promise<Record<string, string>> {
  await desk.json('sim', 'reset', '--accounts', '2', '--clock', 'manual', '--yes');
  const [{ id: lead }, { id: follower }] = await desk.json('accounts');
  await desk.json('accounts', 'use', lead);
  await desk.json('copy', 'save', '--lead', lead, '--follower', follower, '--enable');
  const [{ config_id: group }] = await desk.json('copy');
  const place = ['order', 'place', 'BTC', 'buy', '0.01'];
  await desk.json(...place);
  const { id: order } = await desk.json(...place, '--limit-price', '-5%');
  const { id: twap } = await desk.json('twap', 'place', 'BTC', 'buy', '0.1', '--duration', '30m');
  const rungs = ['--from', '-5%', '--to', '-6%', '--rungs', '2'];
  const ladder = await desk.json('scaled', 'place', 'BTC', 'buy', '0.02', ...rungs);
  for (const bot of ['scalper', 'other']) {
    await desk.json('mandate', 'add', bot);
    await desk.perp(['mandate', 'sign', bot], { terminal: true, typed: [`sign ${bot}`] });
  }
  await desk.json('profile', 'add', 'prop', '--env', 'live', '--base-url', 'https://api.example.com');
  await desk.json('guard', 'add');
  const tape = recordingOf(desk.folder, [around(60_000), around(60_010)]);
  const folder = join(desk.folder, 'exported');
  await desk.json('sim', 'export', tape, '--to', 'csv', '-o', folder);
  const trials = join(desk.folder, 'trials.sqlite');
  TrialsFile.open(trials, { create: true }).close();
  return {
    account: lead,
    group,
    ladder: ladder.scaled_order_id ?? ladder.id,
    order,
    profile: 'prop',
    twap,
  };
}

/** Files of that machine. */
const files: Readonly<Record<string, string>> = {
  export: 'exported',
  new: 'new',
  tape: 'tape.jsonl',
  trials: 'trials.sqlite',
};

/** Runs a command on a copy of that machine; a server ends by Ctrl-C, and a person signs. */
async function ranOnCopy(argv: readonly string[], of: Desk): Promise<Run> {
  using desk = new Desk();
  cpSync(of.folder, desk.folder, { recursive: true });
  const own = argv.map((word) => word.replace(/@([a-z]+)/, (_, name: string) => join(desk.folder, files[name]!)));
  const isOfPerson = ['sign', 'resume'].includes(argv[1]!);
  let isRunning = argv[1] === 'serve';
  const printed = () => {
    if (isRunning) setImmediate(() => process.listeners('SIGINT').at(-1)!('SIGINT'));
    isRunning = false;
  };
  const typed = [argv[1] === 'sign' ? 'sign scalper' : 'resume all'];
  const input = Readable.from([]);
  return await desk.perp(isOfPerson ? own : [...own, '--yes'], {
    terminal: isOfPerson,
    answer: true,
    typed,
    input,
    printed,
  });
}

test('every command that a hint names is accepted, and does what it says', { timeout: 600_000 }, async () => {
  const { specs } = await commands();
  using begun = new Desk();
  const names = await prepared(begun);
  const found = await hints(specs);
  const faults: string[] = [];
  for (const [hint, where] of found) {
    const filled = lineOf(hint, specs).map((word) =>
      word.replace(/@([a-z]+)/, (all, name: string) => names[name] ?? all),
    );
    const line = filled.join(' ');
    if (Object.keys(notRun).some((one) => line.startsWith(one))) continue;
    const [expected] = Object.entries(ends).find(([one]) => fits(one, line))?.[1] ?? [0];
    const [, ...added] = additions.find(([one]) => fits(one, line)) ?? [];
    const { exit, err } = await ranOnCopy([...filled, ...added], begun);
    if (exit !== expected) faults.push(`${where}: perp ${hint}, run as ${line}, ended with ${exit}: ${err}`);
  }
  assert.ok(found.size > 150, `${found.size} are too few to be all`);
  assert.deepEqual(faults, []);
});
