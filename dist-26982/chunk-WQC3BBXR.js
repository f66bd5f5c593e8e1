(function(use,load,meta,require){"use strict";const {a:E,b:U,c:F,d:g,e:J}=use("chunk-NULGIMYA.js");const {P:R,S:$,U:T,W:x,Wf:G,X:S,g:I,h:Y,sd:y,td:q,ud:z,vd:M}=use("chunk-KBEGXUNB.js");
                                                                                                                                                                                              function K({across:e,columns:t,down:a,rows:n,cells:r}){let s=Math.max(1e-9,...r.flat().map(({value:l})=>Math.abs(l??0))),o=n.map((l,m)=>{let h=t.map((i,p)=>{let{value:d,count:f}=r[m][p],b=d===null?"":
d.toFixed(Math.abs(d)>=100?0:Math.abs(d)>=10?1:2),A=[`${e} ${i}`,...a===""?[]:[`${a} ${l}`]].join(", "),oe=d===null?"no Sharpe ratio":`Sharpe ${b}`,se=`${A}: ${oe}, ${f} variant${f===1?"":"s"}`,ie=d===
null?"":` style="--share:${(6+44*Math.abs(d)/s).toFixed(1)}%"`;return`<td class="${d===null?"none":d>=0?"good":"bad"}"${ie} title="${g(se)}">${b}</td>`});return`<tr><th>${g(O(l))}</th>${h.join("")}</t\
r>`}),c=a===""?"":`${g(O(a))} &darr;&ensp;`,u=t.map(l=>`<th>${g(O(l))}</th>`).join("");return`<div class="table heat"><table><thead><tr><th>${c}${g(O(e))} &rarr;</th>${u}</tr></thead><tbody>${o.join(`\

`)}</tbody></table></div>`}function O(e){return e.length>24?`${e.slice(0,22)}..`:e}function X({bands:e,middle:t,best:a}){let{points:n,ticks:r}=Q([...a,...t??[],...e.flatMap(({low:u,high:l})=>[...u,...l])]),
s=e.map(({low:u,high:l})=>`<polygon class="band" points="${[...n(l),...[...n(u)].reverse()].join(" ")}"/>`),o=(u,l)=>`<polyline class="${l}" points="${n(u).join(" ")}"/>`,c=`${t===null?"":o(t,"middle")}${o(
a,"best")}`;return ee("tall",r,s.join("")+c,"Equity of all variants")}function Z(e){let{points:t,ticks:a}=Q(e),n=t(e.map(()=>0));return ee("low",a,`<polygon class="fall" points="${[...t(e),n.at(-1),n[0]].
join(" ")}"/>`,"Drawdown")}var w=1e3;function Q(e){let t=e.reduce(([h,i],p)=>[Math.min(h,p),Math.max(i,p)],[0,0]),a=t[0]===t[1],[n,r]=a?[-.001,.001]:[t[0],t[1]],s=.03,o=h=>s+(r-h)/(r-n)*(1-2*s),c=a?1:
j((r-n)/4),u=Math.max(0,Math.ceil(-Math.log10(c*100)-1e-9)),l=[];for(let h=Math.ceil(n/c-1e-9);h*c<=r+c*1e-9;h+=1){let i=`${(h*c*100).toFixed(u)}%`;l.push({at:(o(h*c)*100).toFixed(2),text:h===0?"0%":i})}
return{points:h=>h.map((i,p)=>`${(w*p/Math.max(1,h.length-1)).toFixed(1)},${(w*o(i)).toFixed(1)}`),ticks:l}}function j(e){let t=10**Math.floor(Math.log10(e));return[1,2,5,10].map(a=>a*t).find(a=>a>=e*
(1-1e-9))??e}function ee(e,t,a,n){let r=t.map(({at:o})=>`<line class="grid" x1="0" x2="${w}" y1="${o}%" y2="${o}%"/>`),s=t.map(({at:o,text:c})=>`<span style="top:${o}%">${c}</span>`);return`<div class\
="plot ${e}">${s.join("")}<svg viewBox="0 0 ${w} ${w}" preserveAspectRatio="none" role="img" aria-label="${g(n)}">${r.join("")}${a}</svg></div>`}var te=`
.plot { position: relative; margin-left: 60px; }
.plot svg { position: absolute; width: 100%; height: 100%; }
.plot span { position: absolute; right: calc(100% + 8px); transform: translateY(-50%); font-size: 12px; color: var(--faint); font-variant-numeric: tabular-nums; }
.plot * { vector-effect: non-scaling-stroke; }
.plot .grid { stroke: var(--line); }
.plot .band { fill: var(--faint); fill-opacity: 0.18; }
.plot .middle { fill: none; stroke: var(--faint); stroke-width: 1.5; stroke-dasharray: 4 3; }
.plot .best { fill: none; stroke: var(--good); stroke-width: 2; }
.plot .fall { fill: var(--bad); fill-opacity: 0.35; stroke: var(--bad); }
.heat table { width: auto; border-collapse: separate; border-spacing: 2px; }
.heat th, .heat td:last-child, .heat td { padding: 5px 8px; border: 0; text-align: center; min-width: 46px; white-space: nowrap; overflow-wrap: normal; }
.heat th:first-child { text-align: right; }
.heat .good { background: color-mix(in srgb, var(--good) var(--share), var(--background)); }
.heat .bad { background: color-mix(in srgb, var(--bad) var(--share), var(--background)); }
.heat .none { outline: 1px solid var(--line); outline-offset: -1px; }
.table td:last-child:not(.number) span:not(:empty) { display: inline-block; min-width: 260px; }
.verdict { border-left: 4px solid var(--faint); padding: 2px 12px; margin: 16px 0; }
.verdict.good { border-color: var(--good); }
.verdict.bad { border-color: var(--bad); }
.verdict p { margin: 6px 0; }
ul.criteria { list-style: none; padding: 0; }
@media print { .heat td { print-color-adjust: exact; } }
`;function v(e,t){let{id:a,strategy:n,parameters:r,plan:s,think:o,sample:c,chosen:u,trials:l,failed:m,problem:h,...i}=e,p=t.judged.get(a);return{id:a,strategy:n,parameters:r,plan:s,think:o,sample:c,chosen:u,
trials:l,failed:m,problem:h,return:i.gain,sharpe:i.sharpe,max_drawdown:i.drawdown,trips:i.trips,win_rate:i.wins,fees:i.fees,carry:i.carry,volume:i.volume,breaches:i.breaches,criteria_met:p===void 0?null:
p.every(({isMet:d})=>d),found:(t.found.get(a)??[]).map(({status:d,sentence:f,at:b})=>({status:d,sentence:f,at:b}))}}async function Ee(e){let{verdictSentence:t,overfittingSentence:a}=await load  ("./verdict-MI2RQIFP.js"),
{proofSentence:n}=await load  ("./study-HRINRUWZ.js"),{verdict:r,best:s,results:o}=e.results;return{verdict:{found:r.isFound,sentence:t(r),trials:r.trials,failed:r.failed,variants:r.variants,independent_variants:r.
independent,best:s?.id??null,sharpe:r.best?.sharpe??null,probabilistic_sharpe:r.best?.probabilistic??null,luck:r.luck,sharpe_needed:r.needed,deflated_sharpe:r.deflated,sharpe_expected_by_luck:r.expected,
overfitting:r.overfitting?.probability??null,overfitting_sentence:a(r)??null,periods:r.periods,period_ms:r.periodMs},proof:{tried:e.proofs.size,sentence:n(e)},criteria:le(e),variants:[...o].sort(k).map(
c=>v(c,e))}}function le({sealed:e,sealRemark:t,judged:a,results:{best:n}}){if(e===null)return null;let r=n===null?void 0:a.get(n.id);return{hash:e.criteria.hash,sealed_at:e.sealedAt,after_trials:e.afterTrials,
remark:t??null,met:r?.every(({isMet:s})=>s)??!1,list:e.criteria.list.map(({text:s},o)=>({criterion:s,value:r?.[o]?.value??null,met:r?.[o]?.isMet??!1}))}}function k(e,t){return(t.sharpe??Number.NEGATIVE_INFINITY)-
(e.sharpe??Number.NEGATIVE_INFINITY)||0}function N({parameters:e,sample:t,chosen:a}){if(t==="out")return`as chosen by ${a?.split(" ")[0]??"the best"}, out of sample`;let n=Object.entries(e).map(([r,s])=>`${r}\
=${s}`);return`${n.length===0?"no parameters":n.join(" ")}${t==="in"?", in sample":""}`}async function Fe(e,t){let{asFileError:a,TrialsFile:n,TrialsFileError:r}=await load  ("./trials-file-7MTD2UM6.js"),
{readStudy:s}=await load  ("./study-HRINRUWZ.js");return e.person.during("Reading trials",async()=>{try{let o=n.open(t,{readOnly:!0});try{return s(o)}finally{o.close()}}catch(o){let c=a(t,o);throw c instanceof
r?I(c.message,"perp lab run writes trials files."):c}})}async function Oe(e,t){let{namedVariant:a}=await load  ("./study-HRINRUWZ.js"),n=a(e,t);if(n.length===1)return n[0];let r="perp lab show F\
ILE lists variants with their ids.";if(n.length===0)throw Y(`No variant is named ${JSON.stringify(t)}.`,r);let s=n.slice(0,5).map(({result:o})=>o.id).join(", ");throw I(`${JSON.stringify(t)} names ${n.
length} variants: ${s}${n.length>5?", ...":""}.`,r)}var V=(e,t)=>e===null?"-":t(e);function ce(e){return V(e,t=>`${t>0?"+":""}${(t*100).toFixed(2)}%`)}function _(e){return V(e,t=>t.toFixed(2))}function P(e){return V(e,t=>`${(t*100).toFixed(t>0&&t<.1?1:
0)}%`)}function de({found:e,failed:t,trials:a,breaches:n,problem:r,criteria_met:s}){return e.length>0?{text:e[0].status,tone:"bad"}:t>0?{text:`${t} of ${a} failed: ${r??""}`,tone:"bad"}:n>0?{text:`${n}\
 of ${a} breached`,tone:"warn"}:s===null?"":s?{text:"meets the criteria",tone:"good"}:""}var D=[{header:"ID",cell:({id:e})=>e},{header:"PARAMETERS",cell:e=>N(e)},{header:"STRATEGY",cell:({strategy:e})=>e,
keep:1},{header:"PLAN",cell:({plan:e})=>e,keep:0},{header:"TRIALS",cell:({trials:e})=>String(e),align:"right",keep:3},{header:"RETURN",cell:e=>ne(ce(e.return),e.return),align:"right",keep:7},{header:"\
SHARPE",cell:({sharpe:e})=>ne(_(e),e),align:"right",keep:9},{header:"DRAWDOWN",cell:e=>V(e.max_drawdown,t=>`${(t*100).toFixed(2)}%`),align:"right",keep:6},{header:"TRIPS",cell:({trips:e})=>String(e),align:"\
right",keep:5},{header:"WINS",cell:e=>P(e.win_rate),align:"right",keep:2},{header:"FEES",cell:({fees:e})=>$(e),align:"right",keep:4},{header:"",cell:de,keep:8}];function ne(e,t){return t===null||t===0?
e:{text:e,tone:t>0?"good":"bad"}}function Ae(e,t,a){let n=[...e.results.results].sort(k).map(o=>v(o,e)),r=n.slice(0,a),s=n.length-r.length;return[...n.length===0?[]:[z(r,D)],...s>0?[y({text:`${s} more\
; --limit ${n.length} shows all.`,tone:"faint"})]:[],...n.length===0?[]:[M],...ue(t)]}function ue({verdict:e,proof:t,criteria:a}){let n=t.sentence.startsWith("Don't");return[...n?[y({text:t.sentence,tone:"\
bad"})]:[],y({text:e.sentence,tone:e.found&&!n?"good":"warn"}),...e.overfitting_sentence===null?[]:[y(e.overfitting_sentence)],...n?[]:[y(t.sentence)],M,q(...H(e)),...a===null?[]:[M,...pe(a)]]}function H(e){
let{trials:t,failed:a,variants:n,independent_variants:r}=e,s=r===null||n<2?"":`, as many as ${S(Math.round(r),"independent one")}`,o=(c,u)=>c===null?void 0:u;return[["trials",`${t}${a>0?`, ${a} not me\
asured`:""}`],["variants",`${n}${s}`],["best Sharpe",o(e.sharpe,`${_(e.sharpe)} a year`)],["needed",o(e.sharpe_needed,`${_(e.sharpe_needed)} a year, to be 2% or less of luck`)],["luck",o(e.luck,P(e.luck))],
["deflated Sharpe",o(e.deflated_sharpe,_(e.deflated_sharpe))],["overfitting",o(e.overfitting,P(e.overfitting))],["returns",e.periods===0?void 0:`${e.periods}, each of ${x(e.period_ms)}`]]}function pe({
met:e,remark:t,hash:a,list:n,after_trials:r}){return[y({text:e?"Meets the criteria":"Does not meet the criteria",tone:e?"good":"bad"}),...n.map(s=>y(s.met?"  met     ":{text:"  missed  ",tone:"bad"},B(
s))),t===null?y({text:`  sealed before the first trial: ${a.slice(0,16)}`,tone:"faint"}):y({text:`  ${t}`,tone:r>0?"bad":"warn"})]}function B({criterion:e,value:t}){return t===null?`${e}: not known`:`${e}\
: ${e.endsWith("%")?`${(t*100).toFixed(2)}%`:t.toLocaleString("en-US",{maximumFractionDigits:4})}`}var C=200,L=500,re=12,he=24;function We(e,t,a){let{best:n,variants:r,table:s}=e.results,o=[...new Set(e.results.results.map(({strategy:d})=>d))].join(", "),c=`${o===""?"No strategy":o}: trials`,u=[...e.
results.results].sort(k),l=r.flatMap(d=>d.trials),m=l.length===0?a:`${a}: ${ve(l)}`,h=ge(u),i=r.find((d,f)=>e.results.results[f]===n),p=i===void 0?-1:s.variants.indexOf(i);return`${J(c,"default-src 'n\
one'; style-src 'unsafe-inline'",te)}
<p class="faint">${g(m)}</p>
${me(t)}
${U(H(t.verdict).flatMap(([d,f])=>f===void 0?[]:[[d,f]]))}
${fe(t)}
${h===null?"":`<section><h2>Sharpe ratio by parameters</h2>${K(h.heatmap)}<p class="faint">${g(h.remark)}</p></section>`}
${p<0?"":be(e,p)}
${F(E(u.length>C?`The best ${C} of ${u.length} variants`:"Variants",D,u.slice(0,C).map(d=>v(d,e))))}
${F(E("Costs",xe,u.slice(0,C).filter(({volume:d})=>d>0)))}
${i===void 0?"":Se(i.trials)}
<footer>
<p>Meaning and limits of each figure: docs/lab.md of perp. Sharpe ratios are a year of 365 days of 24 hours.</p>
</footer>
</main>
</body>
</html>
`}function me({verdict:e,proof:t}){let a=t.sentence.startsWith("Don't"),n=a?"bad":e.found?"good":"",r=[e.sentence,e.overfitting_sentence,t.sentence].filter(o=>o!==null),s=(a?r.reverse():r).map((o,c)=>c===
0?`<p><strong>${g(o)}</strong></p>`:`<p>${g(o)}</p>`);return`<div class="verdict ${n}">${s.join("")}</div>`}function fe({criteria:e}){if(e===null)return"";let t=e.list.map(r=>`<li><span data-tone="${r.
met?"good":"bad"}">${r.met?"met":"missed"}</span> ${g(B(r))}</li>`),a=e.remark??`Sealed before the first trial, SHA-256 ${e.hash}.`;return`<section><h2>${e.met?"The criteria are met":"The criteria are\
 not met"}</h2><ul class="criteria">${t.join("")}</ul><p class="faint">${g(a)}</p></section>`}function ge(e){let t=e.filter(({sample:i})=>i!=="out"),a=[...new Set(t.flatMap(({parameters:i})=>Object.keys(
i)))].filter(i=>ae(t,i).length>1),[n,r]=a.map(i=>({name:i,...ye(ae(t,i))})).filter(({steps:i})=>i.length>1&&i.length<=he).sort((i,p)=>p.steps.length-i.steps.length);if(n===void 0)return null;let s=r?.
steps??[""],o=new Map,c=(i,p)=>JSON.stringify([i,p]);for(let{parameters:i,sharpe:p}of t){let d=c(n.stepOf(i[n.name]),r?.stepOf(i[r.name])??""),{sum:f,known:b,count:A}=o.get(d)??{sum:0,known:0,count:0};
o.set(d,{sum:f+(p??0),known:b+(p===null?0:1),count:A+1})}let u=s.map(i=>n.steps.map(p=>{let{sum:d,known:f,count:b}=o.get(c(p,i))??{sum:0,known:0,count:0};return{value:f===0?null:d/f,count:b}})),l=a.filter(
i=>i!==n.name&&i!==r?.name);new Set(t.map(({plan:i})=>i)).size>1&&l.push("plan");let m="A good region is wide: a lone good cell among bad ones is luck.",h=l.length===0?m:`Means over ${l.join(", ")}. ${m}`;
return{heatmap:{across:n.name,columns:n.steps,down:r?.name??"",rows:s,cells:u},remark:h}}function ae(e,t){return[...new Set(e.map(({parameters:n})=>n[t]))].filter(n=>n!==void 0).sort((n,r)=>typeof n==
"number"&&typeof r=="number"?n-r:String(n)<String(r)?-1:1)}function ye(e){let t=e.filter(l=>typeof l=="number");if(e.length<=re||t.length<e.length)return{steps:e.map(String),stepOf:String};let a=t.every(
Number.isInteger),n=Math.max(j((t.at(-1)-t[0])/re),a?1:0),r=l=>Math.floor(l/n+1e-9),s=l=>String(Number(l.toPrecision(12))),o=l=>{let m=Math.min(a?(l+1)*n-1:(l+1)*n,t.at(-1));return m<=l*n?s(m):`${s(l*
n)}..${s(m)}`},c=r(t[0]),u=r(t.at(-1))-c+1;return{steps:Array.from({length:u},(l,m)=>o(c+m)),stepOf:l=>o(r(Number(l)))}}function be({results:{table:e}},t){let a=e.columns.map($e),n=m=>Array.from({length:e.
periods+1},(h,i)=>{let p=a.map(d=>d[i]).sort((d,f)=>d-f);return p[Math.round(m*(p.length-1))]}),r=a.length>=3,s={bands:r?[{low:n(.05),high:n(.95)},{low:n(.25),high:n(.75)}]:[],middle:r?n(.5):null,best:a[t]},
o=1,c=a[t].map(m=>(o=Math.max(o,1+m),(1+m)/o-1)),u=r?`, the dashed one the median of ${a.length}; half of them are in the darker band, nine of ten in the lighter one`:"",l=`The line is the ${a.length===
1?"only":"best"} variant${u}. ${S(e.periods,"period")} of ${x(e.periodMs)}, of all markets in the order of their time.`;return`<section><h2>Equity</h2>${X(s)}<p class="faint">${g(l)}</p></section>
<section><h2>Drawdown of the best variant</h2>${Z(c)}</section>`}function $e(e){let t=[0],a=1;for(let n of e)a*=1+n,t.push(a-1);return t}var W=(e,t)=>({header:e,cell:a=>$(t(a)),align:"right"}),xe=[{header:"\
ID",cell:({id:e})=>e},{header:"PARAMETERS",cell:e=>N(e)},W("VOLUME",({volume:e})=>e),W("FEES",({fees:e})=>e),W("CARRY",({carry:e})=>e),{header:"FEES / VOLUME",cell:({fees:e,volume:t})=>`${(e/t*1e4).toFixed(
2)} bps`,align:"right"}];function Se(e){let t=e.flatMap(({spec:{source:s},result:{trips:o}})=>{let c=s.kind==="tape"?s.name:`synthetic ${s.seed}`;return o.map(u=>({...u,on:c}))}),a=[...new Set(t.map(({
on:s})=>s))];if(a.length===0)return'<section><h2>Trades</h2><p class="faint">The best variant did not trade.</p></section>';t.sort((s,o)=>a.indexOf(s.on)-a.indexOf(o.on)||o.openedAt-s.openedAt);let n=we.
filter(({header:s})=>s!=="ON"||a.length>1),r="Trades of the best variant";return F(E(t.length>L?`${r}: ${L} of ${t.length}`:r,n,t.slice(0,L)))}var we=[{header:"ON",cell:({on:e})=>e},{header:"OPENED",cell:({
openedAt:e})=>T(e)},{header:"LENGTH",cell:({openedAt:e,closedAt:t})=>t===null?"open":x(t-e),align:"right"},{header:"MARKET",cell:({market:e})=>e},{header:"SIDE",cell:({side:e})=>e},{header:"SIZE",cell:({
size:e})=>R(e),align:"right"},{header:"ENTRY",cell:({entry:e})=>R(e),align:"right"},{header:"EXIT",cell:({exit:e})=>e===null?"":R(e),align:"right"},{header:"FEES",cell:({fees:e})=>$(e),align:"right"},
{header:"NET",cell:e=>{let t=G(e);return{text:$(t),tone:t<0?"bad":"good"}},align:"right"}];function ve(e){let t=e.reduce((n,{spec:r})=>Math.min(n,r.from),Number.POSITIVE_INFINITY),a=e.reduce((n,{spec:r})=>Math.
max(n,r.to),0);return`${S(e.length,"trial")} between ${T(t)} and ${T(a)}`}                                                              

return{a:D,b:Ae,c:v,d:Ee,e:Fe,f:Oe,g:We}})