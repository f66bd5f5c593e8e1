(function(use,load,meta,require){"use strict";const {P:f,S:u}=use("chunk-KBEGXUNB.js");
                                               var c=t=>t===Number.POSITIVE_INFINITY?"any":`${t}usd`,l=t=>`${Number((t*100).toPrecision(12))}%`,F={written:t=>t,says:t=>t.length===0?"none":t.join(", "),both:(t,r)=>t.filter(o=>r.includes(o))},a={both:Math.
min},y={name:{key:"name",written:t=>t,says:t=>t,both:t=>t},accounts:{key:"accounts",...F},markets:{key:"markets",...F},sides:{key:"sides",...F,says:t=>t.length===0?"none: only reductions":t.join(" and\
 "),both:(t,r)=>t.filter(o=>r.includes(o))},largestOrderUsd:{key:"largest-order",...a,written:c,says:t=>`up to ${u(t)} USD`},largestOrderRoom:{key:"largest-order-room",...a,written:l,says:t=>`may lose\
 up to ${l(t)} of the room to the floor`},largestPositionUsd:{key:"largest-position",...a,written:c,says:t=>`up to ${u(t)} USD, including orders that may add to it`},largestPositionRoom:{key:"largest-\
position-room",...a,written:l,says:t=>`may lose up to ${l(t)} of the room to the floor`},largestLeverage:{key:"largest-leverage",...a,written:t=>t,says:t=>`up to ${f(t)}x`},lossPerDayUsd:{key:"loss-pe\
r-day",...a,written:c,says:t=>`no new exposure after a loss of ${u(t)} USD`},ordersPerMinute:{key:"orders-per-minute",...a,written:t=>t,says:t=>`up to ${f(t)}`},stopWithin:{key:"stop-within",...a,written:t=>t===
Number.POSITIVE_INFINITY?"any":l(t),says:t=>t===Number.POSITIVE_INFINITY?"a stop at any distance":`a stop within ${l(t)} of the entry`},roomLeftUsd:{key:"room-left",both:Math.max,written:c,says:t=>`at\
 least ${u(t)} USD above the floor in the worst case`},hours:{key:"hours",written:t=>t.map(g),says:t=>t.length===0?"none":`${t.map(g).join(", ")} UTC`,both:$},until:{key:"until",...a,written:t=>new Date(
t).toISOString(),says:t=>new Date(t).toISOString()},approveAboveUsd:{key:"approve-above",...a,written:c,says:t=>`orders above ${u(t)} USD wait for you`},approvalBps:{key:"approval-within",...a,written:t=>l(
t/1e4),says:t=>`an approval is void after the mark moves ${l(t/1e4)}`}},x=Object.keys(y);function I(t){return t==="writes"?t:y[t].key}function O(t,r){let{written:o}=y[t];return JSON.stringify(o(r)).replaceAll(
'","','", "')}function T(t,r){let{says:o}=y[t];return r===void 0?"no limit":o(r)}function N(t,r,o){let{both:i}=y[t];return r===void 0||o===void 0?r??o:i(r,o)}function U(t,r,o){let i=m=>{if(m===void 0)
return"";if(t==="hours")return JSON.stringify(w(m));let{written:p}=y[t],s=p(m);return JSON.stringify(Array.isArray(s)?[...s].sort():s)};return i(r)===i(o)?"same":i(N(t,r,o))===i(r)?"tighter":"looser"}
var k=["Mon","Tue","Wed","Thu","Fri","Sat","Sun"],d=1440,b=7*d;function g({days:t,from:r,to:o}){let i=e=>`${String(Math.floor(e/60)).padStart(2,"0")}:${String(e%60).padStart(2,"0")}`,m=t.length>2&&t.every(
(e,n)=>n===0||e===t[n-1]+1),p=t.map(e=>k[e-1]);return`${t.length===7?"":`${m?`${p[0]}-${p.at(-1)}`:p.join(",")} `}${i(r)}-${i(o)}`}function w(t){let r=new Uint8Array(b);for(let{days:o,from:i,to:m}of t)
for(let p of o){let s=(p-1)*d+i,e=m>i?m-i:m+d-i;for(let n=s;n<s+e;n+=1)r[n%b]=1}return M(r)}function M(t){let r=[];for(let o=0;o<b;o+=1){if(t[o]===0)continue;let i=r.at(-1);i!==void 0&&i[1]===o&&o%d!==
0?i[1]=o+1:r.push([o,o+1])}return r}function $(t,r){let o=w(r),i=w(t).flatMap(([p,s])=>o.map(([e,n])=>[Math.max(p,e),Math.min(s,n)]).filter(([e,n])=>e<n)),m=new Map;for(let[p,s]of i){let e=Math.floor(
p/d),n={from:p-e*d,to:s-e*d},h=m.get(`${n.from} ${n.to}`);m.set(`${n.from} ${n.to}`,{...n,days:[...h?.days??[],e+1]})}return[...m.values()]}                                                         

return{a:y,b:x,c:I,d:O,e:T,f:N,g:U}})