import { stretch } from '../../ground/text/format.ts';
import { venueFacts } from '../../terms/venues.ts';
import type { Context } from '../context/context.ts';
import { liveOptions } from '../settings/venues.ts';
import { type Finding, maxWaitMs, ok, warn } from './finding.ts';

/** Clocks closer than this agree. */
const toleranceMs = 2_000;

/** Every venue of live markets answers over REST and streams, and its clock agrees with ours. */
export async function checkVenues(context: Context): Promise<Finding[]> {
  const { tryVenues } = await import('../../service/live/recording.ts');
  const checks = await tryVenues(liveOptions(context.variables, undefined), maxWaitMs(context));
  return checks.map(({ venue, restMs, restProblem, streamMs, streamProblem, skewMs }) => {
    const check = `${venue} feed`;
    const problems = [
      ...(restProblem === null ? [] : [`REST: ${restProblem}`]),
      ...(streamProblem === null ? [] : [`stream: ${streamProblem}`]),
    ];
    if (problems.length > 0) {
      const way =
        venueFacts[venue].wsUrl === null
          ? 'perp config set live.base_url https://...'
          : `perp config set venues.${venue}.ws_url wss://...`;
      return warn(
        check,
        `${problems.join('; ')}.`,
        `Live markets need both. Behind a proxy, set HTTPS_PROXY, or run: ${way}`,
      );
    }
    const took = `REST ${Math.round(restMs!)} ms, stream ${Math.round(streamMs!)} ms`;
    if (skewMs === null || Math.abs(skewMs) <= toleranceMs) return ok(check, took);
    const apart = `its clock is ${stretch(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's`;
    return warn(check, `${took}; ${apart}.`, "Sync the system's clock with NTP.");
  });
}
