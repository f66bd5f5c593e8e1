(function(use,load,meta,require){"use strict";const {$c:p,Di:d,_i:c,fd:e,ki:n,qd:s,qi:l,ri:f,si:a}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                     var F={summary:"List fills in settlement order, newest first",options:{...f,...l},examples:[["perp fills","the last 50"],["perp fills --market BTC --since today","of one market, since midnight in New \
York"],["perp fills --all -o csv > fills.csv","all of them, for a spreadsheet"]]};async function N(o,t){let u=await p(o),i=t.market===void 0?void 0:(await e(o,t.market)).market_id,m=t.since===void 0?void 0:
await n(o,t.since),k=a(o,"listFills",{account_id:u},t,{...i===void 0?{}:{keeps:r=>r.market_id===i},...m===void 0?{}:{isOver:r=>(r.settled_at??r.requested_at)<m}});return s(k,{fields:c,columns:d,empty:"\
No fills yet."})}                              

return{command:F,run:N}})