(function(use,load,meta,require){"use strict";const {a:h,b:w}=use("chunk-DQMXSUD7.js");const {a:l}=use("chunk-UEKKPDH4.js");const {Ok:f,Rd:c,Sd:u,V:n,ca:d,e:a,g:s}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                         var O={summary:"Wait for a price, a position or an order",description:"Exits 0 when the condition is true. A price is the mark, or last or mid. The market stream reports every change; after a lost con\
nection, one-second candles show the missed last prices. A bound such as mark-1% is computed once, at the start. flat waits for the whole account, 'BTC flat' for one market. If the order ends without \
filling, exits 5.",args:[{name:"condition",repeat:!0,summary:"'BTC < 95000', 'ETH last >= mark+1%', flat, 'order ID filled'"}],options:{for:{value:"DURATION",kind:"duration",summary:"exit 7 if it is n\
ot true within this time"}},examples:[["perp wait 'BTC < 95000' && perp order place BTC buy 0.01","buy once the mark is below a price"],["perp wait 'BTC last >= mark+0.5%' --for 4h","for at most four \
hours"],["perp wait 'order my-entry-1 filled' && perp stop BTC 1%","a stop after an order has filled"]],async run(t,i){if(t.settings.dryRun)throw s("perp wait can't be combined with --dry-run.","Omit \
--dry-run.");let r=i.condition.join(" "),o=h(r);await f(t,"perp wait");let m=t.outside.now(),p=await t.person.during(`Waiting for ${r}`,()=>b(t,o,r,i.for)),e={condition:r,...p,waited_ms:t.outside.now()-
m};return c(e,()=>[u({text:r,tone:"strong"},`  ${T(p)}`)])}};async function b(t,i,r,o){let m=new AbortController,p=o===void 0?()=>{}:l.after(o,()=>m.abort()),e=new AbortController,g=AbortSignal.any([t.
signal,m.signal,e.signal]);try{return await w(t,i,g)}catch(y){throw m.signal.aborted&&!t.signal.aborted?C(r,o):y}finally{p(),e.abort()}}function C(t,i){return new a({code:"not_met",message:`${t} was n\
ot true within ${d(i)}.`,hint:"Wait longer with --for."})}function T({price:t,bound:i,from:r,order:o}){return t!==void 0?`${r==="candle"?"the last price was":"at"} ${n(t)} (bound ${n(i)})`:o===void 0?
"no open position":`${o.status}, ${n(o.filled_size??0)} filled`}                     

return{command:O}})