(function(use,load,meta,require){"use strict";const {a:b,b:N,c:T}=use("chunk-HTN2M4PZ.js");const {Bd:x,Mh:q,Qg:$,Rd:g,Sd:d,Ud:f,Wi:E,Xg:k,_i:O,d:C,da:c,ia:R,jc:h,jh:P,ml:v,ol:I,ql:K,si:W,tl:A,vd:w}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                    
                                                                              var _={summary:"Cancel every working order of the account",description:"Cancels resting and armed orders, but not TWAPs or ladders themselves; --market and --side select some of them. Waits for the op\
eration to finish, checks for remaining orders, and exits 9 if there are any. Without a terminal, this needs --yes.",options:{market:{value:"MARKET",kind:"market",summary:"only orders in this market"},
side:{value:"SIDE",choices:["buy","sell"],summary:"only orders of this side"}},examples:[["perp cancel-all","show the orders and ask first"],["perp cancel-all --market BTC --side buy","one market's bu\
ys"],["perp cancel-all --yes --json","in a script"]],async run(r,o){let t=await w(r);if(o.market!==void 0||o.side!==void 0)return j(r,t,o);W(r,{account_id:t});let i=r.settings.dryRun?[]:await B(r,t),{
done:e,...p}=b(r,t);return v(r,"cancelAllAccountOrders",{path:{account_id:t}},{preview:async()=>i.length===0?[d("No working orders.")]:[d(`${c(i.length,"working order")}, ${S(i)}:`),f(i,O)],question:`\
Cancel every working order of ${t}?`,needsYes:!0,...p,done:async m=>{let a=await e(m);return await E(r,t,i),a}})}};async function j(r,o,{market:t,side:i}){let e=t===void 0?void 0:await x(r,t),p=(await k(
r,o)).filter(m=>(e===void 0||m.market_id===e.market_id)&&(i??m.side)===m.side);if(p.length===0)return g([],()=>[d("No such working orders.")]);if(r.settings.dryRun){let{client:m}=await r.access();return A(
p.map(({id:a})=>m.intend("cancelOrder",{path:{order_id:a}})))}let l=[i,e===void 0?void 0:R(e.market_id,e.symbol)].filter(Boolean).join(" ");return await I(r,`Cancel ${c(p.length,"order")} (${l}) of ${o}\
?`,[o],async()=>[f(p,O)]),T(r,p)}async function B(r,o){try{return await k(r,o)}catch(t){if(!r.settings.yes||r.signal.aborted)throw t;return[]}}function S(r){let o=r.filter(t=>t.side==="buy").length;return`${c(
o,"buy")}, ${c(r.length-o,"sell")}`}var M={summary:"Close every position of the account",description:"Sends one reduce-only market close per position, each within 2.5% of mid. Waits for the operation \
to finish, checks for remaining positions, and exits 9 if there are any; with --cancel-orders, also if a running TWAP may open one again. Without a terminal, this needs --yes.",options:{"cancel-orders":{
summary:"cancel every working order first, so none can open a new position"}},examples:[["perp close-all --cancel-orders","get flat and stay flat"],["perp close-all --yes --json","in a script"]],async run(r,o){
let t=await w(r),i={account_id:t},{idempotencyKey:e,dryRun:p}=r.settings;if(o.cancelOrders&&p){let{client:n}=await r.access();return A([n.intend("cancelAllAccountOrders",{path:i,idempotencyKey:e??h()}),
n.intend("closeAllAccountPositions",{path:i,idempotencyKey:e??h()})])}let l=N(r,t,o.cancelOrders),m=b(r,t),a;return v(r,"closeAllAccountPositions",{path:i},{preview:async()=>{let n=await $(r);if(n.length===
0)return[d("No open positions.")];let s=n.map(({market_id:y})=>y),u=await P(r,s);return[d(`${c(n.length,"open position")}:`),f(n,q(u))]},question:`Close every position of ${t}${o.cancelOrders?", and c\
ancel every working order":""}?`,needsYes:!0,send:async n=>(o.cancelOrders&&(a=await K(r,await m.send({path:i,idempotencyKey:e}),m.done)),l.send(n)),done:async n=>{let s=await l.done(n);if(a===void 0)
return s;let u=a,y=s.exit===void 0||s.exit===C.done?u.exit:s.exit;return g([u.record,s.record],()=>[u.blocks(),s.blocks()],y)}})}},er={"cancel-all":_,"close-all":M};                    

return{words:er}})