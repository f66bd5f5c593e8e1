(function(use,load,meta,require){"use strict";const {b:a,c:l,d:u,e:F}=use("chunk-DBAOAMJE.js");const {P:h,Pj:v,W:M,X:$}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                       var T=6e4,_=5e3,O=2e3,V=.8;async function A(o,m){let{examineVenues:t,unknownText:i}=await load  ("./recording-ZFXQE7OM.js"),p=v(o.variables,m===void 0?void 0:[m]),r=await t(p,o.settings.waitMs??T),s=[
"HTTPS_PROXY","https_proxy","HTTP_PROXY","http_proxy"].some(n=>o.variables[n]);return r.flatMap(n=>[...C(n,n.unknown.map(i)),a(`${n.venue} proxy`,s?"one is set":"none")])}function C(o,m){let{venue:t,problem:i,
feed:p,listed:r}=o;return i!==null||p===null?[u(`${t} list`,`${i}.`,"perp doctor shows whether its addresses can be reached.")]:[m.length===0?a(`${t} list`,$(r,"market")):l(`${t} list`,`${$(r,"market")}\
; unknown: ${m.join("; ")}.`,g),...q(o),...R(o),...H(o),I(o),N(o)]}var g="The venue has changed its messages. Send the output of perp doctor --live --json to the maintainers; it contains nothing priva\
te.";function q({venue:o,feed:m}){return m.connections.map(({name:t,wanted:i,confirmed:p,frames:r,garbled:s,reconnects:n,problem:e})=>{let c=`${p} of ${i} subscriptions, ${h(r)} frames, ${$(n,"reconne\
ct")}`,d=`${o} ${t} stream`;return p<i?u(d,`${c}${e===null?"":`; ${e}`}.`):s+n===0?a(d,c):l(d,`${c}, ${s} unreadable; ${e}.`)})}function R({venue:o,messages:m}){return m.map(({kind:t,count:i,missing:p,
unknown:r})=>{let s=[$(i,"message"),...p.length===0?[]:[`missing: ${p.join(", ")}`],...r.length===0?[]:[`unknown: ${r.join(", ")}`]],[n,e]=[`${o} ${t}`,s.join("; ")];return p.length>0?u(n,`${e}.`,g):i>
0&&r.length===0?a(n,e):l(n,`${e}.`,i===0?void 0:g)})}function H({markets:o}){return o.flatMap(m=>{let{marketId:t,state:i,gaps:p,gap:r,compared:s,equal:n,mostLagMs:e,prints:c,printCount:d,marks:f,marksProblem:k,
change:w}=m,j=e===null?"its messages have no time":`at most ${Math.round(e)} ms late`,x=`${s===0?"not compared":`${n} of ${s} comparisons equal`}, ${$(p,"gap")}, ${j}`,P=i==="live"&&n===s&&p===0&&(e??
0)<=_,E=i==="live"?"":` It is ${r===null?i:`in a gap (${r.reason})`}: ${m.problem??"no reason is known"}.`,b=`${h(d)} written, joined to the history ${$(c.joined,"time")}, ${c.lost} lost`,y=f===null?null:
`mark ${f.mark}, index ${f.index??"unknown"}, ${M(f.ageMs)} old`;return[P?a(`${t} book`,x):(i==="live"?l:u)(`${t} book`,`${x}.${E}`),...w===null?[]:[l(`${t} definition`,`${w}.`)],c.lost===0?a(`${t} pr\
ints`,b):u(`${t} prints`,`${b}.`),y!==null&&k===null?a(`${t} marks`,y):l(`${t} marks`,`${k??"none came"}.`)]})}function I({venue:o,feed:m}){let{weight:t,weightPerMinute:i,pausedUntil:p}=m.rest,r=`${t}\
 of ${i} a minute`;return p>0?l(`${o} limits`,`${r}; the venue asks to wait.`):t<=V*i?a(`${o} limits`,r):l(`${o} limits`,`${r}.`)}function N({venue:o,feed:m}){let{skewMs:t}=m;if(t===null)return l(`${o}\
 clock`,"not compared.");let i=`${Math.abs(t)} ms ${t<0?"behind":"ahead of"} this machine's`;return Math.abs(t)<=O?a(`${o} clock`,i):F(`${o} clock`,`${i}.`)}                          

return{followVenues:A}})