(function(use,load,meta,require){"use strict";const {$c:y,Ig:x,Ml:R,Nl:k,Ob:c,Ol:v,Sl:A,Ul:C,X:u,d:f,ih:O,pg:g,rd:h,sd:a,ud:w}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                   var z={summary:"Close every position of the account",description:"Sends one reduce-only market close per position, each within 2.5% of mid. Waits for the operation to finish, checks for remaining posi\
tions, and exits 9 if there are any; with --cancel-orders, also if a running TWAP may open one again. Without a terminal, this needs --yes.",options:{"cancel-orders":{summary:"cancel every working ord\
er first, so none can open a new position"}},examples:[["perp close-all --cancel-orders","get flat and stay flat"],["perp close-all --yes --json","in a script"]]};async function B(t,m){let p=await y(t),
e={account_id:p},{idempotencyKey:n,dryRun:P}=t.settings;if(m.cancelOrders&&P){let{client:o}=await t.access();return C([o.intend("cancelAllAccountOrders",{path:e,idempotencyKey:n??c()}),o.intend("close\
AllAccountPositions",{path:e,idempotencyKey:n??c()})])}let d=k(t,p,m.cancelOrders),l=R(t,p),s;return v(t,"closeAllAccountPositions",{path:e},{preview:async()=>{let o=await g(t);if(o.length===0)return[
a("No open positions.")];let r=await x(t,o.map(({market_id:i})=>i));return[a(`${u(o.length,"open position")}:`),w(o,O(r))]},question:`Close every position of ${p}${m.cancelOrders?", and cancel every w\
orking order":""}?`,needsYes:!0,send:async o=>(m.cancelOrders&&(s=await A(t,await l.send({path:e,idempotencyKey:n}),l.done)),d.send(o)),done:async o=>{let r=await d.done(o);if(s===void 0)return r;let i=s,
b=r.exit===void 0||r.exit===f.done?i.exit:r.exit;return h([i.record,r.record],()=>[...i.blocks(),...r.blocks()],b)}})}                              

return{command:z,run:B}})