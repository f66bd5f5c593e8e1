(function(use,load,meta,require){"use strict";const {cl:u,hl:f,il:k}=use("chunk-AFUPYCZE.js");
                                                         var h={last:null,change_24h_pct:null,mark:null,funding_rate:null},y=3e3;function w(p,n){return u(p,(e,s)=>Promise.race([_(p,e,n),s]))}function _({settings:p},n,e){let s=new Map(e.map(({provider:r,coin:t,
market_id:i})=>[`${r}|${t}`,i])),o=new Map,{promise:d,resolve:M,reject:g}=Promise.withResolvers(),c=()=>{clearTimeout(a),M(new Map([...o].map(([r,t])=>[r,{...h,...t}])))},a=setTimeout(c,p.timeoutMs),P=r=>{
let t=s.get(`${r.provider}|${r.symbol}`);if(t===void 0)return;o.size===0&&(clearTimeout(a),a=setTimeout(c,y));let i=o.get(t)??{};r.type==="tick"&&r.kind==="last"&&(i.last=Number(r.price)),r.type==="ma\
rketStats"&&(i.change_24h_pct=r.change24hPct??null,i.mark=r.markPx??null,i.funding_rate=r.fundingRate??null),o.set(t,i);let l=[...o.values()].every(m=>m.last!==void 0&&m.change_24h_pct!==void 0);o.size===
s.size&&l&&c()};for(let{provider:r,symbols:t}of f(e))for(let i of["ticks","marketStats"]){let l=({message:m})=>g(k(m));n.subscribe(i,{symbols:t,providers:[r]},{events:m=>m.forEach(P),refused:l})}return d.
finally(()=>clearTimeout(a))}               

return{a:w}})