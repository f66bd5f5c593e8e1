(function(use,load,meta,require){"use strict";
async function k(m,c,a){let{MarketFollower:p}=await load  ("./market-follower-CJ3N2SOM.js"),n=new p({transport:m,timing:c,onState:t=>a.state?.(t)}),r=new Map,d=({market_id:t,provider:s,coin:e})=>n.subscribe(
"ticks",{symbols:[e],providers:[s]},{events:i=>{for(let o of i)o?.type!=="tick"||o.kind!=="mark"||(a.time(o.time),a.mark(t,Number(o.price)))},refused:()=>{}});return{follow(t){let s=new Set(t.map(({market_id:e})=>e));
for(let[e,i]of r)s.has(e)||(i(),r.delete(e));for(let e of t)r.has(e.market_id)||r.set(e.market_id,d(e))},close:()=>n.close()}}               

return{a:k}})