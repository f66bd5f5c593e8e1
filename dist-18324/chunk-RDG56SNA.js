(function(use,load,meta,require){"use strict";const {V:g,Z:b}=use("chunk-AFUPYCZE.js");
                                               var k=t=>t===Number.POSITIVE_INFINITY?"any":`${t}usd`,d=t=>`${Number((t*100).toPrecision(12))}%`,f={written:t=>t,says:t=>t.length===0?"none":t.join(", "),both:(t,r)=>t.filter(o=>r.includes(o))},h=t=>new Date(
t).toISOString(),l=(t,r,o)=>({key:t,both:Math.min,written:r,says:o}),c=(t,r)=>l(t,k,o=>r(b(o))),N=(t,r)=>l(t,o=>o,o=>r(g(o))),w=t=>l(t,d,r=>`may lose up to ${d(r)} of the room to the floor`),u={name:{
key:"name",written:t=>t,says:t=>t,both:t=>t},accounts:{key:"accounts",...f},markets:{key:"markets",...f},sides:{key:"sides",...f,says:t=>t.length===0?"none: only reductions":t.join(" and ")},largestOrderUsd:c(
"largest-order",t=>`up to ${t} USD`),largestOrderRoom:w("largest-order-room"),largestPositionUsd:c("largest-position",t=>`up to ${t} USD, including orders that may add to it`),largestPositionRoom:w("l\
argest-position-room"),largestLeverage:N("largest-leverage",t=>`up to ${t}x`),lossPerDayUsd:c("loss-per-day",t=>`no new exposure after a loss of ${t} USD`),ordersPerMinute:N("orders-per-minute",t=>`up\
 to ${t}`),stopWithin:l("stop-within",t=>t===Number.POSITIVE_INFINITY?"any":d(t),t=>t===Number.POSITIVE_INFINITY?"a stop at any distance":`a stop within ${d(t)} of the entry`),roomLeftUsd:{...c("room-\
left",t=>`at least ${t} USD above the floor in the worst case`),both:Math.max},hours:{key:"hours",written:t=>t.map(M),says:t=>t.length===0?"none":`${t.map(M).join(", ")} UTC`,both:I},until:l("until",h,
h),approveAboveUsd:c("approve-above",t=>`orders above ${t} USD wait for you`),approvalBps:l("approval-within",t=>d(t/1e4),t=>`an approval is void after the mark moves ${d(t/1e4)}`)},O=Object.keys(u);function v(t){
return t==="writes"?t:u[t].key}function W(t,r){let{written:o}=u[t];return JSON.stringify(o(r)).replaceAll('","','", "')}function P(t,r){let{says:o}=u[t];return r===void 0?"no limit":o(r)}function S(t,r,o){
let{both:i}=u[t];return r===void 0||o===void 0?r??o:i(r,o)}function V(t,r,o){let i=e=>{if(e===void 0)return"";if(t==="hours")return JSON.stringify(F(e));let{written:n}=u[t],s=n(e);return JSON.stringify(
Array.isArray(s)?[...s].sort():s)};return i(r)===i(o)?"same":i(S(t,r,o))===i(r)?"tighter":"looser"}var T=["Mon","Tue","Wed","Thu","Fri","Sat","Sun"],a=1440,y=7*a;function M({days:t,from:r,to:o}){let i=m=>`${String(
Math.floor(m/60)).padStart(2,"0")}:${String(m%60).padStart(2,"0")}`,e=t.length>2&&t.every((m,p)=>p===0||m===t[p-1]+1),n=t.map(m=>T[m-1]);return`${t.length===7?"":`${e?`${n[0]}-${n.at(-1)}`:n.join(",")}\
 `}${i(r)}-${i(o)}`}function F(t){let r=new Uint8Array(y);for(let{days:o,from:i,to:e}of t)for(let n of o){let s=(n-1)*a+i,m=e>i?e-i:e+a-i;for(let p=s;p<s+m;p+=1)r[p%y]=1}return r}function x(t){let r=[];
for(let o=0;o<y;o+=1){if(t[o]===0)continue;let i=r.at(-1);i!==void 0&&i[1]===o&&o%a!==0?i[1]=o+1:r.push([o,o+1])}return r}function I(t,r){let o=F(r),i=F(t).map((n,s)=>n&o[s]),e=new Map;for(let[n,s]of x(
i)){let m=Math.floor(n/a),p={from:n-m*a,to:s-m*a},$=e.get(`${p.from} ${p.to}`);e.set(`${p.from} ${p.to}`,{...p,days:[...$?.days??[],m+1]})}return[...e.values()]}                                                         

return{a:u,b:O,c:v,d:W,e:P,f:S,g:V}})