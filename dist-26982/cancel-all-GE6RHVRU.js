(function(use,load,meta,require){"use strict";const {$c:l,Bi:f,Hi:w,Ml:O,Ol:b,Ql:C,Th:g,Ul:v,X:n,aa:u,fd:y,rd:h,sd:s,ud:d,wg:c,zi:k}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                            var D={summary:"Cancel every working order of the account",description:"Cancels resting and armed orders, but not TWAPs or ladders themselves; --market and --side select some of them. Waits for the op\
eration to finish, checks for remaining orders, and exits 9 if there are any. Without a terminal, this needs --yes.",options:{market:{value:"MARKET",kind:"market",summary:"only orders in this market"},
side:{value:"SIDE",choices:["buy","sell"],summary:"only orders of this side"}},examples:[["perp cancel-all","show the orders and ask first"],["perp cancel-all --market BTC --side buy","one market's bu\
ys"],["perp cancel-all --yes --json","in a script"]]};async function K(r,o){let t=await l(r);if(o.market!==void 0||o.side!==void 0)return $(r,t,o);g(r,{account_id:t});let i=r.settings.dryRun?[]:await A(
r,t),{done:m,...p}=O(r,t);return b(r,"cancelAllAccountOrders",{path:{account_id:t}},{preview:async()=>i.length===0?[s("No working orders.")]:[s(`${n(i.length,"working order")}, ${I(i)}:`),d(i,f)],question:`\
Cancel every working order of ${t}?`,needsYes:!0,...p,done:async a=>{let e=await m(a);return await k(r,t,i),e}})}async function $(r,o,{market:t,side:i}){let m=t===void 0?void 0:await y(r,t),p=(await c(
r,o)).filter(e=>(m===void 0||e.market_id===m.market_id)&&(i??e.side)===e.side);if(p.length===0)return h([],()=>[s("No such working orders.")]);if(r.settings.dryRun){let{client:e}=await r.access();return v(
p.map(({id:R})=>e.intend("cancelOrder",{path:{order_id:R}})))}let a=[i,m===void 0?void 0:u(m.market_id,m.symbol)].filter(Boolean).join(" ");return await C(r,`Cancel ${n(p.length,"order")} (${a}) of ${o}\
?`,[o],async()=>[d(p,f)]),w(r,p)}async function A(r,o){try{return await c(r,o)}catch(t){if(!r.settings.yes||r.signal.aborted)throw t;return[]}}function I(r){let o=r.filter(t=>t.side==="buy").length;return`${n(
o,"buy")}, ${n(r.length-o,"sell")}`}                              

return{command:D,run:K}})