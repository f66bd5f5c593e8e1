import type { Book } from '../../engine/book/book.ts';
import type { Ms, Price } from '../../engine/model.ts';
import { Tally } from './tally.ts';

/** Memory in seconds, and how fast the usual move of a second is learned. */
const memory = 301;
const learning = 0.002;
const lookbacks = [1, 2, 5, 10, 30, 60, 300];
const strengths = [1, 2, 4];
const holds = [1, 5, 30, 300];

/**
 * Bots that trade at market on a signal, once a second: with or against the last move, a breakout or the imbalance of
 * the touch, or after another market's move. Each set of parameters has its tally of trips, in basis points after
 * spread and fees.
 */
export class Bots {
  readonly trips = new Map<string, Tally>();
  private readonly fees: number;
  private readonly mids = new Float64Array(memory);
  private readonly leaderMids = new Float64Array(memory);
  private usual = 0;
  private leaderUsual = 0;
  private seconds = 0;
  private readonly open: { sign: number; price: Price; tally: Tally }[][] = Array.from({ length: memory }, () => []);

  /** `feeBps`: of one fill. */
  constructor(feeBps: number) {
    this.fees = 2 * feeBps;
  }

  /** Every second: closes what is due, and opens what the signals say. `leader`: the mid of another market, or NaN. */
  look(time: Ms, book: Book, leader: number): void {
    const { seconds, mids, leaderMids } = this;
    const [bid, ask] = [book.bids.best, book.asks.best];
    if (!(bid > 0) || !(ask > 0)) return;
    const place = seconds % memory;
    mids[place] = bid + ask;
    leaderMids[place] = leader;
    for (const { sign, price, tally } of this.open[place]!) {
      tally.add(sign * ((sign > 0 ? bid : ask) / price - 1) * 1e4 - this.fees, time);
    }
    this.open[place] = [];
    this.seconds += 1;
    if (seconds < memory) {
      if (seconds > 0) this.learn(0.02);
      return;
    }
    this.learn(learning);
    this.followMoves(bid, ask);
    this.followBook(book, bid, ask);
    this.followLeader(bid, ask);
  }

  private followMoves(bid: Price, ask: Price): void {
    for (const back of lookbacks) {
      const move = this.move(this.mids, back) / (this.usual * Math.sqrt(back));
      for (const strength of strengths)
        if (Math.abs(move) > strength) this.bothWays(`move of ${back} s over ${strength}`, Math.sign(move), bid, ask);
    }
    for (const back of [60, 300]) {
      const sign = this.breakout(back);
      if (sign !== 0) this.bothWays(`breakout of ${back} s`, sign, bid, ask);
    }
  }

  private followBook(book: Book, bid: Price, ask: Price): void {
    const [bids, asks] = [book.bids.sizeAt(bid), book.asks.sizeAt(ask)];
    const tilt = (bids - asks) / (bids + asks);
    for (const least of [0.3, 0.6, 0.8])
      if (Math.abs(tilt) > least) this.bothWays(`imbalance over ${least}`, Math.sign(tilt), bid, ask);
  }

  private followLeader(bid: Price, ask: Price): void {
    for (const back of [1, 5]) {
      const lead = this.move(this.leaderMids, back) / (this.leaderUsual * Math.sqrt(back));
      const lag = lead - this.move(this.mids, back) / (this.usual * Math.sqrt(back));
      for (const strength of strengths)
        if (Math.abs(lag) > strength) this.bothWays(`leader of ${back} s over ${strength}`, Math.sign(lag), bid, ask);
    }
  }

  private bothWays(name: string, sign: number, bid: Price, ask: Price): void {
    for (const hold of holds) {
      this.enter(`with ${name}, ${hold} s`, sign, hold, sign > 0 ? ask : bid);
      this.enter(`against ${name}, ${hold} s`, -sign, hold, sign > 0 ? bid : ask);
    }
  }

  private enter(name: string, sign: number, hold: number, price: Price): void {
    let tally = this.trips.get(name);
    if (tally === undefined) {
      tally = new Tally();
      this.trips.set(name, tally);
    }
    this.open[(this.seconds - 1 + hold) % memory]!.push({ sign, price, tally });
  }

  private learn(rate: number): void {
    this.usual = Math.sqrt((1 - rate) * this.usual ** 2 + rate * this.move(this.mids, 1) ** 2);
    this.leaderUsual = Math.sqrt((1 - rate) * this.leaderUsual ** 2 + rate * this.move(this.leaderMids, 1) ** 2);
  }

  /** Relative move of the last seconds. */
  private move(mids: Float64Array, back: number): number {
    const now = this.seconds - 1;
    return mids[now % memory]! / mids[(now - back) % memory]! - 1;
  }

  /** 1 at a new high, -1 at a new low, else 0. */
  private breakout(back: number): number {
    const now = this.seconds - 1;
    const mid = this.mids[now % memory]!;
    let [isHigh, isLow] = [true, true];
    for (let i = 1; i <= back && (isHigh || isLow); i += 1) {
      const before = this.mids[(now - i) % memory]!;
      if (before >= mid) isHigh = false;
      if (before <= mid) isLow = false;
    }
    return isHigh ? 1 : isLow ? -1 : 0;
  }
}
