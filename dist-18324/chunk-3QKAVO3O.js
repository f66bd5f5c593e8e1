(function(use,load,meta,require){"use strict";const {Ca:T,K:R,Md:S,Qa:C,Rd:L,Sd:U,g:b}=use("chunk-AFUPYCZE.js");
                                                                                       function et(t,e,n){return{title:t,columns:e,rows:n}}function P(t,e,n=""){return`<section${n}><h2>${r(t)}</h2>${e}</section>`}function nt(t){return`<dl>${t.map(e=>e===void 0?"":W(e)).join("")}</dl>`}function W([
t,e]){return e==null?"":`<div><dt>${r(t)}</dt><dd${j(e)}>${r(S(e))}</dd></div>`}function ot({title:t,columns:e,rows:n,linkOf:s,onPaper:i=n.length}){if(n.length===0)return"";let a=({align:d})=>d==="rig\
ht"?' class="number"':"",c=e.map(d=>`<th${a(d)}>${r(d.header.toLowerCase())}</th>`).join(""),o=n.map((d,g)=>{let x=s?.(d),M=e.map((w,O)=>{let $=w.cell(d)??"",v=r(S($)),k=j($),F=k===""?v:`<span${k}>${v}\
</span>`,A=x===void 0||O>0?F:`<a href="#${x.to}" data-show="${x.data}">${F}</a>`;return`<td${a(w)}>${A}</td>`});return`<tr${x===void 0?"":` id="${x.id}"`}${g<i?"":' class="screen"'}>${M.join("")}</tr>`}),
l=`table-${t.toLowerCase().replaceAll(/[^a-z0-9]+/g,"-")}`,p=e.map(({header:d},g)=>`#${l} td:nth-child(${g+1})::before{content:"${d.toLowerCase().replaceAll(/[^a-z0-9 /%]/g,"")}"}`),y=i<n.length?`<p c\
lass="paper-only faint">${n.length-i} more rows are on the page itself.</p>`:"",h=`<style>@media screen and (max-width:640px){${p.join("")}}</style>`;return P(t,`${h}<div class="table" role="region" t\
abindex="0" aria-label="${l.replaceAll("-"," ")}"><table id="${l}"><thead><tr>${c}</tr></thead><tbody>${o.join(`
`)}</tbody></table></div>${y}`)}function j(t){return typeof t=="object"&&(t.tone==="good"||t.tone==="bad")?` data-tone="${t.tone}"`:""}var I={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;","'":"&#39;"};
function r(t){return R(t).replace(/[&<>"']/g,e=>I[e])}function rt({title:t,policy:e,style:n},s,i,a=""){return`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${r(e)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${r(t)}</title>
<style>${E}${n}</style>
</head>
<body>
<main>
<h1>${r(t)}</h1>
${s.filter(Boolean).join(`
`)}
<footer>
${i.map(c=>`<p>${r(c)}</p>`).join(`
`)}
</footer>
</main>${a}
</body>
</html>
`}var E=`
:root { --text: #1f2328; --faint: #59636e; --line: #d1d9e0; --background: #fff; --good: #0550ae; --bad: #a63a00; }
@media screen and (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --faint: #9198a1; --line: #30363d; --background: #0d1117; --good: #79c0ff; --bad: #ffa657; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--background); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 16px; }
h1 { font-size: 24px; margin: 0; }
h2 { font-size: 16px; margin: 28px 0 8px; }
.faint, footer { color: var(--faint); font-weight: normal; }
footer { font-size: 13px; margin-top: 32px; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 480px), 1fr)); gap: 0 32px; margin: 12px 0 0; }
dl div { border-top: 1px solid var(--line); padding: 4px 0; display: flex; justify-content: space-between; gap: 12px; }
dt { color: var(--faint); font-size: 13px; flex: none; max-width: 45%; }
dd { margin: 0; font-size: 14px; text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.chart { width: 100%; }
.tall { height: 300px; }
.low { height: 130px; }
.paper { display: none; }
.table { overflow-x: auto; }
.table table { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; }
.table th, .table td { text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
@media screen and (max-width: 640px) {
  .table thead { display: none; }
  .table table, .table tbody, .table td { display: block; }
  .table tr { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 2px 8px; border-bottom: 1px solid var(--line); padding: 5px 0; }
  .table td, .table td:last-child { border: 0; padding: 0; min-width: 0; white-space: normal; overflow-wrap: anywhere; }
  .table td:empty { display: none; }
  .table td::before { color: var(--faint); display: block; font-size: 11px; }
}
.paper-only { display: none; }
a { color: inherit; }
.table th { color: var(--faint); font-weight: 500; }
.table td:last-child { white-space: normal; overflow-wrap: anywhere; min-width: 100px; }
.table .number { text-align: right; }
[data-tone=good] { color: var(--good); }
[data-tone=bad] { color: var(--bad); }
@media print {
  @page { margin: 12mm; }
  body { font-size: 12px; line-height: 1.35; }
  h2 { margin: 12px 0 4px; }
  .screen { display: none; }
  .paper-only { display: block; }
  main { max-width: none; padding: 0; }
  section { break-inside: avoid; }
  h2 { break-after: avoid; }
  .chart { height: auto; break-inside: avoid; }
  .chart:has(.paper) > :not(.paper) { display: none; }
  .paper { display: block; width: 100%; max-height: 55mm; object-fit: contain; }
  section:has(table) { break-inside: auto; }
  tr { break-inside: avoid; }
  thead { display: table-header-group; }
  .table { overflow: visible; }
}
`;function at(t,e,n,s=""){return n===""?"":P(t,`<p class="says">${r(e)}</p>${n}`,s)}function st(t,e){if(e.length===0)return"";let n=Math.max(...e.map(({value:i})=>Math.abs(i)))||1,s=e.map(({name:i,value:a,
text:c})=>{let o=Math.abs(a)/n*50,l=a<0?50-o:50;return`<li><span>${r(i)}</span><i><b class="${a<0?"loss":"win"}" style="left:${l.toFixed(1)}%;width:${o.toFixed(1)}%"></b></i><span class="number">${r(c)}\
</span></li>`});return`<ul class="bars" aria-label="${r(t)}">${s.join("")}</ul>`}function it(t,e,n){let s=Math.min(1,Math.max(0,e))*100;return`<div class="gauge"><span>${r(t)}</span><i><b class="${s>=
80?"loss":"win"}" style="left:0;width:${s.toFixed(1)}%"></b></i><span class="number">${r(n)}</span></div>`}var[u,f,m]=[640,260,34];function ct(t,e,n){if(n.length===0)return"";let s=Math.max(...n.map(({
x:o})=>o))||1,i=Math.max(...n.map(({y:o})=>o))||1,a=n.map(({x:o,y:l,says:p,isWin:y,to:h})=>{let[d,g]=[m+o/s*(u-2*m),f-m-l/i*(f-2*m)],x=`<circle cx="${d.toFixed(1)}" cy="${g.toFixed(1)}" r="5" class="${y?
"win":"loss"}"><title>${r(p)}</title></circle>`;return h===void 0?x:`<a href="#${r(h)}" aria-label="${r(p)}">${x}</a>`}),c=(o,l,p,y)=>`<text x="${o}" y="${l}" text-anchor="${y}">${r(p)}</text>`;return`\
<svg viewBox="0 0 ${u} ${f}" aria-label="${r(t)}" role="group"><path d="M${m} ${m/2}V${f-m}H${u-m/2}"/>
${c(u-m,f-10,`${e[0]} ${s.toFixed(2)}`,"end")}${c(m,14,`${e[1]} ${i.toFixed(2)}`,"start")}${c(m,f-10,"0","end")}
${a.join(`
`)}</svg>`}function lt(t,e){if(e.length===0)return"";let n=new Date(`${e[0].date}T00:00:00Z`).getUTCDay(),s=["Sun","Mon","Tue","Wed","Thu","Fri","Sat"].map(o=>`<li class="faint">${o}</li>`),i=Array.from(
{length:n},()=>'<li aria-hidden="true"></li>'),a=new Map(e.map(o=>[o.date,o])),c=Date.parse(`${e.at(-1).date}T00:00:00Z`);for(let o=Date.parse(`${e[0].date}T00:00:00Z`);o<=c;o+=864e5){let l=new Date(o).
toISOString().slice(0,10),p=a.get(l),y=p===void 0||p.value===0?"":` class="${p.value<0?"lost":"won"}"`;i.push(`<li${y}><small>${l.slice(5)}</small> ${p===void 0?"&ndash;":r(p.text)}</li>`)}return`<ol \
class="calendar" aria-label="${r(t)}">${s.join("")}${i.join("")}</ol>`}var pt=`
.says { margin: 0 0 8px; color: var(--faint); }
.bars { list-style: none; margin: 0; padding: 0; }
.bars li, .gauge { display: grid; grid-template-columns: 110px 1fr minmax(90px, auto); gap: 10px; align-items: center; font-size: 13px; }
.bars i, .gauge i { position: relative; height: 11px; background: var(--line); }
.bars b, .gauge b { position: absolute; top: 0; bottom: 0; }
b.win { background: var(--good); } b.loss { background: var(--bad); }
circle.win { fill: var(--good); } circle.loss { fill: var(--bad); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; max-height: 320px; } svg path { fill: none; stroke: var(--faint); } svg text { fill: var(--faint); font-size: 13px; }
.calendar { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); gap: 3px; font-size: 12px; font-variant-numeric: tabular-nums; }
.calendar li { padding: 3px; min-height: 1em; text-align: right; overflow-wrap: anywhere; border-left: 3px solid transparent; }
.calendar small { display: block; color: var(--faint); }
@media print { svg { max-height: 170px; } .bars { columns: 2; } .bars li { break-inside: avoid; } }
@media (max-width: 640px) { .bars li { grid-template-columns: 76px 1fr 84px; } .gauge { grid-template-columns: 76px 1fr; } .gauge .number { grid-column: 1 / -1; } .calendar { font-size: 10px; } }
.won { border-color: var(--good) !important; } .lost { border-color: var(--bad) !important; }
`;var H,N=()=>H??=require                 ("node:fs"),Z=t=>N()[t];var z=Z("existsSync");var q,G=()=>q??=require                 ("node:path"),_=t=>G()[t],B=_("resolve");var V,X=()=>V??=require                 ("node:url"),Y=t=>X()[t];var D=Y("pathToFileURL");async function $t(t,{out:e,force:n,open:s},i){let a=B(e);if(z(a)&&!n)throw b(`${a} already exists.`,"Use --force to replace it, or another -o FILE.");let c=await i(),{dryRun:o}=t.settings;try{o||T(C(a),
c)}catch(p){throw b(`${a} can't be written: ${p.message}.`,"Choose another -o FILE.")}s&&!o&&await J(t,a);let l=o?"Dry run: would write ":"Wrote ";return L({file:a,bytes:Buffer.byteLength(c)},()=>U(l,
{text:a,tone:"strong"},"."))}async function J(t,e){let{hasBrowser:n,openBrowser:s}=await load  ("./browser-7BVI6WLE.js");n(t.variables)&&await s(D(e).href,t.variables)||t.note("No browser could be\
 started.")}                                                                                                              

return{a:et,b:P,c:nt,d:ot,e:r,f:rt,g:at,h:st,i:it,j:ct,k:lt,l:pt,m:$t}})