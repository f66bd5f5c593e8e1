(function(use,load,meta,require){"use strict";const {a:s,c:a}=use("chunk-O5UXCMH7.js");const {Da:S,Ma:x,fe:y}=use("chunk-KBEGXUNB.js");
                                                                                                        var k,u=()=>k??=require                 ("node:fs"),h=t=>u()[t];var l=h("readFileSync");var w=864e5;function D(t,p){let r=o=>Math.min(o,p()),n={name:t.name,definitions:t.definitions,...t.definitionAt&&{definitionAt:(o,i)=>t.definitionAt(o,r(i))},book:(o,i)=>t.book(o,r(i)),open:o=>b(t.open(
r(o)),r),volume:(o,i,m,e)=>t.volume(o,i,m,r(e)),hasMarks:o=>t.hasMarks?.(o)===!0,...t.firstTouch&&{firstTouch:(o,i,m,e,c)=>t.firstTouch(o,i,r(m),e,c)},...t.firstReach&&{firstReach:(o,i,m,e,c)=>t.firstReach(
o,i,r(m),e,c)},...t.firstShrink&&{firstShrink:(o,i,m,e)=>t.firstShrink(o,i,r(m),e)}};return"bars"in t?{...n,bars:(o,i,m,e,c)=>t.bars(o,i,m,e,r(c)),...t.prepareBars&&{prepareBars:(o,i,m,e,c)=>t.prepareBars(
o,i,m,e,r(c))}}:n}function b(t,p){return{watch:(r,n,o)=>t.watch(r,n,o),peek:r=>t.peek(p(r)),next:r=>t.next(p(r))}}function g({firstTime:t,lastTime:p},r){let[,n,o,i="0"]=/^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.
exec(r)??[];if(n===void 0||o===void 0)return null;let m=new Date(t);m.setUTCHours(Number(n),Number(o),Number(i),0);let e=m.getTime()<t?m.getTime()+w:m.getTime();return e<=p?e:null}function O(t,p){let r=f(
t.tape),n=/^\d{1,15}$/.test(p),o=Object.hasOwn(r,p)?r[p]:g(t,p)??(n?Number(p):y(p));return o>=t.firstTime&&o<=t.lastTime?o:null}var d=/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;function f(t){let p=a(t,"b\
ookmarks.json"),r;try{r=l(p,"utf8")}catch(i){if(i.code==="ENOENT")return{};throw new s(p,"the bookmarks can't be read",{cause:i})}let n=x(r),o=i=>d.test(i[0])&&Number.isSafeInteger(i[1]);if(n===null||
!Object.entries(n).every(o))throw new s(p,"is not a bookmarks file");return n}function R(t,p,r){let n=a(t,"bookmarks.json");if(!d.test(p))throw new s(n,`${JSON.stringify(p)} is not a valid name: use u\
p to 64 letters, digits, spaces, dots and dashes`);return S({file:n},o=>{let{[p]:i,...m}=f(t),e=r===null?m:{...m,[p]:r};return o(`${JSON.stringify(e,null,1)}
`),e})}                                           

return{a:D,b:g,c:O,d:f,e:R}})