(function(use,load,meta,require){"use strict";const {k:g}=use("chunk-FP2TGY43.js");const {Fk:y,Ig:d,Jg:u,Tg:w,Uf:f,ed:e}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                     async function _(t,r,p){let m={account_id:r},[{data:n},{data:o},{data:a},s,k,M,O]=await Promise.all([t.call("getAccount",{path:{account_id:r}}),t.call("listOpenPositions",{query:m}),t.call("listOrders",
{query:{account_id:r,status:"working"}}),t.call("listActiveTwapOrders",{query:m}),t.call("listCopyTradingConfigurations",{}),w(t,r),e(t)]),b=[...p,...[...o,...a,...s.data].map(({market_id:i})=>i)],l=await h(
t,p,await u(t,d(t,b))),c=k.data.filter(({source_account_id:i,targets:A})=>i===r||A.some(P=>P.account_id===r)),x=await Promise.all(g(c,r).map(async i=>[i,await _(t,i,p)]));return{account:n,positions:o,
working:a,twaps:s.data.filter(({status:i})=>i==="running"),copies:c,followers:new Map(x),policy:M,marks:l,markets:new Map(O.map(i=>[i.market_id,i])),lostUsd:q(n,o,l),sentAt:[],pending:[]}}async function h(t,r,p){
let m=(await e(t)).filter(({market_id:o})=>r.includes(o)&&p.has(o)),n=await Promise.all(m.map(async o=>{let{bps:a}=await y(t,o);return[o.market_id,{...p.get(o.market_id),gapBps:a}]}));return new Map([
...p,...n])}function q(t,r,p){let{daily_loss_floor:m,requirements:n}=t.risk??{},o=n?.daily_loss_pct,a=f(t.balance,r??[],s=>p.get(s)?.price);if(!(typeof m!="number"||typeof o!="number"||a===void 0))return m+
t.starting_balance*o/100-a}                         

return{readExposed:_}})