(function(use,load,meta,require){"use strict";const {a:h,b:w}=use("chunk-TDRPHOK6.js");const {P:n,W:d,e:a,g:s,ol:f,rd:u,sd:c,yh:l}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                        var W={summary:"Wait for a price, a position or an order",description:"Exits 0 when the condition is true. A price is the mark, or last or mid. The market stream reports every change; after a lost con\
nection, one-second candles show the missed last prices. A bound such as mark-1% is computed once, at the start. flat waits for the whole account, 'BTC flat' for one market. If the order ends without \
filling, exits 5.",args:[{name:"condition",repeat:!0,summary:"'BTC < 95000', 'ETH last >= mark+1%', flat, 'order ID filled'"}],options:{for:{value:"DURATION",kind:"duration",summary:"exit 7 if it is n\
ot true within this time"}},examples:[["perp wait 'BTC < 95000' && perp order place BTC buy 0.01","buy once the mark is below a price"],["perp wait 'BTC last >= mark+0.5%' --for 4h","for at most four \
hours"],["perp wait 'order my-entry-1 filled' && perp stop BTC 1%","a stop after an order has filled"]]};async function M(t,i){if(t.settings.dryRun)throw s("perp wait can't be combined with --dry-run.",
"Omit --dry-run.");let o=i.condition.join(" "),r=h(o);await f(t,"perp wait");let m=t.outside.now(),p=await t.person.during(`Waiting for ${o}`,()=>b(t,r,o,i.for)),e={condition:o,...p,waited_ms:t.outside.
now()-m};return u(e,()=>[c({text:o,tone:"strong"},`  ${T(p)}`)])}async function b(t,i,o,r){let m=new AbortController,p=r===void 0?()=>{}:l.after(r,()=>m.abort()),e=new AbortController,y=AbortSignal.any(
[t.signal,m.signal,e.signal]);try{return await w(t,i,y)}catch(g){throw m.signal.aborted&&!t.signal.aborted?C(o,r):g}finally{p(),e.abort()}}function C(t,i){return new a({code:"not_met",message:`${t} wa\
s not true within ${d(i)}.`,hint:"Wait longer with --for."})}function T({price:t,bound:i,from:o,order:r}){return t!==void 0?`${o==="candle"?"the last price was":"at"} ${n(t)} (bound ${n(i)})`:r===void 0?
"no open position":`${r.status}, ${n(r.filled_size??0)} filled`}                              

return{command:W,run:M}})