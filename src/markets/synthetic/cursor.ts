import type { Ms } from '../../engine/model.ts';
import type { BookEvent, MarketEvent, PrintEvent } from '../../engine/source.ts';
import { fraction, hash32 } from './hashing.ts';
import type { SyntheticMarket } from './market.ts';
import { blockSlots } from './path.ts';
import { Session } from './session.ts';
import { bookTime, maxPrintsPerSlot, printTime, slotAt, slotsPerHour } from './slots.ts';

/** Of 256 prints while the touch is about to move, those on the side it moves to. */
const informedShare = 205;
/** Of 256 such prints, those that sweep every level the touch is about to leave behind. */
const sweepingShare = 90;
/** Of 256 other prints, those that go one level beyond the touch. */
const deepShare = 8;

/**
 * Plays one market forwards. The path is filled a block of slots at a time; the book is written when its event is
 * asked for, into arrays that are used again.
 */
export class SyntheticCursor {
  /** Time of the event `next` will return. */
  nextTime: Ms;
  private readonly market: SyntheticMarket;
  private slot: number;
  /** -1: the slot's book comes next; else the number of the print that does. */
  private printIndex = -1;
  private prints = 0;
  private block = -1;
  private readonly values = new Float64Array(blockSlots + 1);
  private readonly volatility = new Float64Array(blockSlots);
  /** Touch by slot of the block, and of the first slot after it: best bid and spread in grid steps. */
  private readonly bid = new Int32Array(blockSlots + 1);
  private readonly spread = new Int32Array(blockSlots + 1);
  private readonly book: BookEvent;
  private readonly print: PrintEvent;
  private readonly bids: Float64Array;
  private readonly asks: Float64Array;
  /** Whether the arrays hold the book of `slot`. */
  private written = false;

  /** Stands after `from`: the first event is the first one later than it. */
  constructor(market: SyntheticMarket, from: Ms) {
    this.market = market;
    this.bids = new Float64Array(2 * market.ladder.maxLevels);
    this.asks = new Float64Array(2 * market.ladder.maxLevels);
    const { marketId } = market.definition;
    this.book = {
      kind: 'book',
      marketId,
      time: 0,
      sequence: 0,
      bids: this.bids,
      bidCount: 0,
      asks: this.asks,
      askCount: 0,
    };
    this.print = { kind: 'print', marketId, time: 0, price: 0, size: 0, side: 'buy' };
    this.slot = slotAt(market.timingKey, from);
    if (this.slot < 0) {
      this.slot = 0;
      this.nextTime = bookTime(market.timingKey, 0);
      return;
    }
    this.prints = this.printsOf(this.slot);
    this.nextTime = this.afterBook();
    while (this.nextTime <= from) this.step();
  }

  /** The event at `nextTime`; its arrays are used again by the call after. */
  next(): MarketEvent {
    const event = this.printIndex < 0 ? this.nextBook() : this.nextPrint();
    this.step();
    return event;
  }

  private step(): void {
    if (this.printIndex < 0) {
      this.prints = this.printsOf(this.slot);
      this.nextTime = this.afterBook();
      return;
    }
    this.printIndex += 1;
    if (this.printIndex < this.prints) this.nextTime = printTime(this.market.timingKey, this.slot, this.printIndex);
    else this.toNextSlot();
  }

  private afterBook(): Ms {
    if (this.prints === 0) {
      this.toNextSlot();
      return this.nextTime;
    }
    this.printIndex = 0;
    return printTime(this.market.timingKey, this.slot, 0);
  }

  private toNextSlot(): void {
    this.slot += 1;
    this.printIndex = -1;
    this.written = false;
    this.nextTime = bookTime(this.market.timingKey, this.slot);
  }

  private nextBook(): BookEvent {
    this.write();
    this.book.time = this.nextTime;
    this.book.sequence = this.slot;
    return this.book;
  }

  private write(): void {
    const at = this.load(this.slot);
    const bid = this.bid[at]!;
    this.book.bidCount = this.market.ladder.write('bid', bid, this.slot, this.bids);
    this.book.askCount = this.market.ladder.write('ask', bid + this.spread[at]!, this.slot, this.asks);
    this.written = true;
  }

  /** A print takes from the level it is at, at most what the book before it displays there. */
  private nextPrint(): PrintEvent {
    if (!this.written) this.write();
    const at = this.load(this.slot);
    const hash = hash32(this.market.printKey, this.slot, 1 + this.printIndex);
    const ahead = Math.sign(this.bid[at + 1]! - this.bid[at]!);
    const informed = ahead !== 0 && (hash & 255) < informedShare;
    const buys = informed ? ahead > 0 : (hash & 256) !== 0;
    const levels = buys ? this.asks : this.bids;
    const count = buys ? this.book.askCount : this.book.bidCount;
    let level = 0;
    const draw = (hash >>> 9) & 255;
    if (informed && draw < sweepingShare) {
      const step = this.market.ladder.gridStep;
      const edge = buys ? this.bid[at + 1]! * step : (this.bid[at + 1]! + this.spread[at + 1]!) * step;
      while (level + 1 < count && (buys ? levels[2 * level + 2]! <= edge : levels[2 * level + 2]! >= edge)) level += 1;
    } else if (draw >= 256 - deepShare && count > 1) level = 1;
    this.print.time = this.nextTime;
    this.print.price = levels[2 * level]!;
    this.print.size = Math.min(levels[2 * level + 1]!, this.market.printLots(fraction(hash32(hash, this.slot, 0))));
    this.print.side = buys ? 'buy' : 'sell';
    return this.print;
  }

  /** Number of prints in a slot: more in a busy session and while the market is agitated. */
  private printsOf(slot: number): number {
    const at = this.load(slot);
    const activity = this.market.session.activity[Session.hourOfWeek(Math.floor(slot / slotsPerHour))]!;
    const volatility = this.volatility[at]!;
    const expected = this.market.profile.prints.perSlot * activity * volatility * volatility;
    const wanted = expected + fraction(hash32(this.market.printKey, slot, 0));
    return Math.min(maxPrintsPerSlot, Math.floor(wanted));
  }

  /** Makes sure that the slot's block is filled; the slot's place in it. */
  private load(slot: number): number {
    const block = Math.floor(slot / blockSlots);
    if (block !== this.block) this.fill(block);
    return slot - block * blockSlots;
  }

  private fill(block: number): void {
    this.block = block;
    const { market } = this;
    market.path.fillBlock(block, this.values, this.volatility);
    const first = block * blockSlots;
    for (let at = 0; at <= blockSlots; at += 1) {
      // Blocks begin on a slot in which the touch moves, so this never looks back into the block before.
      if (market.moves(first + at)) {
        const spread = market.spreadOf(first + at);
        this.spread[at] = spread;
        this.bid[at] = market.bidOf(this.values[at]!, spread);
      } else {
        this.spread[at] = this.spread[at - 1]!;
        this.bid[at] = this.bid[at - 1]!;
      }
    }
  }
}
