(function(use,load,meta,require){"use strict";
var m=class{#e;#r=0;constructor(n){this.#e=n}start(){return this.#r=performance.now(),Math.max(1,Math.floor(this.#e))}end(){let n=1/Math.max(performance.now()-this.#r,.01);this.#e=Math.max(1,this.#e*Math.
min(4,n))}};function*w(t,...[n,e,r,a,o]){t.prepareBars!==void 0&&(yield*t.prepareBars(n,e,r,a,o));let l=[],M=new m(4),d=u(e,r);for(;l.length<a;){let f=t.bars(n,e,d,Math.min(M.start(),a-l.length),o);for(let B of f)
l.push(B);d=f.at(-1).endTime,M.end(),yield}return l}var p=1e3,s=60*p,i=60*s,c=24*i,b=4*c,h={"1s":p,"1m":s,"3m":3*s,"5m":5*s,"15m":15*s,"30m":30*s,"1h":i,"2h":2*i,"4h":4*i,"8h":8*i,"12h":12*i,"1d":c,"3\
d":3*c,"1w":7*c},v=[...Object.keys(h),"1M"];function u(t,n){if(t==="1M"){let a=new Date(n);return Date.UTC(a.getUTCFullYear(),a.getUTCMonth(),1)}let e=h[t],r=t==="1w"?b:0;return Math.floor((n-r)/e)*e+
r}function I(t,n){if(t!=="1M")return n+h[t];let e=new Date(n);return Date.UTC(e.getUTCFullYear(),e.getUTCMonth()+1,1)}function x({interval:t,count:n,now:e}){let r=u(t,e);for(let a=n;a>0;a-=1)r=u(t,r-1);
return r}function k(t,n,e){let{interval:r,count:a,now:o}=e;return t.bars(n,r,x(e),a,u(r,o)-1)}function g(t,n,e){return y(`${t}/${n}/${e}`)/2**53}function C(t,n,e,r,a){return r+Math.floor(g(t,n,e)*(a-r+1))}function y(t,n=0){let e=3735928559^n,r=1103547991^n;for(let a=0;a<t.length;a+=1){let o=t.
charCodeAt(a);e=Math.imul(e^o,2654435761),r=Math.imul(r^o,1597334677)}return e=Math.imul(e^e>>>16,2246822507)^Math.imul(r^r>>>13,3266489909),r=Math.imul(r^r>>>16,2246822507)^Math.imul(e^e>>>13,3266489909),
(r&2097151)*2**32+(e>>>0)}                                                                  

return{a:m,b:w,c:u,d:I,e:x,f:k,g:g,h:C,i:y}})