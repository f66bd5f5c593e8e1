(function(use,load,meta,require){"use strict";const {a:d}=use("chunk-7VWHLLZN.js");
                                        var b=1,m=class{#e;#t=0;constructor(e){this.#e=e}start(){return this.#t=performance.now(),Math.max(1,Math.floor(this.#e))}end(){let e=b/Math.max(performance.now()-this.#t,.01);this.#e=Math.max(1,this.#e*
Math.min(4,e))}};function*k(r,...[e,t,n,o,s]){r.prepareBars!==void 0&&(yield*r.prepareBars(e,t,n,o,s));let a=[],u=new m(4),M=c(t,n);for(;a.length<o;){let p=r.bars(e,t,M,Math.min(u.start(),o-a.length),
s);for(let P of p)a.push(P);M=p.at(-1).endTime,u.end(),yield}return a}var g=1e3,l=60*g,i=60*l,h=24*i,v=4*h,f={"1s":g,"1m":l,"3m":3*l,"5m":5*l,"15m":15*l,"30m":30*l,"1h":i,"2h":2*i,"4h":4*i,"8h":8*i,"1\
2h":12*i,"1d":h,"3d":3*h,"1w":7*h},T=[...Object.keys(f),"1M"];function c(r,e){if(r==="1M"){let o=new Date(e);return Date.UTC(o.getUTCFullYear(),o.getUTCMonth(),1)}let t=f[r],n=r==="1w"?v:0;return Math.
floor((e-n)/t)*t+n}function w(r,e){if(r!=="1M")return e+f[r];let t=new Date(e);return Date.UTC(t.getUTCFullYear(),t.getUTCMonth()+1,1)}function x({interval:r,count:e,now:t}){let n=c(r,t);for(let o=e;o>
0;o-=1)n=c(r,n-1);return n}function q(r,e,t){let{interval:n,count:o,now:s}=t;return r.bars(e,n,x(t),o,c(n,s)-1)}function S(r,e,t){let n=BigInt(e)*BigInt(t);return{time:r,open:e,high:e,low:e,close:e,volume:t,
quoteVolume:n,count:1}}function y(r,e){return e.high>r.high&&(r.high=e.high),e.low<r.low&&(r.low=e.low),r.close=e.close,r.volume+=e.volume,r.quoteVolume+=e.quoteVolume,r.count+=e.count,r}function V(r,e){
return d(r.length,t=>r[t].time<e)}function D(r){let e=null;for(let t of r)t!==null&&(e=e===null?{...t}:y(e,t));return e}function C(r,e,t,n){return{openTime:r,endTime:e,open:t?.open??n,high:t?.high??n,
low:t?.low??n,close:t?.close??n,volume:t?.volume??0,quoteVolume:t?.quoteVolume??0n,count:t?.count??0}}function U({openTime:r,open:e,high:t,low:n,close:o,volume:s,quoteVolume:a,count:u}){return u===0||
e===null||t===null||n===null||o===null?null:{time:r,open:e,high:t,low:n,close:o,volume:s,quoteVolume:a,count:u}}function L(r,e,t){let n=[c(r,e)];for(;n.length<=t;)n.push(w(r,n.at(-1)));return n}var B=class{sums=[];length;constructor(e){
this.length=e}add(e,t,n){let o=Math.floor(e/this.length)*this.length,s=S(o,t,n),a=this.sums.at(-1);a?.time===o?y(a,s):this.sums.push(s)}refine(e){for(let t of this.sums)t.open*=e,t.high*=e,t.low*=e,t.
close*=e,t.quoteVolume*=BigInt(e)}};                                                                                              

return{a:m,b:k,c:c,d:w,e:x,f:q,g:y,h:V,i:D,j:C,k:U,l:L,m:B}})