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
    markets: markets.map(({ marketId, state, gap, gaps, messages, lagMs, quietMs, problem }) => ({
      market_id: marketId,
      // Markets that are off are omitted.
      state: state as Feed['markets'][number]['state'],
      gap_since: gap?.since ?? null,
      gap_reason: gap?.reason ?? null,
      gaps,
      messages,
      lag_ms: lagMs,
      quiet_ms: quietMs,
      problem,
    })),
  };
}

function stateOf({ connections, markets }: FeedStatus): Feed['state'] {
  const live = markets.filter(({ state }) => state === 'live').length;
  if (markets.length === 0) return 'idle';
  if (live === markets.length) return 'live';
  if (live > 0) return 'partly_live';
  return connections.some(({ state }) => state === 'connecting') ? 'connecting' : 'in_gap';
}
