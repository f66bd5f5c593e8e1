import { spawn } from 'node:child_process';
import type { Server } from 'node:http';
import { startOf } from '../../../base/self/self.ts';
import type { Page } from './outside.ts';

/** Hands the address of a server over to a process that outlives this one and answers every request with a page. */
export async function leavePage(server: Server, page: Page): Promise<void> {
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const;
  // It gets no variables: they may hold credentials.
  const [program, ...words] = startOf('left-page').words;
  const child = spawn(program, words, { detached: true, stdio: [...stdio], env: {}, cwd: '/' });
  await new Promise<void>((resolve) => {
    // Without it, the browser finds nothing, as with any other end.
    child.once('error', () => resolve());
    child.send(page, server, {}, () => resolve());
  });
  if (child.connected) child.disconnect();
  child.unref();
}
