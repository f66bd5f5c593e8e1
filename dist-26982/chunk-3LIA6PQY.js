(function(use,load,meta,require){"use strict";const {Bh:g,Ga:u,Ha:f,_c:y,ed:w,fd:k,g:s}=use("chunk-KBEGXUNB.js");
                                                                                        var h=["BTC","ETH","SOL"];async function F(t,r){if(t.settings.dryRun)throw s("A live screen can't be combined with --dry-run.","Omit --dry-run.");let{forMs:m,ladder:p,deck:o}=r,i=await w(t),n=r.isRemembered===
!0?I(t):new Map,M=r.interval??g.find(e=>e===n.get("interval"))??"1m",v=A(await L(t,r.markets,i),r.markets,i,n.get("market"));await y(t);let{account:d}=t.settings;d!==void 0&&await t.call("getAccount",
{path:{account_id:d}});let{LiveModel:b}=await load  ("./live-model-NN2ZNZK6.js"),a=new b({markets:i,watched:v,interval:M});a.accountId=t.settings.account;let{io:l,settings:R,variables:S}=t,c=R.output===
"table"&&l.stdoutIsTerminal&&S.TERM!=="dumb"?l.terminal:void 0;if(c===void 0){let{plainWatch:e}=await load  ("./plain-watch-WZ4EYRLW.js");return e(t,a,m)}let{liveScreen:C}=await load  ("./live-screen-V7SFRMLZ.js");
return C(t,a,await c(),{forMs:m,...p!==void 0&&{ladder:p},...o!==void 0&&{deck:o},...r.isRemembered===!0&&{layout:T.find(e=>e===n.get("ladder")),left:e=>f(t,"screen",[["market",a.chosen.market_id],["i\
nterval",a.interval],["ladder",e.ladder]])}})}var T=["off","pane","whole"];function I(t){return new Map(u(t.variables,t.settings.environment,"screen"))}function A(t,r,m,p){let o=r.length>0?void 0:m.find(
({market_id:i})=>i===p);return o===void 0?t:[...new Set([o,...t])]}async function L(t,r,m){if(r.length>0)return[...new Set(await Promise.all(r.map(i=>k(t,i))))];let p=h.flatMap(i=>m.find(n=>n.symbol===
i)??[]),o=p.length>0?p:m.slice(0,h.length);if(o.length===0)throw s("This host has no markets.");return o}               

return{a:F}})