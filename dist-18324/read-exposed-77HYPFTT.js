(function(use,load,meta,require){"use strict";const {k:k}=use("chunk-72H5SMNK.js");const {Ad:e,jh:u,kh:w,ok:g,sg:d,vh:y,xg:f}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                        async function E(t,r,p){let m={account_id:r},[{data:a},{data:o},{data:n},s,M,O,A]=await Promise.all([t.call("getAccount",{path:{account_id:r}}),t.call("listOpenPositions",{query:m}),t.call("listOrders",
{query:{account_id:r,status:"working"}}),t.call("listActiveTwapOrders",{query:m}),t.call("listCopyTradingConfigurations",{}),y(t,r),e(t)]),P=[...p,...[...o,...n,...s.data].map(({market_id:i})=>i)],c=await b(
t,p,await w(t,u(t,P))),l=M.data.filter(({source_account_id:i,targets:q})=>i===r||q.some(x=>x.account_id===r)),h=await Promise.all(k(l,r).map(async i=>[i,await E(t,i,p)]));return{account:a,positions:o,
working:n,twaps:s.data.filter(({status:i})=>i==="running"),copies:l,followers:new Map(h),policy:O,marks:c,markets:new Map(A.map(i=>[i.market_id,i])),lostUsd:S(a,o,c),sentAt:[],pending:[]}}async function b(t,r,p){
let m=(await e(t)).filter(({market_id:o})=>r.includes(o)&&p.has(o)),a=await Promise.all(m.map(async o=>{let{bps:n}=await g(t,o);return[o.market_id,{...p.get(o.market_id),gapBps:n}]}));return new Map([
...p,...a])}function S(t,r,p){let m=d(t),a=f(t.balance,r??[],o=>p.get(o)?.price);return m===void 0||a===void 0?void 0:m-a}                         

return{readExposed:E}})