(function(use,load,meta,require){"use strict";const {a:O,b:S,c:X,d:N,e:y,f:Z}=use("chunk-3QKAVO3O.js");const {Sd:w,Td:J,Ud:K,V:M,Vd:F,W:$,Z:x,aa:E,ca:v,da:k,g:P,h:U,zg:D}=use("chunk-AFUPYCZE.js");
                                                                                                                                                                                                               var _=(e,t)=>$(e,t)??"-";function ie(e){return _(e,t=>`${t>0?"+":""}${(t*100).toFixed(2)}%`)}function V(e){return _(e,t=>t.toFixed(2))}function B(e){return _(e,t=>`${(t*100).toFixed(t>0&&t<.1?1:0)}%`)}
function le({found:e,failed:t,trials:a,breaches:n,problem:r,criteria_met:i}){return e.length>0?{text:e[0].status,tone:"bad"}:t>0?{text:`${t} of ${a} failed: ${r??""}`,tone:"bad"}:n>0?{text:`${n} of ${a}\
 breached`,tone:"warn"}:i===null?"":i?{text:"meets the criteria",tone:"good"}:""}var H=[{header:"ID",cell:({id:e})=>e},{header:"PARAMETERS",cell:e=>Y(e)},{header:"STRATEGY",cell:({strategy:e})=>e,keep:1},
{header:"PLAN",cell:({plan:e})=>e,keep:0},{header:"TRIALS",cell:({trials:e})=>String(e),align:"right",keep:3},{header:"RETURN",cell:e=>Q(ie(e.return),e.return),align:"right",keep:7},{header:"SHARPE",cell:({
sharpe:e})=>Q(V(e),e),align:"right",keep:9},{header:"DRAWDOWN",cell:e=>_(e.max_drawdown,t=>`${(t*100).toFixed(2)}%`),align:"right",keep:6},{header:"TRIPS",cell:({trips:e})=>String(e),align:"right",keep:5},
{header:"WINS",cell:e=>B(e.win_rate),align:"right",keep:2},{header:"FEES",cell:({fees:e})=>x(e),align:"right",keep:4},{header:"",cell:le,keep:8}];function Q(e,t){return t===null||t===0?e:{text:e,tone:t>
0?"good":"bad"}}function Ne(e,t,a){let n=[...e.results.results].sort(C).map(o=>A(o,e)),r=n.slice(0,a),i=n.length-r.length;return[K(r,H),i>0?w({text:`${i} more; --limit ${n.length} shows all.`,tone:"fa\
int"}):void 0,n.length===0?void 0:F,ce(t)]}function ce({verdict:e,proof:t,criteria:a}){let n=t.sentence.startsWith("Don't");return[n?w({text:t.sentence,tone:"bad"}):void 0,w({text:e.sentence,tone:e.found&&
!n?"good":"warn"}),$(e.overfitting_sentence,w),n?void 0:w(t.sentence),F,J(...L(e)),a&&[F,de(a)]]}function L(e){let{trials:t,failed:a,variants:n,independent_variants:r}=e,i=r===null||n<2?"":`, as many \
as ${k(Math.round(r),"independent one")}`;return[["trials",`${t}${a>0?`, ${a} not measured`:""}`],["variants",`${n}${i}`],["best Sharpe",$(e.sharpe,o=>`${V(o)} a year`)],["needed",$(e.sharpe_needed,o=>`${V(
o)} a year, to be 2% or less of luck`)],["luck",$(e.luck,B)],["deflated Sharpe",$(e.deflated_sharpe,V)],["overfitting",$(e.overfitting,B)],["returns",e.periods===0?void 0:`${e.periods}, each of ${v(e.
period_ms)}`]]}function de({met:e,remark:t,hash:a,list:n,after_trials:r}){return[w({text:e?"Meets the criteria":"Does not meet the criteria",tone:e?"good":"bad"}),n.map(i=>w(i.met?"  met     ":{text:"\
  missed  ",tone:"bad"},W(i))),t===null?w({text:`  sealed before the first trial: ${a.slice(0,16)}`,tone:"faint"}):w({text:`  ${t}`,tone:r>0?"bad":"warn"})]}function W({criterion:e,value:t}){return t===
null?`${e}: not known`:`${e}: ${e.endsWith("%")?`${(t*100).toFixed(2)}%`:t.toLocaleString("en-US",{maximumFractionDigits:4})}`}function A(e,t){let{id:a,strategy:n,parameters:r,plan:i,think:o,sample:c,
chosen:u,trials:l,failed:m,problem:h,...s}=e,p=t.judged.get(a);return{id:a,strategy:n,parameters:r,plan:i,think:o,sample:c,chosen:u,trials:l,failed:m,problem:h,return:s.gain,sharpe:s.sharpe,max_drawdown:s.
drawdown,trips:s.trips,win_rate:s.wins,fees:s.fees,carry:s.carry,volume:s.volume,breaches:s.breaches,criteria_met:p===void 0?null:p.every(({isMet:d})=>d),found:(t.found.get(a)??[]).map(({status:d,sentence:f,
at:b})=>({status:d,sentence:f,at:b}))}}async function Ve(e){let{verdictSentence:t,overfittingSentence:a}=await load  ("./verdict-Q7BXBNKH.js"),{proofSentence:n}=await load  ("./study-6VLS5GX7.js"),
{verdict:r,best:i,results:o}=e.results;return{verdict:{found:r.isFound,sentence:t(r),trials:r.trials,failed:r.failed,variants:r.variants,independent_variants:r.independent,best:i?.id??null,sharpe:r.best?.
sharpe??null,probabilistic_sharpe:r.best?.probabilistic??null,luck:r.luck,sharpe_needed:r.needed,deflated_sharpe:r.deflated,sharpe_expected_by_luck:r.expected,overfitting:r.overfitting?.probability??null,
overfitting_sentence:a(r)??null,periods:r.periods,period_ms:r.periodMs},proof:{tried:e.proofs.size,sentence:n(e)},criteria:ue(e),variants:[...o].sort(C).map(c=>A(c,e))}}function ue({sealed:e,sealRemark:t,
judged:a,results:{best:n}}){if(e===null)return null;let r=n===null?void 0:a.get(n.id);return{hash:e.criteria.hash,sealed_at:e.sealedAt,after_trials:e.afterTrials,remark:t??null,met:r?.every(({isMet:i})=>i)??
!1,list:e.criteria.list.map(({text:i},o)=>({criterion:i,value:r?.[o]?.value??null,met:r?.[o]?.isMet??!1}))}}function C(e,t){return(t.sharpe??Number.NEGATIVE_INFINITY)-(e.sharpe??Number.NEGATIVE_INFINITY)||
0}function Y({parameters:e,sample:t,chosen:a}){if(t==="out")return`as chosen by ${a?.split(" ")[0]??"the best"}, out of sample`;let n=Object.entries(e).map(([r,i])=>`${r}=${i}`);return`${n.length===0?
"no parameters":n.join(" ")}${t==="in"?", in sample":""}`}async function _e(e,t){let{asFileError:a,TrialsFile:n,TrialsFileError:r}=await load  ("./trials-file-B57Z465V.js"),{readStudy:i}=await load  ("./study-6VLS5GX7.js");
return e.person.during("Reading trials",async()=>{try{let o=n.open(t,{readOnly:!0});try{return i(o)}finally{o.close()}}catch(o){let c=a(t,o);throw c instanceof r?P(c.message,"perp lab run writes trial\
s files."):c}})}async function Ae(e,t){let{namedVariant:a}=await load  ("./study-6VLS5GX7.js"),n=a(e,t);if(n.length===1)return n[0];let r="perp lab show FILE lists variants with their ids.";if(n.
length===0)throw U(`No variant is named ${JSON.stringify(t)}.`,r);let i=n.slice(0,5).map(({result:o})=>o.id).join(", ");throw P(`${JSON.stringify(t)} names ${n.length} variants: ${i}${n.length>5?", ..\
.":""}.`,r)}var q=200,z=500,ee=12,pe=24;function Be(e,t,a){let{best:n,variants:r,table:i}=e.results,o=[...new Set(e.results.results.map(({strategy:g})=>g))].join(", "),c=`${o===""?"No strategy":o}: trials`,u=[...e.
results.results].sort(C),l=r.flatMap(g=>g.trials),m=l.length===0?a:`${a}: ${Se(l)}`,h=fe(u),s=r.find((g,j)=>e.results.results[j]===n),p=s===void 0?-1:i.variants.indexOf(s),d=u.slice(0,q),f=d.filter(({
volume:g})=>g>0),b=[T(m),he(t),X(L(t.verdict)),me(t),h===null?"":S("Sharpe ratio by parameters",ve(h.heatmap)+T(h.remark)),p<0?"":ye(e,p),N(O(u.length>q?`The best ${q} of ${u.length} variants`:"Varian\
ts",H,d.map(g=>A(g,e)))),N(O("Costs",$e,f)),s===void 0?"":we(s.trials)];return Z({title:c,policy:"default-src 'none'; style-src 'unsafe-inline'",style:Te},b,["Meaning and limits of each figure: docs/l\
ab.md of perp. Sharpe ratios are a year of 365 days of 24 hours."])}function T(e){return`<p class="faint">${y(e)}</p>`}function he({verdict:e,proof:t}){let a=t.sentence.startsWith("Don't"),n=a?"bad":e.
found?"good":"",r=[e.sentence,e.overfitting_sentence,t.sentence].filter(o=>o!==null),i=(a?r.reverse():r).map((o,c)=>c===0?`<p><strong>${y(o)}</strong></p>`:`<p>${y(o)}</p>`);return`<div class="verdict\
 ${n}">${i.join("")}</div>`}function me({criteria:e}){if(e===null)return"";let t=e.list.map(r=>`<li><span data-tone="${r.met?"good":"bad"}">${r.met?"met":"missed"}</span> ${y(W(r))}</li>`),a=e.remark??
`Sealed before the first trial, SHA-256 ${e.hash}.`,n=e.met?"The criteria are met":"The criteria are not met";return S(n,`<ul class="criteria">${t.join("")}</ul>${T(a)}`)}function fe(e){let t=e.filter(
({sample:s})=>s!=="out"),a=[...new Set(t.flatMap(({parameters:s})=>Object.keys(s)))].filter(s=>te(t,s).length>1),[n,r]=a.map(s=>({name:s,...ge(te(t,s))})).filter(({steps:s})=>s.length>1&&s.length<=pe).
sort((s,p)=>p.steps.length-s.steps.length);if(n===void 0)return null;let i=r?.steps??[""],o=new Map,c=(s,p)=>JSON.stringify([s,p]);for(let{parameters:s,sharpe:p}of t){let d=c(n.stepOf(s[n.name]),r?.stepOf(
s[r.name])??""),{sum:f,known:b,count:g}=o.get(d)??{sum:0,known:0,count:0};o.set(d,{sum:f+(p??0),known:b+(p===null?0:1),count:g+1})}let u=i.map(s=>n.steps.map(p=>{let{sum:d,known:f,count:b}=o.get(c(p,s))??
{sum:0,known:0,count:0};return{value:f===0?null:d/f,count:b}})),l=a.filter(s=>s!==n.name&&s!==r?.name);new Set(t.map(({plan:s})=>s)).size>1&&l.push("plan");let m="A good region is wide: a lone good ce\
ll among bad ones is luck.",h=l.length===0?m:`Means over ${l.join(", ")}. ${m}`;return{heatmap:{across:n.name,columns:n.steps,down:r?.name??"",rows:i,cells:u},remark:h}}function te(e,t){return[...new Set(
e.map(({parameters:n})=>n[t]))].filter(n=>n!==void 0).sort((n,r)=>typeof n=="number"&&typeof r=="number"?n-r:String(n)<String(r)?-1:1)}function ge(e){let t=e.filter(l=>typeof l=="number");if(e.length<=
ee||t.length<e.length)return{steps:e.map(String),stepOf:String};let a=t.every(Number.isInteger),n=Math.max(re((t.at(-1)-t[0])/ee),a?1:0),r=l=>Math.floor(l/n+1e-9),i=l=>String(Number(l.toPrecision(12))),
o=l=>{let m=Math.min(a?(l+1)*n-1:(l+1)*n,t.at(-1));return m<=l*n?i(m):`${i(l*n)}..${i(m)}`},c=r(t[0]),u=r(t.at(-1))-c+1;return{steps:Array.from({length:u},(l,m)=>o(c+m)),stepOf:l=>o(r(Number(l)))}}function ye({
results:{table:e}},t){let a=e.columns.map(be),n=m=>Array.from({length:e.periods+1},(h,s)=>{let p=a.map(d=>d[s]).sort((d,f)=>d-f);return p[Math.round(m*(p.length-1))]}),r=a.length>=3,i={bands:r?[{low:n(
.05),high:n(.95)},{low:n(.25),high:n(.75)}]:[],middle:r?n(.5):null,best:a[t]},o=1,c=a[t].map(m=>(o=Math.max(o,1+m),(1+m)/o-1)),u=r?`, the dashed one the median of ${a.length}; half of them are in the \
darker band, nine of ten in the lighter one`:"",l=`The line is the ${a.length===1?"only":"best"} variant${u}. ${k(e.periods,"period")} of ${v(e.periodMs)}, of all markets in the order of their time.`;
return`${S("Equity",ke(i)+T(l))}
${S("Drawdown of the best variant",Re(c))}`}function be(e){let t=[0],a=1;for(let n of e)a*=1+n,t.push(a-1);return t}var G=(e,t)=>({header:e,cell:a=>x(t(a)),align:"right"}),$e=[{header:"ID",cell:({id:e})=>e},
{header:"PARAMETERS",cell:e=>Y(e)},G("VOLUME",({volume:e})=>e),G("FEES",({fees:e})=>e),G("CARRY",({carry:e})=>e),{header:"FEES / VOLUME",cell:({fees:e,volume:t})=>`${(e/t*1e4).toFixed(2)} bps`,align:"\
right"}];function we(e){let t=e.flatMap(({spec:{source:o},result:{trips:c}})=>{let u=o.kind==="tape"?o.name:`synthetic ${o.seed}`;return c.map(l=>({...l,on:u}))}),a=[...new Set(t.map(({on:o})=>o))];if(a.
length===0)return S("Trades",T("The best variant did not trade."));t.sort((o,c)=>a.indexOf(o.on)-a.indexOf(c.on)||c.openedAt-o.openedAt);let n=xe.filter(({header:o})=>o!=="ON"||a.length>1),r="Trades o\
f the best variant",i=t.length>z?`${r}: ${z} of ${t.length}`:r;return N(O(i,n,t.slice(0,z)))}var xe=[{header:"ON",cell:({on:e})=>e},{header:"OPENED",cell:({openedAt:e})=>E(e)},{header:"LENGTH",cell:({
openedAt:e,closedAt:t})=>t===null?"open":v(t-e),align:"right"},{header:"MARKET",cell:({market:e})=>e},{header:"SIDE",cell:({side:e})=>e},{header:"SIZE",cell:({size:e})=>M(e),align:"right"},{header:"EN\
TRY",cell:({entry:e})=>M(e),align:"right"},{header:"EXIT",cell:({exit:e})=>$(e,M),align:"right"},{header:"FEES",cell:({fees:e})=>x(e),align:"right"},{header:"NET",cell:e=>({text:x(D(e)),tone:D(e)<0?"b\
ad":"good"}),align:"right"}];function Se(e){let t=e.reduce((n,{spec:r})=>Math.min(n,r.from),Number.POSITIVE_INFINITY),a=e.reduce((n,{spec:r})=>Math.max(n,r.to),0);return`${k(e.length,"trial")} between\
 ${E(t)} and ${E(a)}`}function ve({across:e,columns:t,down:a,rows:n,cells:r}){let i=Math.max(1e-9,...r.flat().map(({value:l})=>Math.abs(l??0))),o=n.map((l,m)=>{let h=t.map((s,p)=>{let{value:d,count:f}=r[m][p],
b=d===null?"":d.toFixed(Math.abs(d)>=100?0:Math.abs(d)>=10?1:2),g=[`${e} ${s}`,...a===""?[]:[`${a} ${l}`]].join(", "),j=d===null?"no Sharpe ratio":`Sharpe ${b}`,oe=`${g}: ${j}, ${f} variant${f===1?"":
"s"}`,se=d===null?"":` style="--share:${(6+44*Math.abs(d)/i).toFixed(1)}%"`;return`<td class="${d===null?"none":d>=0?"good":"bad"}"${se} title="${y(oe)}">${b}</td>`});return`<tr><th>${y(I(l))}</th>${h.
join("")}</tr>`}),c=a===""?"":`${y(I(a))} &darr;&ensp;`,u=t.map(l=>`<th>${y(I(l))}</th>`).join("");return`<div class="table heat"><table><thead><tr><th>${c}${y(I(e))} &rarr;</th>${u}</tr></thead><tbod\
y>${o.join(`
`)}</tbody></table></div>`}function I(e){return e.length>24?`${e.slice(0,22)}..`:e}function ke({bands:e,middle:t,best:a}){let{points:n,ticks:r}=ne([...a,...t??[],...e.flatMap(({low:u,high:l})=>[...u,...l])]),
i=e.map(({low:u,high:l})=>`<polygon class="band" points="${[...n(l),...[...n(u)].reverse()].join(" ")}"/>`),o=(u,l)=>`<polyline class="${l}" points="${n(u).join(" ")}"/>`,c=`${t===null?"":o(t,"middle")}${o(
a,"best")}`;return ae("tall",r,i.join("")+c,"Equity of all variants")}function Re(e){let{points:t,ticks:a}=ne(e),n=t(e.map(()=>0));return ae("low",a,`<polygon class="fall" points="${[...t(e),n.at(-1),
n[0]].join(" ")}"/>`,"Drawdown")}var R=1e3;function ne(e){let t=e.reduce(([h,s],p)=>[Math.min(h,p),Math.max(s,p)],[0,0]),a=t[0]===t[1],[n,r]=a?[-.001,.001]:[t[0],t[1]],i=.03,o=h=>i+(r-h)/(r-n)*(1-2*i),
c=a?1:re((r-n)/4),u=Math.max(0,Math.ceil(-Math.log10(c*100)-1e-9)),l=[];for(let h=Math.ceil(n/c-1e-9);h*c<=r+c*1e-9;h+=1){let s=`${(h*c*100).toFixed(u)}%`;l.push({at:(o(h*c)*100).toFixed(2),text:h===0?
"0%":s})}return{points:h=>h.map((s,p)=>`${(R*p/Math.max(1,h.length-1)).toFixed(1)},${(R*o(s)).toFixed(1)}`),ticks:l}}function re(e){let t=10**Math.floor(Math.log10(e));return[1,2,5,10].map(a=>a*t).find(
a=>a>=e*(1-1e-9))??e}function ae(e,t,a,n){let r=t.map(({at:o})=>`<line class="grid" x1="0" x2="${R}" y1="${o}%" y2="${o}%"/>`),i=t.map(({at:o,text:c})=>`<span style="top:${o}%">${c}</span>`);return`<d\
iv class="plot ${e}">${i.join("")}<svg viewBox="0 0 ${R} ${R}" preserveAspectRatio="none" role="img" aria-label="${y(n)}">${r.join("")}${a}</svg></div>`}var Te=`
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
`;                                                              

return{a:H,b:Ne,c:A,d:Ve,e:_e,f:Ae,g:Be}})