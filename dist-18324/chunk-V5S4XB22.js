(function(use,load,meta,require){"use strict";const {a:I,b:N,c:x}=use("chunk-VX6PZ73V.js");const {a:g,b:v,c:F,e:q,f:S,g:V,h:B,j:P}=use("chunk-QKS5RODF.js");const {b:O,e:T}=use("chunk-HDEVVJVD.js");const {da:M}=use("chunk-AFUPYCZE.js");
                                                                                                                                                                                              
                                         function D(t,r){let e=t.map(m=>_(m,r)),n=Math.floor(t[0].length/r)*r/2,i=[],l=0,s=new Float64Array(t.length),a=new Float64Array(t.length);for(let m of G(r)){for(let f=0;f<t.length;f+=1){let{first:h,second:b,
total:y,totalSquares:p}=e[f],[u,c]=[0,0];for(let k of m)u+=h[k],c+=b[k];s[f]=R(u,c,n),a[f]=R(y-u,p-c,n)}let d=W(s);i.push([s[d],a[d]]),Y(a,d)/(t.length+1)<=.5&&(l+=1)}return{probability:l/i.length,pairs:i}}
function _(t,r){let e=Math.floor(t.length/r),o=t.length-e*r,[n,i]=[new Float64Array(r),new Float64Array(r)],[l,s]=[0,0];for(let a=0;a<r;a+=1){for(let m=o+a*e;m<o+(a+1)*e;m+=1)n[a]+=t[m],i[a]+=t[m]**2;
l+=n[a],s+=i[a]}return{first:n,second:i,total:l,totalSquares:s}}function*G(t){let r=t/2,e=Array.from({length:r},(o,n)=>n);for(;;){yield e;let o=r-1;for(;o>=0&&e[o]===t-r+o;)o-=1;if(o<0)return;e[o]+=1;
for(let n=o+1;n<r;n+=1)e[n]=e[n-1]+1}}function R(t,r,e){let o=(r-t*t/e)/(e-1);return o<=r/e*1e-12?0:t/e/Math.sqrt(o)}function W(t){let r=0;for(let e=1;e<t.length;e+=1)t[e]>t[r]&&(r=e);return r}function Y(t,r){
let[e,o]=[0,0];for(let n of t)n<t[r]?e+=1:n===t[r]&&(o+=1);return e+(o+1)/2}var j=4999,H=499,U=1e9;function z(t,r,e=J(t)){let o=t[0].length,n=t.map(K),i=n.map(p=>p.reduce((u,c)=>u+c,0)),l=i.reduce((p,u,c)=>u>
i[p]?c:p,0),s=i[l],a=new Float64Array(o),m=new Float64Array(e),d=T(1,"lab","signs");for(let p=0;p<e;p+=1){for(let u=0;u<o;u+=1)d=O(d),a[u]=d<0?-1:1;m[p]=n.reduce((u,c)=>Math.max(u,C(c,a)),Number.NEGATIVE_INFINITY)}
let f=m.filter(p=>p>=s-1e-12).length,h=m.sort()[Math.floor((1-r)*e)],b=Math.log(1-r)/Math.log(B(h)),y=Math.max(1,Math.min(t.length,b));return{best:l,score:s,probability:(f+1)/(e+1),needed:h,independent:y,
draws:e}}function J(t){let r=t.length*t[0].length;return Math.round(Math.max(H,Math.min(j,U/r)))}function K(t){let r=Math.sqrt(C(t,t));return r===0?t:t.map(e=>e/r)}function C(t,r){let e=0;for(let o=0;o<
t.length;o+=1)e+=t[o]*r[o];return e}var w=.02,Q=.95,E=20,X=16,Z=4;function bt(t){let r=I(t.filter(({spec:d})=>d.fold?.sample!=="in")),e=x(r),o={trials:t.length,failed:t.filter(d=>!N(d)).length,variants:r.length,periods:e.periods,periodMs:e.
periodMs};if(e.variants.length===0||e.periods===0)return{...o,...tt,missing:rt(t)};let n=z(e.columns,w),i=et(e,n.best),l=r.length/e.variants.length,s=1-(1-n.probability)**l,a=ot(i,e),m=Math.sqrt(g(e.periodMs));
return{...o,best:i,isFound:a===null&&s<=w&&i.probabilistic>=Q,luck:i.changes===0?null:s,needed:n.needed===0?null:m*n.needed/Math.sqrt(e.periods),independent:n.independent*l,...nt(e,n.best,r.length),overfitting:it(
e),missing:a}}var tt={best:null,isFound:!1,luck:null,needed:null,independent:null,deflated:null,expected:null,overfitting:null};function rt(t){return t.length===0?"there are no trials":t.every(({result:r})=>r.
status==="failed")?"every trial failed":"no variant has a measured result: trials failed, or equity fell to zero or below"}function et({variants:t,columns:r,periodMs:e},o){let n=v(r[o]),i=F(n);return{
variant:t[o],sharpe:i===null?null:i*Math.sqrt(g(e)),probabilistic:i===null?null:q({...n,sharpe:i},0),changes:r[o].reduce((l,s)=>l+(s===0?0:1),0)}}function ot({sharpe:t,changes:r},{columns:e}){let o=e.
some(n=>n.some(i=>i!==0));return r===0?o?"no variant that traded made a gain":"no variant traded":t===null?"the returns of the best variant are all the same, so it has no Sharpe ratio":r<E?`equity cha\
nged in only ${M(r,"period")}; ${E} are needed`:null}function nt({columns:t,periodMs:r},e,o){let n=t.map(a=>{let m=v(a),d=F(m);return d===null?null:{...m,sharpe:d}}),i=n.flatMap(a=>a===null?[]:[a.sharpe]),
l=i.length<2?0:v(i).deviation**2,s=n[e];return{deflated:s===null?null:V(s,o,l),expected:S(o,l)*Math.sqrt(g(r))}}function it({columns:t,runs:r,periods:e}){let o=s=>r[s].every(a=>a>0),n=t.filter((s,a)=>o(
a)&&s.some(m=>m!==0)),i=Math.min(X,2*Math.floor(e/Z/2));if(n.length<2||i<4)return null;let{probability:l}=D(n,i);return{probability:l,variants:n.length,parts:i,unused:e%i}}function $(t){let r=t*100;return r>
0&&r<.1?"less than 0.1%":`${Math.abs(r)>=10?Math.round(r):Number(r.toPrecision(2))}%`}var at=new Intl.NumberFormat("en-US",{minimumFractionDigits:2,maximumFractionDigits:2});function A(t){return t===null?
"-":at.format(t)}function yt(t){let{best:r,isFound:e,luck:o,needed:n,missing:i,variants:l}=t,s=e?"Distinguishable from luck":"Not distinguishable from luck";if(i!==null||r===null)return`${s}: ${i??"no\
thing was measured"}.`;let m=`${l===1?"the only variant":`the best of ${l} variants`} has a Sharpe ratio of ${A(r.sharpe)} a year`,f=`${l===1?"luck alone does as well":"luck alone gives the best of th\
em as much"} in ${$(o)} of sweeps`;return e?`${s}: ${m}, and ${f}.`:o>w?`${s}: ${m}, and ${f}. ${$(w)} or less is needed, which takes a Sharpe ratio of ${A(n)} here.`:`${s}: ${m}, but its returns are \
so uneven that it is above zero with a probability of only ${$(r.probabilistic)}.`}function gt({overfitting:t}){if(t===null)return;let{probability:r,variants:e,parts:o,unused:n}=t,i=n===1?"first perio\
d is":`first ${n} periods are`,l=n===0?"":` (${o} equal parts; the ${i} left out)`,s=`in ${$(r)} of the ways to split the time${l}, the best of ${e} variants in one half is at or below their median in\
 the other`;return r>=.5?`Choosing by these results is worth nothing: ${s}.`:r>.1?`Choosing by these results is worth little: ${s}.`:`Choosing by these results holds up: ${s}.`}var L=20;function $t(t,r,e){
let o=x([t,r]);if(o.columns.length<2)return`${o.variants.includes(t)?e[1]:e[0]} has no measured result: a trial of it failed, or its equity fell to zero or below.`;let n=Array.from({length:o.periods},
(u,c)=>c).filter(u=>o.runs.every(c=>c[u]>0));if(n.length<L)return`They ran together in only ${M(n.length,"period")}; ${L} are needed.`;let[i,l]=o.columns.map(u=>Float64Array.from(n,c=>u[c]));if(i.every(
(u,c)=>u===l[c]))return"Both did exactly the same.";let{mean:s,sharpe:a,draws:m,block:d}=P(i,l),f=Math.sqrt(g(o.periodMs)),h=a&&{value:a.value*f,low:a.low*f,high:a.high*f},b=h??s,y=b.low>0?"first":b.high<
0?"second":null,p={mean:s,sharpe:h,periods:n.length,periodMs:o.periodMs,block:d,draws:m};return{...p,better:y,sentence:st({...p,better:y},e)}}function st({mean:t,sharpe:r,better:e},[o,n]){let i=e==="s\
econd"?-1:1,l=e===null?`It is unclear whether ${o} or ${n} is better`:`${e==="first"?o:n} is better than ${e==="first"?n:o}`,{value:s,low:a,high:m}=r??t,d=i>0?[a,m]:[-m,-a],f=p=>r===null?$(p):A(p),h=p=>`${f(
Math.abs(p))} ${p<0?"lower":"higher"}`,b=r===null?"mean return of a period":"Sharpe ratio a year",y=e===null?`the ${b} of ${o}`:`its ${b}`;return`${l}: ${y} is ${h(i*s)}, with a 95% interval from ${h(
d[0])} to ${h(d[1])}.`}                                                      

return{a:bt,b:$,c:A,d:yt,e:gt,f:$t}})