import { crc32, deflateRawSync } from 'node:zlib';
import { fixtures } from './importing.ts';

/** An extract of each format, under the name that its publisher gives the file. */
export const archives: readonly { format: string; name: string; extract: string | Buffer }[] = [
  { format: 'Binance USD-M streams', name: 'btcusdt', extract: fixtures.binance },
  {
    format: 'Binance aggTrades',
    name: 'BTCUSDT-aggTrades-2024-06-01.csv',
    extract: '1,42000.1,0.5,10,10,1717200000123,true\n2,42000.2,1.25,11,12,1717200000456,false\n',
  },
  {
    format: 'Binance trades',
    name: 'BTCUSDT-trades-2024-06-01.csv',
    extract: [
      'id,price,qty,quote_qty,time,is_buyer_maker',
      '7,42000.1,0.5,21000.05,1717200000123,True',
      '8,42000.2,1.25,52500.25,1717200000456,False',
    ].join('\n'),
  },
  {
    format: 'Binance bookTicker',
    name: 'BTCUSDT-bookTicker-2024-02-15.csv',
    extract: [
      'update_id,best_bid_price,best_bid_qty,best_ask_price,best_ask_qty,transaction_time,event_time',
      '100,50000,1,50001,2,1707955200024,1707955200033',
      '300,50100,1,50101,2,1708017636626,1708017636633',
      '200,50002,1,50003,2,1707955200026,1707955200034',
    ].join('\n'),
  },
  { format: 'Bybit order book archive', name: '2024-12-01_XRPUSDT_ob500.data', extract: fixtures.bybit },
  {
    format: 'Bybit trades',
    name: 'BTCUSDT2025-01-01.csv',
    extract: [
      'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional,RPI',
      '1735689600.0974,BTCUSDT,Sell,0.003,93530.00,ZeroMinusTick,a1,28059000000,0.003,280.59,false',
      '1735689600.1446,BTCUSDT,Buy,0.002,93531.00,PlusTick,a2,18706200000,0.002,187.062,false',
    ].join('\n'),
  },
  {
    format: 'OKX trades',
    name: 'BTC-USDT-SWAP-trades-2024-01-04.csv',
    extract: [
      'instrument_name,trade_id,side,price,size,created_time,source',
      'BTC-USDT-SWAP,104136693,buy,61838.9,38,1704326400100,0',
      'BTC-USDT-SWAP,104136694,sell,61838.8,2,1704326400400,0',
    ].join('\n'),
  },
  { format: 'Tardis book_snapshot CSV', name: 'snapshots.csv', extract: fixtures.tardis },
  {
    format: 'Tardis incremental_book_L2 CSV',
    name: 'book.csv',
    extract: [
      'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount',
      'bybit,XRPUSDT,1735689600001000,1735689600003000,true,bid,2.05,900',
      'bybit,XRPUSDT,1735689600001000,1735689600003000,true,ask,2.0501,800',
      'bybit,XRPUSDT,1735689600101000,1735689600103000,false,bid,2.05,700',
    ].join('\n'),
  },
  {
    format: 'Tardis trades CSV',
    name: 'trades.csv',
    extract: [
      'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
      'bybit,XRPUSDT,1735689600001000,1735689600003000,a,buy,2.05,10',
    ].join('\n'),
  },
  {
    format: 'Tardis quotes CSV',
    name: 'quotes.csv',
    extract: [
      'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount',
      'bybit,XRPUSDT,1735689600001000,1735689600003000,800,2.0501,2.05,900',
      'bybit,XRPUSDT,1735689600101000,1735689600103000,,,2.05,700',
    ].join('\n'),
  },
  {
    format: 'Tardis derivative_ticker CSV',
    name: 'ticker.csv',
    extract: [
      'exchange,symbol,timestamp,local_timestamp,funding_timestamp,funding_rate,predicted_funding_rate,open_interest,last_price,index_price,mark_price',
      'bybit,XRPUSDT,1735689600001000,1735689600003000,1735718400000000,0.0001,,5000,2.05,2.0497,2.0499',
      'bybit,XRPUSDT,1735689601001000,1735689601003000,1735718400000000,0.0001,,5100,2.06,,2.0502',
    ].join('\n'),
  },
  { format: 'Hyperliquid l2Book', name: 'btc.json', extract: fixtures.hyperliquid },
];

/** A ZIP archive of these files. */
export function zipped(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const [contents, packed] = [Buffer.from(text), deflateRawSync(text)];
    const facts = Buffer.alloc(22);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(contents), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(contents.length, 18);
    facts.writeUInt16LE(20, 0);
    const length = Buffer.alloc(4);
    length.writeUInt16LE(name.length);
    const head = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, length, Buffer.from(name)]);
    local.push(head, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\u0001\u0002\u0014\0'), facts, length, rest, Buffer.from(name));
    offset += head.length + packed.length;
  }
  const [first, directory] = [Buffer.concat(local), Buffer.concat(central)];
  const end = Buffer.alloc(18);
  for (const at of [4, 6]) end.writeUInt16LE(Object.keys(files).length, at);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(first.length, 12);
  return Buffer.concat([first, directory, Buffer.from('PK\u0005\u0006'), end]);
}
