(function(use,load,meta,require){"use strict";const {Bh:p,Hl:n,Si:o,ej:e,fd:m,gj:a,qd:i}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                     var k={summary:"List candles of a market, oldest first",description:"The last candle may still be forming. --from and --to select candles by opening time, given as a time or as a duration before now. \
With --from and without --limit, lists all candles from that time.",args:[{name:"market",kind:"market",summary:"id, coin or symbol"}],options:{interval:{value:"LENGTH",choices:p,summary:"length of a c\
andle (default 1m)"},from:{...o,summary:"first opening time, today, yesterday, or a duration before now, such as 2h"},to:{...o,summary:"last opening time, yesterday, or a duration before now (default \
now)"},limit:{value:"N",kind:"count",summary:"only the newest N candles (default 100)"}},examples:[["perp candles BTC","the last 100 minutes"],["perp candles BTC --interval 5m --from 6h -o csv > btc.c\
sv","six hours, for a spreadsheet"],["perp candles ETH --interval 1h --limit 24","a day"]]};async function b(t,r){let s=await m(t,r.market),l=await t.person.during("Reading candles",()=>n(t,s,r));return i(
l,{fields:e,columns:a,empty:"No candles in this range; a market has none before its first trade."})}                              

return{command:k,run:b}})