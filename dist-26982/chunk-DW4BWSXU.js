(function(use,load,meta,require){"use strict";const {Li:M,Mi:w,Pi:P,Qi:g,xh:d}=use("chunk-KBEGXUNB.js");
                                                                         var _={last:null,change_24h_pct:null,mark:null,funding_rate:null},S=3e3;async function x(m,c){let l=await M(m),{MarketFollower:e}=await load  ("./market-follower-ZL7FKBL6.js"),s=Promise.withResolvers(),a=w(
m,"market",new d,s.reject),r=new e({transport:l,onState:a});try{return await v(m,r,c,s.promise)}finally{r.close()}}function v({signal:m,settings:c},l,e,s){let a=new Map(e.map(({provider:t,coin:o,market_id:i})=>[
`${t}|${o}`,i])),r=new Map,{promise:y,resolve:h,reject:u}=Promise.withResolvers(),f=()=>{clearTimeout(n),h(new Map([...r].map(([t,o])=>[t,{..._,...o}])))},n=setTimeout(f,c.timeoutMs),b=t=>{let o=a.get(
`${t.provider}|${t.symbol}`);if(o===void 0)return;r.size===0&&(clearTimeout(n),n=setTimeout(f,S));let i=r.get(o)??{};t.type==="tick"&&t.kind==="last"&&(i.last=Number(t.price)),t.type==="marketStats"&&
(i.change_24h_pct=t.change24hPct??null,i.mark=t.markPx??null,i.funding_rate=t.fundingRate??null),r.set(o,i);let k=[...r.values()].every(p=>p.last!==void 0&&p.change_24h_pct!==void 0);r.size===a.size&&
k&&f()};m.addEventListener("abort",()=>u(m.reason),{once:!0}),s.catch(u);for(let{provider:t,symbols:o}of P(e))for(let i of["ticks","marketStats"]){let k=({message:p})=>u(g(p));l.subscribe(i,{symbols:o,
providers:[t]},{events:p=>p.forEach(b),refused:k})}return y.finally(()=>clearTimeout(n))}               

return{a:x}})