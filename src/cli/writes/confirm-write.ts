import type { Sending } from '../../desk/writes/settlement.ts';
import { interruptedFailure } from '../../ground/failure/failure.ts';
import { plainLines } from '../../ground/text/plain-text.ts';
import type { Console } from '../console/console.ts';

/**
 * Asks on a terminal before a write is sent. On live, with `trade.confirm_live = name`, the answer is the name of the
 * account, or of the host if there are several; an empty one sends nothing.
 */
export async function confirmWrite(console: Console, question: string, sending: Sending): Promise<void> {
  const { settings, isInteractive, outside } = console;
  const asksName = settings.confirmLive === 'name' && sending.destination.environment === 'live';
  if (!asksName || settings.yes || !isInteractive) return console.confirm(question);
  const name = await nameToType(sending);
  const same = (text: string) => text.trim().toLowerCase() === name.trim().toLowerCase();
  const wrong = `Type ${name} to send it, or nothing to send nothing`;
  const typed = await outside.prompts.line(plainLines(`${question} Type ${name} to send it`), (text) =>
    text.trim() === '' || same(text) ? undefined : plainLines(wrong),
  );
  if (!same(typed)) throw interruptedFailure('Nothing was sent.');
}

async function nameToType({ client, destination: { baseUrl }, accounts }: Sending): Promise<string> {
  const [account, ...others] = accounts;
  if (account === undefined || others.length > 0) return new URL(baseUrl!).host;
  try {
    const { data } = await client.call('getAccount', { path: { account_id: account } });
    // A name of spaces only can't be told from no answer.
    return data.name.trim() === '' ? account : data.name;
  } catch {
    return account;
  }
}
