(function(use,load,meta,require){"use strict";const {$c:l,Bh:u,Hl:h,Si:f,fd:c,rd:s,sd:d}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                     var O=100,y=20,w=500,M={summary:"Print a candle chart of a market, with your fills and orders",description:"Shows as many candles as fit, the newest on the right; times are UTC. Up and down triangles \
are your buys and sells; lines are your orders, entry and liquidation price. perp watch shows the chart live; perp candles prints the numbers.",args:[{name:"market",kind:"market",summary:"id, coin or \
symbol"}],options:{interval:{value:"LENGTH",choices:u,summary:"length of a candle (default 15m)"},to:{...f,summary:"time of the last candle, yesterday, or a duration before now (default now)"},height:{
value:"ROWS",kind:"count",maximum:200,summary:`rows of the chart (default ${y})`},width:{value:"COLUMNS",kind:"count",maximum:500,summary:"columns of the chart (default: the terminal)"},bare:{summary:"\
show only candles; needs no account"}},examples:[["perp chart BTC --interval 15m","the last hours"],["perp chart ETH --interval 1d --bare","daily candles without your orders"],["perp chart BTC --to 6h\
 --json","the candles, fills and orders up to six hours ago"]]};async function N(t,r){let{interval:p="15m",to:o}=r,m=r.width??(Number.isFinite(t.io.columns)?t.io.columns:O),i=await c(t,r.market),e=await t.
person.during("Reading candles",()=>h(t,i,{interval:p,to:o,limit:m})),a=r.bare?b:await C(t,i,e[0]?.openTime),n={market_id:i.market_id,interval:p,candles:e,...a};if(t.settings.output!=="table")return s(
n,()=>[]);if(e.length===0)return s(n,()=>[d("No candles; a market has none before its first trade.")]);let{printedChart:k}=await load  ("./market-chart-JYKUF6UX.js"),g={width:m,height:r.height??y};return{
kind:"text",text:await k(t,i,{...a,candles:e},g)}}var b={account:null,position:null,orders:[],fills:[]};async function C(t,{market_id:r},p=0){let o=await l(t),m=n=>n.market_id===r,[i,e,a]=await Promise.
all([t.call("listOpenPositions",{query:{account_id:o}}),t.call("listOrders",{query:{account_id:o,status:"working",limit:100}}),v(t,o,p)]);return{account:o,position:i.data.find(m)??null,orders:e.data.filter(
m),fills:a.filter(m)}}async function v(t,r,p){let o=[],m=0;for await(let i of t.pages("listFills",{query:{account_id:r,limit:100}})){if((i.settled_at??0)<p)break;if(o.push(i),++m===w){t.note(`Showing \
the last ${w} fills of the account.`);break}}return o}                              

return{command:M,run:N}})