(function(use,load,meta,require){"use strict";const {Gl:g,Hl:M,fd:x,s:d,y:y}=use("chunk-KBEGXUNB.js");
                                                                  var h=["1s","1m","15m","1h","1d"],I=1500;async function N(t,i,o){let m=new Map;for(let r of i)m.set(r,v(r,await b(t,r,o)));return m}async function b(t,{openedAt:i,closedAt:o,marketId:m},r){let p=o??r,
{interval:e,length:s}=g(h,p-i,I);if(p-i<s)return[];let l=await x(t,m);return(await M(t,l,{interval:e,from:{at:i},to:{at:p}})).map(({openTime:n,high:a,low:c,close:T})=>({from:n,to:n+s,high:Number(a),low:Number(
c),close:Number(T)}))}function v(t,i){let o=0n,m=0n;for(let{result:r}of w(t,i))r<o&&(o=r),r>m&&(m=r);return{against:o,favor:m}}function*w(t,i){let o=0;for(let[m,r]of t.fills.entries()){let{time:p}=r.fill;
yield{time:p,result:f(t,r,r.fill.price)};let e=t.fills[m+1]?.fill,s=e?.time??(t.closedAt===null?Number.POSITIVE_INFINITY:p);for(;o<i.length&&i[o].from<p;)o+=1;for(;o<i.length&&i[o].to<=s;o++){let{to:l,
high:u,low:n,close:a=n}=i[o];for(let c of[n,u,a])yield{time:l,result:f(t,r,c)}}e!==void 0&&(yield{time:e.time,result:f(t,r,e.price)})}}function f({side:t,lotsPerUnit:i},{lots:o,cost:m,realizedPnl:r},p){
let e=y(d(p)*BigInt(o),BigInt(i));return r+(t==="long"?e-m:m-e)}                               

return{a:N,b:b,c:v,d:w}})