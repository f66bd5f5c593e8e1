import { exitCodes } from '../../ground/failure/exit-codes.ts';
import { Failure } from '../../ground/failure/failure.ts';
import { accountRisk } from '../resolve/risk.ts';
import { nearestFloor } from '../risk/breach.ts';
import type { Session } from '../session/session.ts';

/** Whether new exposure has to know a floor: on a host, unless the user wants no checks at all. */
export function asksForFloor({ settings }: Session): boolean {
  return settings.environment !== 'sim' && (settings.floorCheck !== 'off' || settings.unknownFloor === 'refuse');
}

/** The check must not delay an order for as long as a read is retried. */
const maxWaitMs = 5_000;

function inTime<T>(reading: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), maxWaitMs);
  return Promise.race([reading, late.promise]).finally(() => clearTimeout(timer));
}

/**
 * New exposure on a host that reports no floor of the account: there may be one all the same, so `trade.unknown_floor`
 * decides. In the simulation, a missing floor means that the plan has none.
 */
export async function checkFloorKnown(
  session: Session,
  force: boolean,
  isReducing: () => Promise<boolean>,
): Promise<void> {
  const { unknownFloor } = session.settings;
  const account = await inTime(accountRisk(session).catch(() => undefined));
  session.signal.throwIfAborted();
  if (nearestFloor(account?.risk) !== undefined) return;
  if ((await inTime(isReducing().catch(() => false))) === true) return;
  const text = `No floor known: the host reports none for this account, so the order's worst case is compared with nothing`;
  if (unknownFloor === 'warn' || force) {
    await session.memory.recent('an unknown floor', async () => session.note(`${text}.`));
    return;
  }
  throw new Failure({
    exit: exitCodes.rejected,
    code: 'unknown_floor',
    message: `${text}, which trade.unknown_floor refuses. Nothing was sent.`,
    hint: 'Add --force, or allow it with perp config set trade.unknown_floor warn.',
  });
}
