(function(use,load,meta,require){"use strict";const {e:M,f:k}=use("chunk-BL4PAZXG.js");const {l:h}=use("chunk-CUIBEGBH.js");const {a:v}=use("chunk-5BRGW4XK.js");
                                                                                                                               var y=1e3;async function T(t){let{network:o,forMs:a,signal:c}=t,r=[],m=(s,l)=>{try{r=E(t.tape,s,t.markets)}catch(i){throw l[0]??i}},e=await h.open({...t,onListed:m});try{e.writer.listener={part(){},lines(){},
repaired:()=>e.repaired()};let s=o.uptime(),l=e.now(),i=new Map(M(e.writer.summaries).map(n=>[n.marketId,b(n)])),g=()=>({...e.status(),elapsedMs:Math.round(o.uptime()-s),live:r.filter(n=>e.isLive(n)).
length,wanted:r.length});for(let n of r)e.want(n);await new Promise(n=>{let d=[],f=()=>{for(let P of d)P();c?.removeEventListener("abort",f),n()},w=()=>{t.onProgress?.(g()),d[0]=o.after(y,w)};d[0]=o.after(
y,w),a!==null&&(d[1]=o.after(a,f)),c?.aborted===!0?f():c?.addEventListener("abort",f)});let p=g(),u=e.now(),L=p.tape.failedAt??u,x=new Map(M(e.writer.summaries).map(n=>[n.marketId,n])),O=r.map(n=>{let d=x.
get(n),f=d===void 0?0:b(d)-(i.get(n)??0),w=d===void 0||u<=l?0:k(d,l,L)/(u-l);return{marketId:n,events:f,known:w,problem:R(p,n)}});return{...p,recorded:O}}finally{await e.close()}}function b({books:t,deltas:o,
prints:a}){return t+o+a}function R({feeds:t,tape:o},a){if(o.failedAt!==null)return o.problem;let c=t.find(({markets:e})=>e.some(s=>s.marketId===a)),r=c?.markets.find(e=>e.marketId===a);return r===void 0||
r.state==="live"?null:c.connections.find(({problem:e})=>e!==null)?.problem??r.problem??"no data has arrived"}function E(t,o,a){let c=new Set;for(let r of a){let m=r.toLowerCase(),e=({marketId:i,symbol:g,
coin:p})=>[i,i.replace("|",":"),g,p].some(u=>u.toLowerCase()===m),s=o.filter(e).map(({marketId:i})=>i),l=s.find(i=>i.toLowerCase()===m)??(s.length===1?s[0]:null);if(s.length===0)throw new v(t,`there i\
s no market ${JSON.stringify(r)}`);if(l==null)throw new v(t,`${JSON.stringify(r)} matches ${s.join(", ")}: choose one of them`);c.add(l)}return[...c]}                      

return{a:T,b:E}})