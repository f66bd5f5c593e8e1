(function(use,load,meta,require){"use strict";const {lj:i,qe:m,tc:e}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                     var p={summary:"Show today's limits and the rules you kept or broke",description:"Before you trade: the room above each floor, the coming carry and daily floor, limits, and the trading hours of the ma\
rkets that you hold. Afterward: the day's result, and which rules you kept. A day starts at midnight in New York.",args:[{name:"day",kind:"pastTime",optional:!0,summary:"today (default), yesterday, or\
 a time in another day (shows only its results)"}],options:m,examples:[["perp day","today's results and limits"],["perp day yesterday","the rules you kept or broke"],["perp day --json","as JSON"]],async run(t,r){
let{showDay:o}=await load  ("./show-day-DKOCRKXN.js");return o(t,r)}},s={summary:"Show your chance to pass and the risk per trade that fits it",description:"Draws 10,000 futures from your round tri\
ps, including losses inside trips, overlaps, fees, carry, both floors and New York midnights. Open positions end at their stops or targets as in a fair game. Each chance has a 90% interval that reflec\
ts the length of your record, from 250 resamples. No record shows whether you will keep trading the same way.",options:{plan:{value:"PLAN",choices:[...Object.keys(e),"own"],summary:"count from the sta\
rt of this plan, or of the account's"},from:{value:"FILE",kind:"file",summary:"trades from a CSV: a column r, or one number in each line"},"win-rate":{value:"PERCENT",summary:"assume a trader who wins\
 this often, such as 45%"},reward:{value:"R",kind:"positive",summary:"with --win-rate: gain of a winning trade, in R"},risk:{value:"RISK",summary:"risk of a trade: 0.5% of equity or 200usd (default: t\
hat of your trips)"},"max-failure":{value:"PERCENT",summary:"also find the largest risk that fails at most this often (default 5%)"},"trades-per-day":{value:"N",kind:"positive",summary:"trade at this \
pace instead of your record's"},days:{value:"N",kind:"count",maximum:1e3,summary:"trading days ahead (default 90)"},seed:{value:"N",kind:"count",maximum:999999999,summary:"seed of the draws (default 1\
)"}},examples:[["perp odds","from here"],["perp odds --plan select --risk 0.5%","from the start of a plan"],["perp odds --win-rate 45% --reward 1.8 --plan select","of an assumed trader"]],async run(t,r){
let{showOdds:o}=await load  ("./show-odds-JXXNLAQC.js");return o(t,r)}},n={summary:"Show results by day, market and side, net of fees and carry",description:"Fees, carry and realized PnL count on th\
e day they are booked; a round trip (a position from flat to flat) counts on the day it ends. Days are challenge days, which start at midnight in New York. In the simulation, every figure comes from t\
he ledger and is exact. On a host, figures come from your fills, which perp caches locally; approximate figures are marked. R is the result divided by what the stops lose, fees included, when they fir\
st cover the position.",options:{...i,by:{value:"GROUP",choices:["day","market","side","tag"],summary:"print only the table of this group"},market:{value:"MARKET",kind:"market",summary:"only this mark\
et; omits equity"},tag:{value:"TAG",summary:"only trips with this tag in your journal; omits equity"},markdown:{summary:"with --by: print a Markdown table"},stats:{summary:"daily returns, Sharpe ratio\
, win rate and R with intervals; reads candles"},excursions:{summary:"also read candles for the maximum adverse excursion (slower)"}},examples:[["perp pnl","all results so far"],["perp pnl --from 7d -\
-by market","the results of each market in a week"],["perp pnl --by day -o csv > days.csv","by day, for a spreadsheet"]],async run(t,r){let{showPnl:o}=await load  ("./show-pnl-FQIFUNU2.js");return o(
t,r)}},a="perp-report.html",d={summary:"Write an HTML report: verdict, equity, floors, odds, tables",description:"The page contains its charts and data, so it needs no network and loads nothing. It fo\
llows the light or dark setting of the browser and can be printed. Its figures are those of perp pnl and perp journal.",options:{out:{short:"o",value:"FILE",kind:"file",summary:`the file (default ${a}\
)`},...i,open:{summary:"open it in the browser"},force:{summary:"replace the file if it exists"}},examples:[["perp report -o november.html --from 30d","a month"],["perp report --open --force","everyth\
ing, in the browser"]],changesMore:!0,async run(t,r){let{report:o}=await load  ("./trading-report-CUL2UZME.js");return o(t,{...r,out:r.out??a})}},f={day:p,odds:s,pnl:n,report:d};                   

return{words:f}})