import type { FeedsStatus } from '../../contract/simulation.ts';
import type { LiveStatus } from '../../markets/live/live-feeds.ts';
import type { FeedStatus } from '../../markets/live/venue-feed.ts';

type Feed = FeedsStatus['feeds'][number];

/** The feeds of live markets on the wire. */
export function presentFeeds({ feeds, tape }: LiveStatus): FeedsStatus {
  return {
    feeds: feeds.map(presentFeed),
    tape: {
      file: tape.tape,
      part: tape.part,
      lines: tape.lines,
      bytes: tape.partBytes,
      synced_at: tape.syncedAt,
      problem: tape.problem,
    },
  };
}

function presentFeed(feed: FeedStatus): Feed {
  const { venue, connections, markets, framesPerSecond, skewMs, rest } = feed;
  return {
    venue,
    state: stateOf(feed),
    messages_per_second: framesPerSecond,
    skew_ms: skewMs,
    weight_used: rest.weight,
    weight_limit: rest.weightPerMinute,
    paused_until: rest.pausedUntil === 0 ? null : rest.pausedUntil,
    connections: connections.map(({ name, state, confirmed, wanted, reconnects, ageMs, problem }) => ({
      name,
      state,
      subscriptions: confirmed,
      wanted,
      reconnects,
      age_ms: ageMs,
      problem,
    })),
    markets: markets.map(({ marketId, state, gap, gaps, messages, lagMs, quietMs, marks, marksProblem, problem }) => ({
      market_id: marketId,
      // Markets that are off are omitted.
      state: state as Feed['markets'][number]['state'],
      gap_since: gap?.since ?? null,
      gap_reason: gap?.reason ?? null,
      gaps,
      messages,
      lag_ms: lagMs,
      quiet_ms: quietMs,
      mark: numberOf(marks?.mark),
      index: numberOf(marks?.index),
      funding_rate: numberOf(marks?.fundingRate),
      funding_hours: marks?.fundingHours ?? null,
      next_funding_at: marks?.nextFundingAt ?? null,
      mark_age_ms: marks?.ageMs ?? null,
      mark_problem: marksProblem,
      problem,
    })),
  };
}

function numberOf(decimal: string | null | undefined): number | null {
  return decimal == null ? null : Number(decimal);
}

function stateOf({ connections, markets }: FeedStatus): Feed['state'] {
  const live = markets.filter(({ state }) => state === 'live').length;
  if (markets.length === 0) return 'idle';
  if (live === markets.length) return 'live';
  if (live > 0) return 'partly_live';
  return connections.some(({ state }) => state === 'connecting') ? 'connecting' : 'in_gap';
}
