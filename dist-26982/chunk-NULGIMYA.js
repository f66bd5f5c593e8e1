(function(use,load,meta,require){"use strict";const {Ea:b,F:u,g:l,pd:d,sa:g}=use("chunk-KBEGXUNB.js");
                                                                       function M(t,e,o){return{title:t,columns:e,rows:o}}function N(t){return`<dl>${t.map(P).join("")}</dl>`}function P([t,e]){return`<div><dt>${r(t)}</dt><dd${w(e)}>${r(d(e))}</dd></div>`}function G({title:t,
columns:e,rows:o,linkOf:s,onPaper:c=o.length}){if(o.length===0)return"";let x=({align:n})=>n==="right"?' class="number"':"",$=e.map(n=>`<th${x(n)}>${r(n.header.toLowerCase())}</th>`).join(""),F=o.map(
(n,p)=>{let a=s?.(n),L=e.map((m,C)=>{let y=m.cell(n),f=r(d(y)),h=w(y),S=h===""?f:`<span${h}>${f}</span>`,T=a===void 0||C>0?S:`<a href="#${a.to}" data-show="${a.data}">${S}</a>`;return`<td${x(m)}>${T}<\
/td>`});return`<tr${a===void 0?"":` id="${a.id}"`}${p<c?"":' class="screen"'}>${L.join("")}</tr>`}),i=`table-${t.toLowerCase().replaceAll(/[^a-z0-9]+/g,"-")}`,R=e.map(({header:n},p)=>`#${i} td:nth-chi\
ld(${p+1})::before{content:"${n.toLowerCase().replaceAll(/[^a-z0-9 /%]/g,"")}"}`),U=c<o.length?`<p class="paper-only faint">${o.length-c} more rows are on the page itself.</p>`:"";return`<section><h2>${r(
t)}</h2><style>@media screen and (max-width:640px){${R.join("")}}</style><div class="table" role="region" tabindex="0" aria-label="${i.replaceAll("-"," ")}"><table id="${i}"><thead><tr>${$}</tr></thea\
d><tbody>${F.join(`
`)}</tbody></table></div>${U}</section>`}function w(t){return typeof t=="object"&&(t.tone==="good"||t.tone==="bad")?` data-tone="${t.tone}"`:""}var z={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;","'":"\
&#39;"};function r(t){return u(t).replace(/[&<>"']/g,e=>z[e])}function J(t,e,o=""){return`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${r(e)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${r(t)}</title>
<style>${j}${o}</style>
</head>
<body>
<main>
<h1>${r(t)}</h1>`}var j=`
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
`;var O,B=()=>O??=require                 ("node:fs"),A=t=>B()[t];var v=A("existsSync");var I,D=()=>I??=require                 ("node:url"),W=t=>D()[t];var k=W("pathToFileURL");function et(t,e){if(v(t)&&!e)throw l(`${t} already exists.`,"Use --force to replace it, or another -o FILE.")}function ot(t,e){try{g(b(t),e)}catch(o){throw l(`${t} can't be written: ${o.message}.`,"Ch\
oose another -o FILE.")}}async function nt(t,e){let{hasBrowser:o,openBrowser:s}=await load  ("./browser-IVC6CL37.js");o(t.variables)&&await s(k(e).href,t.variables)||t.note("No browser could be st\
arted.")}                                                                   

return{a:M,b:N,c:G,d:r,e:J,f:et,g:ot,h:nt}})