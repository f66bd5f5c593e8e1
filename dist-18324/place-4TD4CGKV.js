(function(use,load,meta,require){"use strict";const {a:g}=use("chunk-DIQYNJ3C.js");const {$a:f,Jk:b,Nk:v,Ok:x,Sd:a,Tk:C,Uk:P,V:c,d:l,db:y,eb:h,ml:O,nl:T,oj:w,pa:u,ue:k}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                       
                            var M={summary:"Place an order",description:"Without --type this is a market order or, with --limit-price, a limit order. On a terminal, perp shows what the order will do and asks for confirmation.",args:[
{name:"market",kind:"market",summary:"id, coin or symbol"},{name:"side",choices:["buy","sell"],summary:"order side"},{name:"size",kind:"orderSize",summary:"base asset (0.05), notional (500usd), share \
of the position (50%), loss at the stop (risk:200usd), or max"}],options:{type:{value:"TYPE",choices:f,summary:"order type"},"limit-price":{value:"PRICE",kind:"price",summary:"worst price to accept"},
"trigger-price":{value:"PRICE",kind:"price",summary:"mark that triggers a stop, take or conditional order"},tif:{value:"TIF",choices:["ioc","fok","gtd"],summary:"time in force of a limit order (defaul\
t: until canceled)"},expires:{value:"WHEN",kind:"time",summary:"expiry of a gtd order, such as 30m or 2026-11-21T10:00Z"},...k,slippage:{value:"BPS",kind:"basisPoints",summary:"maximum distance from m\
id of a market order"},"reduce-only":{summary:"only make a position smaller"},"take-profit":{value:"PRICE",kind:"exitPrice",summary:"attach a take-profit"},"stop-loss":{value:"PRICE",kind:"exitPrice",
summary:"attach a stop-loss"},"replace-exits":{summary:"replace the position's exits with the attached ones"},"chase-offset":{value:"USD",kind:"amount",summary:"distance a chase keeps from the best pr\
ice of its side"},"chase-cap":{value:"PRICE",kind:"price",summary:"worst price of a chase"},"trigger-market":{value:"MARKET",kind:"market",summary:"market whose mark triggers a conditional order"},"tr\
igger-direction":w,"target-position":{value:"POSITION",kind:"position",summary:"position that a take_profit reduces"},"cross-ok":{summary:"let a limit order that crosses the book fill as taker"},"expe\
cted-price":{value:"PRICE",kind:"price",summary:"price you saw; recorded, not used for pricing"},plan:{value:"PLAN",kind:"text",summary:"exit plan, or the name of a saved one, applied once the order h\
as filled (perp help plan)"},"client-order-id":{value:"ID",kind:"text",summary:"your own name for the order"},wait:{summary:"wait until the order ends"},force:{summary:"place the order even if its wor\
st case would breach a floor"},"far-stop":{summary:"allow a stop-loss more than 20% away"}},examples:[["perp order place BTC buy 0.05","buy at market"],["perp order place BTC buy 500usd --limit-price \
61000","rest a limit order"],["perp order place BTC sell 50% --reduce-only","halve the position"],["perp order place BTC buy 0.05 --stop-loss 1% --take-profit 3%","buy with exits, from the entry"],["p\
erp order place BTC buy risk:0.5% --stop-loss 1%","lose 0.5% of the equity at the stop"],["perp order place BTC sell 0.05 --type stop_market --trigger-price 60000","sell if the price falls"],["perp or\
der place BTC buy 0.1 --type chase --chase-cap 160000","follow the best bid"]],async run(r,i){i.wait&&await x(r);let{order:o,market:p,judging:I}=await b(r,{...i,farStop:T(r,i.farStop)},r.person.isInteractive),
s=t=>({order:t,market:p,judging:I}),e=i.plan===void 0?void 0:(await load  ("./apply-plan-7AVBA3TC.js")).planOfOrder(r,i.plan,o),n=!1,d=O(r,"createOrder",{body:o},{preview:async t=>[await P(r,s(t.body)),
...(await g(r,o)).map(m=>a({text:m,tone:"warn"})),...e===void 0?[]:[a(`Once it has filled: ${e.text}`)]],check:t=>C(r,s(t.body)),taker:q(o)?o:void 0,question:`Place ${o.type} ${o.side} ${c(o.size)} ${p.
symbol}?`,done:async({data:t})=>{n=!0;let m=await v(r,t,i.wait);if(e===void 0)return m;let{placedWithPlan:R}=await load  ("./apply-plan-7AVBA3TC.js");return R(r,m,e)}});return e===void 0?d:d.catch(t=>{
throw!n&&u(t).exit===l.outcomeUnknown&&r.note(`Its plan is not in place. When the order is found: perp plan ${p.symbol} "${e.text}"`),t})}};function q({type:r,marketable_limit_acknowledged:i}){return h(
r)||y(r)==="rests"&&i===!0}                     

return{command:M}})