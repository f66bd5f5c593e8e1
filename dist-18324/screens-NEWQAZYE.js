(function(use,load,meta,require){"use strict";const {g:i,hi:a}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                            var p={summary:"Watch everything on one live screen",description:"Shows accounts with their floors, positions with stops and targets, orders, and for one market the book, a candle chart and your fills\
. Press ? for the keys and q to quit; trading keys work only after t, and show the order and ask unless armed; L shows the price ladder. Also shows markets with a position or an order. Without a termi\
nal, or with --json, prints a line per second while values change.",args:[{name:"market",kind:"market",repeat:!0,optional:!0,summary:"markets to watch (default: BTC, ETH, SOL)"}],options:{interval:{value:"\
LENGTH",choices:a,summary:"length of a candle (default: the last one, else 1m)"},for:{value:"DURATION",kind:"duration",summary:"stop after this time, such as 30s or 10m"}},examples:[["perp watch","all\
 accounts and the default markets"],["perp watch BTC ETH --interval 5m","two markets, five-minute candles"],["perp watch --for 3s -o ndjson","equity, floors and positions as JSON lines"]],async run(r,t){
let{openScreen:e}=await load  ("./open-screen-2JHPH2I7.js");return e(r,{markets:t.market??[],interval:t.interval,forMs:t.for,isRemembered:!0})}},s={summary:"Trade on a market's price ladder",description:"\
Shows prices in the middle, bids on the left and asks on the right, with your orders, the trades, and the lines of your position: entry, break-even, stop, target, liquidation, breach. It is the live s\
creen of perp watch with trading keys on: i and o buy and sell at the cursor, which stays at its price. Each key shows its order and asks, unless the keys are armed. Press ? for the keys and q to quit\
. Without a terminal, or with --json, prints the lines of perp watch.",args:[{name:"market",kind:"market",summary:"id, coin or symbol"}],options:{for:{value:"DURATION",kind:"duration",summary:"stop af\
ter this time, such as 30s or 10m"}},examples:[["perp ladder BTC","the ladder of BTC"],["perp ladder BTC --for 2s -o ndjson","the account and its mark as JSON lines"]],async run(r,{market:t,for:e}){let{
openScreen:o}=await load  ("./open-screen-2JHPH2I7.js");return o(r,{markets:[t],interval:"1m",forMs:e,ladder:"whole"})}},d={summary:"Learn perp and its words in ten minutes",description:"Explains chal\
lenge, floor, breach, stop, R, bracket and carry on the live screen as they appear, and waits until you have done each step. It runs in a separate simulation; your accounts, simulations and settings a\
re neither used nor changed. Leave with q; the next perp tour continues there, and its market is paused until then. Without a terminal of at least 80 x 24, or with --plain, it prints lines and uses co\
mmands instead of keys.",options:{plain:{summary:"in lines, for screen readers and pipes"},restart:{summary:"begin again, with a new account"}},examples:[["perp tour","begin or continue"],["perp tour \
--plain","as lines"]],changesMore:!0,async run(r,{plain:t,restart:e}){let{dryRun:o,output:m}=r.settings;if(o)throw i("The tour can't be combined with --dry-run.","Omit --dry-run.");if(m!=="table")throw i(
"The tour prints text for people.","Omit --json and -o.");let{takeTour:n}=await load  ("./take-tour-43P36B6U.js");return n(r,{isPlain:t,isRestarted:e})}},c={summary:"Practice on a past market in a s\
eparate simulation",description:"Opens a private simulation on the live screen, with a new account: it does not change your other simulations or send anything. Press space to run the market, at --spee\
d. M bookmarks a moment; R goes back to it, with the account and market as they were. q ends with a report (:leave keeps the practice for perp practice --continue): rules kept and broken, R, mistakes,\
 and the result compared with doing nothing. --blind hides market and date until then. Without a terminal, or with --plain, reads one command per line (write help).",args:[{name:"what",kind:"file",optional:!0,
summary:"a tape, a date of the synthetic market (2026-03-05), or random"}],options:{market:{value:"MARKET",repeat:!0,summary:"market to practice on: an id, a coin or a symbol"},from:{value:"PLACE",summary:"\
start at a bookmark, or at a time in UTC: 14:30, or 2026-03-05 14:30"},days:{value:"N",kind:"count",maximum:30,summary:"number of consecutive trading days (default 1; all of a tape)"},seed:{value:"N",
kind:"count",maximum:999999999,summary:"seed of the synthetic market"},blind:{summary:"hide market, date and price level until the end"},plan:{value:"PLAN",choices:["select","prime","none"],summary:"c\
hallenge plan of the account (default select)"},balance:{value:"USD",kind:"positive",summary:"starting balance (default 100000)"},"max-risk":{value:"USD",kind:"positive",summary:"largest risk of a tra\
de (default 1% of the balance)"},continue:{summary:"continue the practice that you left last (:leave)"},plain:{summary:"print lines, for screen readers and scripts: one command per line"}},examples:[[
"perp practice random --blind","any market, any day"],["perp practice 2026-03-05 --from 14:30 --speed 10","a day of the synthetic market, ten times as fast"],["perp practice day.jsonl.gz --from b1","a\
 recorded day, starting at a bookmark"],["perp practice --continue","the one you left"],["perp practice 2026-03-05 --days 5 --plain --json","commands from standard input, the report as JSON"]],simulationOnly:!0,
changesMore:!0,async run(r,t){let{practice:e}=await load  ("./run-practice-JME3BANY.js");return e(r,t)}},k={watch:p,ladder:s,tour:d,practice:c};                   

return{words:k}})