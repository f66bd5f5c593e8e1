import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { bin, buildPerp, freshWorld, machine } from '../built-perp.ts';

const noFullDevice = existsSync('/dev/full') ? false : 'no /dev/full here';

const here = machine();

before(async () => {
  buildPerp();
  await freshWorld(here.variables, 1);
});
after(() => here.remove());

interface Ended {
  exit: number | null;
  out: string;
  err: string;
}

/** Runs a script as cron would: without a terminal, and stopping at errors. */
function sh(script: string, variables: Record<string, string | undefined> = {}): Ended {
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '--noprofile', '-c', `set -euo pipefail; perp() { '${process.execPath}' '${bin}' "$@"; }\n${script}`],
    { env: { ...here.variables, ...variables }, encoding: 'utf8', timeout: 60_000, input: '' },
  );
  return { exit: status, out: stdout, err: stderr };
}

const limit = 'order place BTC buy 0.01 --limit-price 20000 --leverage 2 --margin cross';

test('a trading script: values from JSON, failures by exit status, and a batch', () => {
  const { exit, out, err } = sh(`
    id=$(perp ${limit} --client-order-id cron-1 --json | node -p 'JSON.parse(fs.readFileSync(0)).id')
    perp order show "$id" --json | grep -q '"status": "resting"'
    status=0; perp order show nothing-such 2>/dev/null || status=$?
    echo "missing $status"
    printf '%s\\n' "order amend $id --price 20001" "order cancel $id" | perp batch | grep -c '"ok":true'
    status=0; perp order cancel "$id" 2>/dev/null || status=$?
    echo "again $status"
    perp cancel-all --yes --quiet >/dev/null
    perp pending list --json`);
  assert.equal(exit, 0, err);
  assert.equal(out, 'missing 3\n2\nagain 6\n[]\n');
});

test('lost output exits 8 if something was changed, 7 after a read', { skip: noFullDevice }, (t) => {
  const { variables, remove } = machine();
  t.after(remove);
  const cases: [command: string, exit: number][] = [
    ['help', 7],
    ['--version', 7],
    ['order list --json', 7],
    ['quote BTC --side buy --size 1', 7],
    ['sim policy', 7],
    ['config list', 7],
    ['order place BTC buy 0.001 --dry-run', 7],
    ['config set trade.leverage 2 --dry-run', 7],
    ['sim policy --restrict none', 8],
    ['cancel-all --yes', 8],
    ['sim key add', 8],
    ['config set trade.leverage 2', 8],
    ['config rm trade.leverage', 8],
  ];
  for (const [command, exit] of cases) {
    const run = sh(`status=0; perp ${command} >/dev/full || status=$?; exit $status`, variables);
    assert.equal(run.exit, exit, `${command}: ${run.err}`);
  }
});

test('a reader that stops early stops only the output', () => {
  sh(
    Array.from(
      { length: 3 },
      (_, at) => `perp order place BTC buy 0.0${at + 1} --leverage 2 --margin cross >/dev/null`,
    ).join('\n'),
  );
  const { exit, out, err } = sh(`
    perp fills --all | head -1
    perp fills --all -o ndjson | head -1
    perp order list --all --json | head -c 1
    perp markets -o csv | true
    perp help order place | head -1
    ${Array.from({ length: 5 }, () => `perp ${limit} --new --json | true`).join('\n')}
    perp pending list --json
    perp order list --status working --json | grep -c '"status": "resting"'`);
  assert.equal(exit, 0, err);
  assert.match(err, /^(?:SIM default, synthetic.*\n)*$/);
  assert.match(out, /\[\]\n5\n$/, 'five orders were placed, and none is pending');
});

test('closed and full streams change neither the effect nor the exit status', () => {
  const cases: [command: string, exit: number][] = [
    ['perp markets --json <&-', 0],
    ['perp markets --json >&-', 0],
    ['perp order show nothing-such 2>&-', 3],
    ['perp order show nothing-such <&- >&- 2>&-', 3],
    ['perp batch <&-', 0],
    ...(existsSync('/dev/full')
      ? ([
          ['perp markets --json >/dev/full', 7],
          ['echo markets | perp batch >/dev/full', 8],
          ['perp order show nothing-such 2>/dev/full', 3],
        ] satisfies [string, number][])
      : []),
  ];
  for (const [command, exit] of cases) {
    const ended = sh(command);
    assert.equal(ended.exit, exit, `${command}: ${ended.err}`);
    assert.doesNotMatch(ended.err, /bug in perp|\bat .*\.js:/, command);
  }
});

test('pending lists an order whose answer could not be kept', {
  skip: !existsSync('/dev/full') && 'no /dev/full',
}, () => {
  const lost = sh(`perp ${limit.replace('20000', '20500')} --json >/dev/full`);
  assert.equal(lost.exit, 8, lost.err);
  const { exit, out, err } = sh('perp pending resume --json');
  assert.equal(exit, 0, err);
  const [settled] = JSON.parse(out);
  assert.deepEqual([settled.outcome, settled.resource.limit_price], ['done', 20_500]);
});

test('without a terminal, output is plain text, whatever the variables say, except FORCE_COLOR', () => {
  const commands = [
    'markets',
    'accounts show',
    'positions',
    'order list',
    'pending',
    'help',
    'help order place',
    'quote BTC',
    'quote NOPE',
    'order place BTC',
    `${limit} --new`,
    'cancel-all --yes',
    'sim status',
  ];
  const runtime: Record<string, string>[] = [
    { TERM: 'xterm-256color', COLORTERM: 'truecolor', CLICOLOR_FORCE: '1' },
    { TERM: 'dumb', COLUMNS: '40' },
    { LC_ALL: 'C', LANG: 'C' },
    { LC_ALL: 'de_DE.ISO-8859-1', TZ: 'Asia/Kolkata' },
  ];
  for (const variables of runtime) {
    const { exit, out } = sh(commands.map((command) => `perp ${command} 2>&1 || true`).join('\n'), variables);
    assert.equal(exit, 0);
    assert.doesNotMatch(out, /[^\n\u0020-\u007e]/, JSON.stringify(variables));
    assert.doesNotMatch(out, /bug in perp/);
  }
});

test('no table is wider than 40 columns', () => {
  const { out } = sh(
    ['markets', 'order list --ended', 'accounts', 'pending'].map((command) => `perp ${command}`).join('\n'),
    {
      COLUMNS: '40',
    },
  );
  for (const line of out.split('\n')) assert.ok(line.length <= 40, line);
});

test('without a writable home folder, reads work; writes say which folder to set', () => {
  const homeless = { PERP_STATE_DIR: undefined, PERP_CONFIG_DIR: undefined, XDG_CACHE_HOME: undefined };
  for (const home of [undefined, '', '/dev/null', ...(existsSync('/sys/kernel') ? ['/sys'] : [])]) {
    for (const command of ['--version', 'help', 'config list', 'completion bash']) {
      const { exit, err } = sh(`perp ${command}`, { ...homeless, HOME: home });
      assert.deepEqual([exit, err], [0, ''], `HOME=${home} perp ${command}`);
    }
    if (home === undefined || home === '') continue;
    const stuck = sh('perp markets', { ...homeless, HOME: home });
    assert.equal(stuck.exit, 7, stuck.err);
    assert.match(stuck.err, /PERP_STATE_DIR/);
    const elsewhere = sh('perp markets --json', {
      ...homeless,
      HOME: home,
      PERP_STATE_DIR: here.variables.PERP_STATE_DIR,
    });
    assert.equal(elsewhere.exit, 0, elsewhere.err);
  }
});

test("a write to a host is not sent if it can't be kept; a read is", () => {
  const { exit, err } = sh(
    `'${process.execPath}' '${bin}' sim serve --port 0 --sandbox-port 0 --json > "$HOME/served" & trap 'kill %1; wait' EXIT
    until grep -q base_url "$HOME/served"; do sleep 0.05; done
    export PERP_ENV=live PERP_BASE_URL=$(node -p 'JSON.parse(fs.readFileSync(process.env.HOME + "/served")).base_url')
    export PERP_API_KEY=$(node -p 'JSON.parse(fs.readFileSync(process.env.PERP_STATE_DIR + "/default.service.json")).key')
    export PERP_STATE_DIR=/dev/null/nowhere
    perp accounts --json >/dev/null
    status=0; perp ${limit.replace('20000', '20700')} --json || status=$?
    test $status = 7
    ! perp order list --status working --json | grep -q 20700`,
  );
  assert.equal(exit, 0, err);
  assert.match(err, /"code":"not_kept".*Nothing was sent.*PERP_STATE_DIR/);
});
