(function(use,load,meta,require){"use strict";const {a:O,b:c,d:E}=use("chunk-XQW3LI5N.js");const {K:y,Kj:f,Lj:S,Sc:d,U:g,Ul:_,af:W,bf:u,cf:l,ff:b,g:a,h:h,qd:k,rd:R,sd:v}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                      
                            var C={summary:"List writes with an unknown outcome",description:"Writes are kept on this machine before sending, and removed once their outcome is known. A write that remains was sent or about to be \
sent, but got no answer because perp, the network or the service stopped. Lists writes to every environment.",examples:[["perp pending list","unsettled writes"],["perp pending resume","settle them"]]},
L=[{header:"SENT",cell:t=>"sent_at"in t?g(t.sent_at):"",keep:1},{header:"WHAT",cell:({what:t})=>t},{header:"WHERE",cell:t=>"computed"in t?t.computed.destination:"",keep:2},{header:"OUTCOME",cell:({status:t})=>({
text:t.replace("_"," "),tone:"warn"}),keep:3},{header:"KEY",cell:({key:t})=>t}],x=["key","status","operation","what","environment","profile","base_url","state","account_id","client_order_id","sent_at",
"computed.destination"];async function D(t){let{writes:e,damages:r}=l(u(t.variables)),o=t.outside.now(),i=[...e.map(({note:m})=>F(m,o)),...r.map(N)];return k(i,{fields:x,columns:L,empty:"Every write i\
s settled."})}function F(t,e){return{...f(t),status:S(t,e)?"under_way":"unknown"}}function N({file:t,reason:e}){return{key:t,status:"damaged",what:e}}var T={summary:"Settle writes with an unknown outc\
ome",description:"Looks for the effect first: an order by its client order id, a TWAP or ladder in its list, a write without a key by what it changes. If the effect is there, nothing is sent. If it is\
 absent after the arrival window, the write did not happen; one with an idempotency key is then sent again under it. On a terminal, perp asks first. Each write is settled in the environment it was sen\
t to, whatever --env says. Exits 0 when all are settled, done or not, and 8 while one is still unknown.",args:[{name:"key",optional:!0,summary:"key of the write, from perp pending list (default: all)"}],
options:{forget:{summary:"remove it from the list without sending anything; needs KEY"}},examples:[["perp pending resume","settle everything"],["perp pending resume 6f1c2e0a-8f1e-4c55-9d3b-0c2a7f9f4e1\
1","settle one"],["perp pending resume write-9f31c2a07b44 --forget","resolved manually"]],changesMore:!0};async function A(t,e){let{key:r,forget:o}=e,{writes:i,damages:m}=l(u(t.variables)),p=i.filter(
({note:n})=>r===void 0||r===d(n)),s=m.filter(({file:n})=>r===void 0||r===n);if(r!==void 0&&p.length+s.length===0)throw h(`No unsettled write has the key ${y(r)}.`,"perp pending list shows the unsettle\
d writes; settled ones are removed.");let{dryRun:w}=t.settings;if(!o&&w)return I(p);if(!o)return K([...await P(t,p),...s.map(Y)],r);if(r===void 0)throw a("--forget needs a KEY.","perp pending list sho\
ws the keys.");return w?R({forget:r},()=>[v(`Dry run: ${r} would be removed from the list.`)]):K($(p,s,i),r)}function I(t){return t.length===0?c([]):_(t.map(({note:e})=>e.intent))}function K(t,e){return e!==
void 0&&t.length===1?O(t[0]):c(t)}async function P(t,e){let r=E(t),o=[];try{for(let i of e)o.push(await t.person.during("Looking up the outcome",()=>r.settle(i)))}finally{await r.close()}return o}function $(t,e,r){
for(let o of t)b(o);for(let{file:o}of e){let i=r.find(m=>m.file===o);if(i===void 0)W(o);else throw a(`${o} contains another unsettled write.`,`Settle it first: perp pending resume ${d(i.note)}`)}return[
...t.map(({note:o})=>({...f(o),outcome:"forgotten",reason:"nothing was sent"})),...e.map(({file:o,reason:i})=>({key:o,outcome:"forgotten",reason:i}))]}function Y({file:t,reason:e}){return{key:t,outcome:"\
damaged",reason:e}}var Z={list:{command:C,run:D},resume:{command:T,run:A}};                      

return{commands:Z}})