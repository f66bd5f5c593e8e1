/**
 * From the start of `perp mcp` to the first line that it answers, against `node -e 0` on the same Node, alternating:
 * the time that an agent's program waits before it knows the tools. And to the answer of the first tool.
 */
import { spawn } from 'node:child_process';
import { type Figure, median } from './measure.ts';
import { benchFolder, executable } from './served.ts';

const rounds = 15;

const hello = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};
const account = { method: 'tools/call', params: { name: 'get_account', arguments: {} } };

/** Ratios of wall time to the first answer, and to the first tool's. */
export async function mcp(): Promise<Figure[]> {
  const { env, remove } = benchFolder();
  const bare: number[] = [];
  const first: number[] = [];
  const tool: number[] = [];
  try {
    for (let round = -2; round < rounds; round++) {
      const node = await bareMs(env);
      const [answered, called] = await answeredMs(env);
      if (round < 0) continue;
      bare.push(node);
      first.push(answered);
      tool.push(called);
    }
  } finally {
    remove();
  }
  const figure = (name: string, times: readonly number[], more: Partial<Figure>): Figure => ({
    name: `${name} / node -e 0`,
    value: median(times.map((ms, nth) => ms / bare[nth]!)),
    unit: 'x',
    note: `${median(times).toFixed(0)} ms / ${median(bare).toFixed(0)} ms`,
    ...more,
  });
  return [
    figure('perp mcp to its first answer', first, { isQuoted: true, target: { atMost: 5 } }),
    figure('perp mcp to the answer of its first tool', tool, {}),
  ];
}

function bareMs(env: NodeJS.ProcessEnv): Promise<number> {
  const start = performance.now();
  const { promise, resolve } = Promise.withResolvers<number>();
  spawn(process.execPath, ['-e', '0'], { env, stdio: 'ignore' }).once('exit', () => resolve(performance.now() - start));
  return promise;
}

/** When the first line came, and when the one of the tool did, ms after the start. */
async function answeredMs(env: NodeJS.ProcessEnv): Promise<[first: number, tool: number]> {
  const start = performance.now();
  const child = spawn(process.execPath, [executable, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const over = new Promise((resolve) => child.once('exit', resolve));
  const times: number[] = [];
  for (const [id, request] of [hello, account].entries())
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    text += chunk;
    const lines = text.split('\n').length - 1;
    while (times.length < lines) times.push(performance.now() - start);
    if (lines === 2) break;
  }
  child.stdin.end();
  await over;
  const [first, tool] = times;
  if (first === undefined || tool === undefined) throw new Error(`perp mcp answered: ${text}`);
  return [first, tool];
}
