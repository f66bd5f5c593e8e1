(function(use,load,meta,require){"use strict";const {a:C}=use("chunk-GAPICP5C.js");const {Ad:k,Bd:_,F:c,Hi:O,P:d,Rd:u,Sd:P,Ua:g,Xb:v,Yh:h,Zh:f,_b:w,g:n,ml:S,vd:b}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                              
                            var K={summary:"Show or change an account's policy and trading halts",description:"Without a change and options, shows the policy. A change is JSON with fields of POST /sim/policy (docs/simulation.md \
lists them); markets can be named in any form, options take precedence, and omitted fields are unchanged.",args:[{name:"change",optional:!0,summary:"JSON, or @FILE; - reads standard input"}],options:{
preset:{value:"NAME",choices:["observed","default"],summary:"start from all observed behaviors of the live service, or from none"},restrict:{value:"WHAT",choices:["reduce_only","none"],summary:"restri\
ct the account"},halt:{value:"CATEGORY",repeat:!0,summary:"halt a category or platform (everything); none ends all halts"},marks:{value:"SOURCE",choices:["book","venue"],summary:"where marks come from\
: the book's midpoint or the venue's own mark"}},examples:[["perp sim policy","show the policy"],["perp sim policy --restrict reduce_only","test a restriction"],["perp sim policy --halt crypto","halt \
a category"],["perp sim policy --preset observed","behave like the live service"],["perp sim policy --marks venue","trigger and liquidate at the venue's own mark, on live books"],[`perp sim policy '{"\
limits": {"trades_per_day": 20}}'`,"at most 20 trades a day"],["perp sim policy @strict.json","apply a file"]],simulationOnly:!0,async run(o,i){let r=await b(o),{trading_halt:t,...p}=await E(o,i,r),e=Object.
values(p).some(m=>m!==void 0);if(!e&&t===void 0){let{data:m}=await o.call("simGetPolicy",{query:{account_id:r}});return u(m,()=>[h(m),f(m.observed)])}let a={body:{...p,...e?{account_id:r}:{},...t===void 0?
{}:{trading_halt:t}}};return S(o,"simSetPolicy",a,{question:e?`Change the policy of ${r}?`:"Change the trading halts?",done:async()=>{let{data:m}=await o.call("simGetPolicy",{query:{account_id:r}});return u(
m,()=>[P({text:"Changed.",tone:"good"}),h(m),f(m.observed)])}})}};async function E(o,i,r){let t=i.change===void 0?{}:await A(o,i.change,r),{restrict:p,marks:e}=i;return{...t,preset:i.preset??t.preset,
restriction:p===void 0?t.restriction:p==="none"?null:p,observed:e===void 0?t.observed:{...t.observed,marks:e},trading_halt:await I(o,i.halt)??t.trading_halt}}async function A(o,i,r){let t=await C(o,i,
"CHANGE");if(!g(t)||"account_id"in t)throw n("CHANGE must be an object of JSON, without an account.","--account names the account.");let p=w(O.simSetPolicy,{...t,account_id:r});if(p.length>0)throw n("\
The policy is invalid.",void 0,p);let{competition:e,observed:s,...a}=t;Object.keys(a.market_order_maximum_bps_by_provider??{}).forEach(G),await q(o,a.trading_halt?.categories??[]);let m=async l=>(await _(
o,l)).market_id,y=s?.open_interest_usd,j=Object.entries(y??{}).map(async([l,R])=>[await m(l),R]);return{...a,competition:e&&{...e,market_allowlist:await Promise.all(e.market_allowlist.map(m))},observed:y===
void 0?s:{...s,open_interest_usd:Object.fromEntries(await Promise.all(j))}}}function G(o){if(c.includes(o))return;let i=v(o,c);throw n(`There is no provider ${d(o)}; allowed: ${c.join(", ")}.`,i===void 0?
void 0:`Did you mean ${i}?`)}async function I(o,i){if(i.length===0)return;if(i.includes("none")&&i.length>1)throw n("--halt none ends all halts and can't be combined with others.");let r=i.filter(t=>t!==
"platform"&&t!=="none");return r.length>0&&await q(o,r),{platform:i.includes("platform"),categories:r}}async function q(o,i){let r=new Set((await k(o)).map(e=>e.category)),t=i.find(e=>!r.has(e));if(t===
void 0)return;let p=[...r].filter(e=>e!==void 0).sort();throw n(`No market has the category ${d(t)}.`,`Categories: ${p.join(", ")}. Use platform to halt everything, none to end all halts.`)}                     

return{command:K}})