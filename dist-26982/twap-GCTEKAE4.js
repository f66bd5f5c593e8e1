(function(use,load,meta,require){"use strict";const {$c:v,$j:n,Ad:O,Ai:S,Ha:h,Jl:u,Ol:f,P:a,S:y,Th:A,Vd:P,W:c,Yj:I,_j:x,bd:T,hd:l,jl:W,qd:k,qi:C,rd:s,sd:g,si:d,tl:R,ui:_,vl:z,xi:$}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                            
                                                              var q={summary:"Work an order over time, evenly (TWAP) or by volume (VWAP)",args:[{name:"market",kind:"market",summary:"id, coin or symbol"},{name:"side",choices:["buy","sell"],summary:"order side"},{
name:"size",kind:"size",summary:"total: base asset (0.5), notional (5000usd) or share of the position (50%)"}],options:{duration:{value:"TIME",kind:"duration",required:!0,summary:"total time: 5m to 24\
h, in whole minutes"},strategy:{value:"NAME",choices:["twap","vwap"],summary:"how slices are sized (default twap)"},interval:{value:"TIME",kind:"duration",summary:"time between slices, from 30s to hal\
f the duration (default 30s)"},randomize:{summary:"vary the size and time of the slices"},"max-price":{value:"PRICE",kind:"price",summary:"end the order if the mark is above this price"},"min-price":{
value:"PRICE",kind:"price",summary:"end the order if the mark is below this price"},"trigger-price":{value:"PRICE",kind:"price",summary:"start the order when the mark crosses this price"},"reduce-only":{
summary:"only make a position smaller"},...P,"expected-price":{value:"PRICE",kind:"price",summary:"price you saw (default: the current mid)"},force:{summary:"place it even if its worst case would brea\
ch a floor"}},examples:[["perp twap place BTC buy 0.5 --duration 30m","a slice every 30 seconds"],["perp twap place BTC sell 100% --reduce-only --duration 10m --strategy vwap","close the position by v\
olume"]]};async function E(t,r){let i=await W(t,r,t.person.isInteractive),{body:o,market:e}=i;return f(t,"createTwapOrder",{body:o},{preview:()=>z(t,i,M(o,e.symbol)),check:()=>R(t,i),question:`Start ${o.
strategy??"twap"} ${o.side} ${a(o.size)} ${e.symbol}?`,done:async({data:m})=>{let p=await $(t,m,m.filled_size===0);return s(u(t,m,p),()=>n(m))}})}function M(t,r){let i=(t.slice_interval_seconds??30)*1e3,
o=Math.max(2,Math.floor(t.duration_minutes*6e4/i));return{title:g({text:(t.strategy??"twap").toUpperCase(),tone:"strong"},"  ",O(t.side),` ${a(t.size)} ${r} over ${c(t.duration_minutes*6e4)}`),rows:[[
"slices",`${o}, one every ${c(i)}, about ${a(Number((t.size/o).toPrecision(3)))} ${r} each`],["notional",`about ${y(t.size*t.expected_price)} USD at ${a(t.expected_price)}`],["leverage",`${a(t.leverage)}\
x ${t.margin_mode}`]]}}var F={summary:"List TWAP and VWAP orders",options:{status:{value:"STATUS",choices:["active","completed","canceled"],summary:"only orders with this status (default active)"},...C},
examples:[["perp twap list","active ones"],["perp twap list --status completed --limit 10","the last ten"],["perp twap list --all","active and ended ones"]]};async function N(t,r){let i=await v(t);if(r.
all&&r.status===void 0)return w(V(t,i),"");let o=r.status??"active";if(o!=="active")return w(d(t,"listActiveTwapOrders",{account_id:i,status:o},r),o);let{data:e}=await t.call("listActiveTwapOrders",{query:{
account_id:i}}),m=e.map(p=>[p.id,`${p.side} ${p.total_size} ${p.symbol??""}`]);return h(t,"twap",m),w(_(t,e,r),o)}async function*V(t,r){for(let i of["active","completed","canceled"])yield*d(t,"listAct\
iveTwapOrders",{account_id:r,status:i},{limit:void 0,all:!0})}function w(t,r){return k(t,{fields:I,columns:x,empty:r===""?"No TWAP orders yet.":`No ${r} TWAP orders.`})}var B={summary:"Show one TWAP o\
r VWAP order",args:[{name:"id",kind:"twap",summary:"TWAP id"}],examples:[["perp twap show twap_7","its progress"]]};async function U(t,r){let i=await b(t,r.id);return s(i,()=>n(i))}async function b(t,r){
return(await l(t,"twap",r,()=>t.call("getTwapOrder",{path:{twap_order_id:r}}))).data}var L={summary:"Cancel a TWAP or VWAP order; fills are kept",args:[{name:"id",kind:"twap",summary:"TWAP id"}],examples:[
["perp twap cancel twap_7","no further slices"]]};async function D(t,r){return A(t),await T(t,()=>b(t,r.id)),f(t,"cancelTwapOrder",{path:{twap_order_id:r.id}},{question:`Stop ${r.id}?`,send:i=>l(t,"tw\
ap",r.id,()=>t.call("cancelTwapOrder",i)),done:async({data:i})=>{let o=await S(t,i.account_id,e=>e.twap_order_id===i.id);return s(u(t,i,o),()=>n(i))}})}var st={place:{command:q,run:E},list:{command:F,
run:N},show:{command:B,run:U},cancel:{command:L,run:D}};                       

return{commands:st}})