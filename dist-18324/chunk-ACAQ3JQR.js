(function(use,load,meta,require){"use strict";const {Ce:g,P:s,g:m,ve:h,we:f,ye:d}=use("chunk-AFUPYCZE.js");
                                                                               var l="1/3@1R 1/3@2R rest trail 1%",$=10;function O(t,i){let r=t.trim().split(/\s+/).filter(n=>n!==""),o=[],e=!1,a;for(let n=0;n<r.length;n++){let p=r[n],u=`Part ${n+1} of ${i}`;if(a!==void 0)throw m(
`${u} is ${s(p)}, but the trail must come last.`,`Write ${l}.`);if(/^be$/i.test(p)){if(e)throw m(`${u} repeats be.`,"Write be only once.");e=!0}else/^rest$/i.test(p)&&/^trail$/i.test(r[n+1]??"")?(a=x(
r[n+2],`The trail of ${i}`),n+=2):o.push(b(p,u))}return P(o,{breakEven:e,trail:a},i),{targets:o,breakEven:e,trail:a,text:W({targets:o,breakEven:e,trail:a})}}function b(t,i){let r=t.indexOf("@");if(r<1||
r===t.length-1)throw m(`${i} is ${s(t)}, not a target, be or rest trail.`,`Write a plan such as ${l}.`);let o=T(t.slice(0,r),`The share in ${i.toLowerCase()}`),e=g(t.slice(r+1),`The price in ${i.toLowerCase()}`,
{unsigned:!0,also:" or 2R"});return{share:o,price:e,text:o===void 0?`rest${t.slice(r)}`:t}}function T(t,i){if(/^rest$/i.test(t))return;let r="a share such as 1/3, 25% or rest",o=/^(\d{1,6})\/(\d{1,6})$/.
exec(t),e=o===null?w(t,i,r):{part:Number(o[1]),of:Number(o[2])};if(e.part===0||e.of===0||e.part>e.of)throw m(`${i} is ${s(t)}; it must be above zero and at most all.`,`Write ${r}.`);return e}function w(t,i,r){
if(!t.endsWith("%"))throw m(`${i} is ${s(t)}, not a share.`,`Write ${r}.`);let o=t.slice(0,-1);h(o,i,r,"%");let[,e="",a=""]=/^\+?(\d{0,3})(?:\.(\d{0,4}))?$/.exec(o)??[];if(e+a==="")throw m(`${i} is ${s(
t)}; it has at most four decimals.`,`Write ${r}.`);return{part:+`${e}${a}`,of:100*10**a.length}}function x(t,i){let r="1%, or a distance in price such as 200";if(t===void 0)throw m(`${i} is missing.`,
`Write rest trail ${r}.`);return t.endsWith("%")?{unit:"percent",amount:d(f(t.slice(0,-1),i,r,"%"),t,i,`Write ${r}.`)}:{unit:"absolute",amount:f(t,i,r)}}function P(t,{breakEven:i,trail:r},o){if(t.length===
0&&r===void 0)throw m(`${o} has no target and no trail.`,`Write a plan such as ${l}.`);if(t.length>$)throw m(`${o} has ${t.length} targets; the maximum is ${$}.`);if(i&&t.length===0)throw m(`${o} has \
be, but no target.`,"be follows the first target.");let e=t.findIndex(({share:p})=>p===void 0);if(e>=0&&e<t.length-1)throw m(`${o} has a target after rest, which leaves nothing for it.`,"Write rest la\
st.");let[a,n]=y(t.flatMap(({share:p})=>p??[]));if(a>n)throw m(`The shares of ${o} exceed the position.`,"They may add up to at most 1.");if(a===n&&(e>=0||r!==void 0))throw m(`The shares of ${o} leave\
 no rest.`,"Make them smaller, or omit rest.");if(e>=0&&r!==void 0)throw m(`${o} has two parts for the rest.`,"Keep one of them.")}function y(t){return t.reduce(([i,r],{part:o,of:e})=>[i*BigInt(e)+BigInt(
o)*r,r*BigInt(e)],[0n,1n])}function W({targets:t,breakEven:i,trail:r}){return[...t.map(({text:o})=>o),...i?["be"]:[],...r===void 0?[]:[`rest trail ${B(r)}`]].join(" ")}function B({unit:t,amount:i}){return`${i}${t===
"percent"?"%":""}`}function L(t,i){let r=t.map(({share:p})=>p),[o,e]=y(r.flatMap(p=>p??[])),a=r.at(-1)===void 0||o===e,n=i;return r.map((p,u)=>{let c=u===r.length-1&&a?n:Number(BigInt(i)*BigInt(p.part)/
BigInt(p.of));return n-=c,c})}                                    

return{a:O,b:y,c:B,d:L}})