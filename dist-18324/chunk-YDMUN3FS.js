(function(use,load,meta,require){"use strict";const {a:s,c:a}=use("chunk-5BRGW4XK.js");const {He:y,Pa:S,Ya:x}=use("chunk-AFUPYCZE.js");
                                                                                                        var k,u=()=>k??=require                 ("node:fs"),h=t=>u()[t];var l=h("readFileSync");var w=864e5;function D(t,p){let r=o=>Math.min(o,p()),m={name:t.name,definitions:t.definitions,...t.definitionAt&&{definitionAt:(o,i)=>t.definitionAt(o,r(i))},book:(o,i)=>t.book(o,r(i)),open:o=>b(t.open(
r(o)),r),volume:(o,i,e,n)=>t.volume(o,i,e,r(n)),hasMarks:o=>t.hasMarks?.(o)===!0,...t.firstTouch&&{firstTouch:(o,i,e,n,c)=>t.firstTouch(o,i,r(e),n,c)},...t.firstReach&&{firstReach:(o,i,e,n,c)=>t.firstReach(
o,i,r(e),n,c)},...t.firstShrink&&{firstShrink:(o,i,e,n)=>t.firstShrink(o,i,r(e),n)}};return"bars"in t?{...m,bars:(o,i,e,n,c)=>t.bars(o,i,e,n,r(c)),...t.prepareBars&&{prepareBars:(o,i,e,n,c)=>t.prepareBars(
o,i,e,n,r(c))}}:m}function b(t,p){return{watch:(r,m,o)=>t.watch(r,m,o),peek:r=>t.peek(p(r)),next:r=>t.next(p(r))}}function g({firstTime:t,lastTime:p},r){let[,m,o,i="0"]=/^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.
exec(r)??[];if(m===void 0||o===void 0)return null;let e=new Date(t);e.setUTCHours(Number(m),Number(o),Number(i),0);let n=e.getTime()<t?e.getTime()+w:e.getTime();return n<=p?n:null}function O(t,p){let r=f(
t.tape),m=/^\d{1,15}$/.test(p),o=Object.hasOwn(r,p)?r[p]:g(t,p)??(m?Number(p):y(p));return o>=t.firstTime&&o<=t.lastTime?o:null}var d=/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;function f(t){let p=a(t,"b\
ookmarks.json"),r;try{r=l(p,"utf8")}catch(i){if(i.code==="ENOENT")return{};throw new s(p,"the bookmarks can't be read",{cause:i})}let m=x(r),o=i=>d.test(i[0])&&Number.isSafeInteger(i[1]);if(m===null||
!Object.entries(m).every(o))throw new s(p,"is not a bookmarks file");return m}function R(t,p,r){let m=a(t,"bookmarks.json");if(!d.test(p))throw new s(m,`${JSON.stringify(p)} is not a valid name: use u\
p to 64 letters, digits, spaces, dots and dashes`);return S({file:m},o=>{let{[p]:i,...e}=f(t),n=r===null?e:{...e,[p]:r};return o(`${JSON.stringify(n,null,1)}
`),n})}                                           

return{a:D,b:g,c:O,d:f,e:R}})