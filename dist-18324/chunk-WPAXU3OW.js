(function(use,load,meta,require){"use strict";const {A:a,w:d}=use("chunk-AFUPYCZE.js");
                                               var m=new WeakMap;function S(e){let n=Object.entries(e.properties).map(([r,{type:t,oneOf:i=[]}])=>{let u=[t,...i.map(c=>c.type)].flat().includes("null");return`${r}: '${r}' in derived ? derived.${r} :\
 shown(record.${s(r)}, ${u?"null":void 0})`});return new Function("shown",`return (record, derived) => ({ ${n} });`)(l)}function l(e,n){return typeof e=="bigint"?p(e):e??n}function s(e){return e.replace(
/_([a-z0-9])/g,(n,r)=>r.toUpperCase())}function y(e,n,r){let t=m.get(e);return t===void 0&&(t=S(e),m.set(e,t)),t(n,r)}function x(e,n){let r=n;return Object.fromEntries(Object.keys(e.properties).map(t=>[
s(t),r[t]??null]))}function K(e){let n=Object.entries(e).filter(([,r])=>r!==void 0);return Object.fromEntries(n.map(([r,t])=>[s(r),t]))}var b=10**8,f=24;function p(e){let n=Number(e);return Number.isSafeInteger(
n)?n/b:a(e)}function R(e,n){return Number.isSafeInteger(e)?e/10**n:Number.isFinite(e)?d(e,n):Number.MAX_VALUE}function k(e,n,r){let t=Number(e),i=n*10**(8-r);return r<=8&&Number.isSafeInteger(t)&&Number.
isSafeInteger(i)?t/i:+`${e*10n**BigInt(r+f-8)/BigInt(n)}e-${f}`}                                                  

return{a:y,b:x,c:K,d:p,e:R,f:k}})