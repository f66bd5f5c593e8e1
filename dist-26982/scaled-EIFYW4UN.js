(function(use,load,meta,require){"use strict";const {$c:g,Ad:S,Ai:P,Ha:y,Jl:l,Ol:u,P:m,S:f,Th:_,Vd:O,Zj:b,ak:q,bd:w,bk:a,d:c,hd:d,kl:I,qd:h,qi:C,rd:s,sd:k,si:$,ti:v,tl:R,vl:z,xi:x}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                            
                                                              var F={summary:"Place a ladder of limit orders between two prices",args:[{name:"market",kind:"market",summary:"id, coin or symbol"},{name:"side",choices:["buy","sell"],summary:"order side"},{name:"siz\
e",kind:"size",summary:"total: base asset (0.5), notional (5000usd) or share of the position (50%)"}],options:{from:{value:"PRICE",kind:"price",required:!0,summary:"price of the first rung"},to:{value:"\
PRICE",kind:"price",required:!0,summary:"price of the last rung"},rungs:{value:"N",kind:"count",maximum:10,required:!0,summary:"number of rungs, 2 to 10"},distribution:{value:"SHAPE",choices:["flat","\
ascending","descending"],summary:"sizes from the first to the last rung (default flat)"},"reduce-only":{summary:"only make a position smaller"},"cross-ok":{summary:"let rungs that cross the book fill \
as taker"},...O,force:{summary:"place it even if its worst case would breach a floor"}},examples:[["perp scaled place BTC buy 0.5 --from 61000 --to 60000 --rungs 5","five equal bids"],["perp scaled pl\
ace BTC sell 5000usd --from 155000 --to 160000 --rungs 4","5,000 USD in total"]]};async function L(r,o){let t=await I(r,o,r.person.isInteractive),{body:i,market:p,notional:n}=t;return u(r,"createScale\
dOrder",{body:i},{preview:async()=>z(r,t,N(i,p.symbol,await n())),check:()=>R(r,t),question:`Place ${i.rung_count} rungs: ${i.side} ${m(i.size)} ${p.symbol}?`,done:async({data:e})=>{let E=l(r,e,await x(
r,e,B(e)));return s(E,()=>a(e),j(e))}})}function j({status:r,rungs:o}){return r==="rejected"?c.rejected:o.some(({reject_reason:t})=>t!==void 0)?c.incomplete:void 0}function B({reduce_only:r,rungs:o}){
return r===!1&&o.every(({liquidity_role:t})=>t===void 0)}function N(r,o,t){let i=(r.end_price-r.start_price)/(r.rung_count-1);return{title:k({text:"Ladder",tone:"strong"},"  ",S(r.side),` ${m(r.size)}\
 ${o} in ${r.rung_count} rungs, ${r.distribution}`),rows:[["from",m(r.start_price)],["to",m(r.end_price)],["step",m(Number(i.toPrecision(9)))],["notional",`about ${f(t)} USD`],["leverage",`${m(r.leverage)}\
x ${r.margin_mode}`]]}}var D={summary:"List ladders, newest first",options:C,examples:[["perp scaled list","the last 50"]]};async function T(r,o){let t=$(r,"listScaledOrders",{account_id:await g(r)},o),
i=v(t,p=>{let n=p.map(e=>[e.id,`${e.side} ${e.total_size} ${e.symbol??""}`]);y(r,"scaled",n)});return h(i,{fields:b,columns:q,empty:"No ladders yet."})}var U={summary:"Show one ladder and its rungs",args:[
{name:"id",kind:"scaled",summary:"ladder id"}],examples:[["perp scaled show scaled_3","with every rung"]]};async function H(r,o){let t=await A(r,o.id);return s(t,()=>a(t))}async function A(r,o){return(await d(
r,"scaled",o,()=>r.call("getScaledOrder",{path:{scaled_order_id:o}}))).data}var M={summary:"Cancel the working rungs of a ladder; fills are kept",args:[{name:"id",kind:"scaled",summary:"ladder id"}],examples:[
["perp scaled cancel scaled_3","cancel all of its working rungs"]]};async function G(r,o){return _(r),await w(r,()=>A(r,o.id)),u(r,"cancelScaledOrder",{path:{scaled_order_id:o.id}},{question:`Cancel t\
he working rungs of ${o.id}?`,send:t=>d(r,"scaled",o.id,()=>r.call("cancelScaledOrder",t)),done:async({data:t})=>{let i=await P(r,t.account_id,p=>p.scaled_order_id===t.id);return s(l(r,t,i),()=>a(t))}})}
var cr={place:{command:F,run:L},list:{command:D,run:T},show:{command:U,run:H},cancel:{command:M,run:G}};                       

return{commands:cr}})