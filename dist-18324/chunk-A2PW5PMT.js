(function(use,load,meta,require){"use strict";const {Ad:w,Bd:y,Sa:c,Ta:u,g:s,hi:g,ud:f}=use("chunk-AFUPYCZE.js");
                                                                                        var k=["BTC","ETH","SOL"];async function x(t,r){if(t.settings.dryRun)throw s("A live screen can't be combined with --dry-run.","Omit --dry-run.");let i=await w(t),o=r.isRemembered===!0?S(t):new Map,m=r.
interval??g.find(e=>e===o.get("interval"))??"1m",p=C(await L(t,r.markets,i),r.markets,i,o.get("market"));await f(t);let{account:a}=t.settings;a!==void 0&&await t.call("getAccount",{path:{account_id:a}});
let{LiveModel:v}=await load  ("./live-model-IU4DMJJW.js"),n=new v({markets:i,watched:p,interval:m});n.accountId=t.settings.account;let{io:l,settings:h,variables:M}=t,d=h.output==="table"&&l.stdoutIsTerminal&&
M.TERM!=="dumb"?l.terminal:void 0;if(d===void 0){let{plainWatch:e}=await load  ("./plain-watch-UDEC6MN2.js");return e(t,n,r.forMs)}let{liveScreen:b}=await load  ("./live-screen-7NOFCKIM.js");return b(
t,n,await d(),{...r,...r.isRemembered===!0&&{layout:R.find(e=>e===o.get("ladder")),left:e=>u(t,"screen",[["market",n.chosen.market_id],["interval",n.interval],["ladder",e.ladder]])}})}var R=["off","pa\
ne","whole"];function S(t){return new Map(c(t.variables,t.settings.environment,"screen"))}function C(t,r,i,o){let m=r.length>0?void 0:i.find(({market_id:p})=>p===o);return m===void 0?t:[...new Set([m,
...t])]}async function L(t,r,i){if(r.length>0)return[...new Set(await Promise.all(r.map(p=>y(t,p))))];let o=k.flatMap(p=>i.find(a=>a.symbol===p)??[]),m=o.length>0?o:i.slice(0,k.length);if(m.length===0)
throw s("This host has no markets.");return m}               

return{a:x}})