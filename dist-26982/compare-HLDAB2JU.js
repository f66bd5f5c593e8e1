(function(use,load,meta,require){"use strict";const {c:v,e:C,f:M}=use("chunk-XPG5ZVO7.js");use("chunk-WQC3BBXR.js");use("chunk-NULGIMYA.js");const {b:w}=use("chunk-6IH3AF5M.js");const {a:b}=use("chunk-UZUAC3JN.js");use("chunk-HDEVVJVD.js");const {X:$}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                              
                                                                                                var x=20;function P(c,a,o){let r=v([c,a]);if(r.columns.length<2)return`${r.variants.includes(c)?o[1]:o[0]} has no measured result: a trial of it failed, or its equity fell to zero or below.`;let t=Array.
from({length:r.periods},(p,e)=>e).filter(p=>r.runs.every(e=>e[p]>0));if(t.length<x)return`They ran together in only ${$(t.length,"period")}; ${x} are needed.`;let[s,u]=r.columns.map(p=>Float64Array.from(
t,e=>p[e]));if(s.every((p,e)=>p===u[e]))return"Both did exactly the same.";let{mean:h,sharpe:m,draws:y,block:g}=w(s,u),l=Math.sqrt(b(r.periodMs)),n=m&&{value:m.value*l,low:m.low*l,high:m.high*l},d=n??
h,f=d.low>0?"first":d.high<0?"second":null,i={mean:h,sharpe:n,periods:t.length,periodMs:r.periodMs,block:g,draws:y};return{...i,better:f,sentence:V({...i,better:f},o)}}function V({mean:c,sharpe:a,better:o},[
r,t]){let s=o==="second"?-1:1,u=o===null?`It is unclear whether ${r} or ${t} is better`:`${o==="first"?r:t} is better than ${o==="first"?t:r}`,{value:h,low:m,high:y}=a??c,g=s>0?[m,y]:[-y,-m],l=i=>a===
null?C(i):M(i),n=i=>`${l(Math.abs(i))} ${i<0?"lower":"higher"}`,d=a===null?"mean return of a period":"Sharpe ratio a year",f=o===null?`the ${d} of ${r}`:`its ${d}`;return`${u}: ${f} is ${n(s*h)}, with\
 a 95% interval from ${n(g[0])} to ${n(g[1])}.`}                             

return{compareVariants:P}})