(function(use,load,meta,require){"use strict";const {H:x,Oj:j,Rd:b,Sd:k,Td:z,V:$,ca:c,d:u,da:w,e:y,ea:R,fa:h,g:v,nj:C}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                        var O=2**20,I=6e4,q={summary:"Record live markets to a tape for later practice",description:"Runs for --for, or until Ctrl-C. If the file exists, recording resumes, with a gap for the missed time. A n\
ew part starts every hour and at --part-size: FILE.part2.jsonl.gz and so on. Data is on disk within half a minute.",args:[{name:"markets",kind:"market",repeat:!0,summary:"ids, coins or symbols"}],options:{
out:C("FILE","the tape; compressed if it ends in .gz"),for:{value:"DURATION",kind:"duration",summary:"duration, such as 8h (default: until Ctrl-C)"},venue:{value:"VENUE",choices:x,repeat:!0,summary:"v\
enue (default binance)"},"part-size":{value:"MIB",kind:"amount",maximum:4096,summary:"size of a part in MiB before compression (default 64)"}},examples:[["perp sim record BTC ETH --for 8h -o day.jsonl\
.gz","eight hours of two markets"],["perp sim record xyz:GOLD --venue hyperliquid -o gold.jsonl.gz","until Ctrl-C"],["perp sim serve --books day.jsonl.gz --speed 10","practice on the tape"]],simulationOnly:!0,
changesMore:!0,async run(r,t){let{settings:m,signal:e,variables:p}=r;if(m.dryRun)throw v("perp sim record can't be combined with --dry-run.","Omit --dry-run.");if(!/\.jsonl(\.gz)?$/.test(t.out))throw v(
"-o must end in .jsonl or .jsonl.gz.","For example: -o day.jsonl.gz");let{recordLive:d}=await load  ("./recording-5QLOUWKW.js"),s=0,n=await r.person.during("Recording",o=>d({live:j(p,t.venue.length>
0?t.venue:void 0),tape:t.out,markets:t.markets,forMs:t.for??null,partBytes:t.partSize===void 0?void 0:Math.max(1,Math.round(t.partSize*O)),signal:e,onProgress:l=>{let f=N(l,t.for);o(f);let g=!r.io.stderrIsTerminal&&
l.elapsedMs-s>=I;g&&r.note(f),g&&(s=l.elapsedMs)}})),{reason:a}=e,i=e.aborted&&!(a instanceof y&&a.facts.code==="terminated");return T(n,i)}};function T({tape:r,feeds:t,elapsedMs:m,wanted:e,recorded:p},d){
let s=t.flatMap(({markets:o})=>o).reduce((o,l)=>o+l.gaps,0),n={file:r.tape,duration_ms:m,markets:e,lines:r.lines,parts:r.part,gaps:s,problem:r.problem,recorded:p.map(({marketId:o,events:l,known:f,problem:g})=>({
market_id:o,events:l,known:f,problem:g}))},a=p.filter(({events:o})=>o===0);if(a.length===p.length&&r.problem===null)throw new y({code:"nothing_recorded",message:`Nothing was recorded in ${c(m)}: ${a.map(
D).join("; ")}.`,hint:"perp doctor tests each venue.",details:n});let i=()=>[k({text:r.tape,tone:"strong"},`  ${c(m)} of ${w(e,"market")}`),z(["lines",$(r.lines)],["parts",String(r.part)],["gaps",s===
0?"none":{text:String(s),tone:"warn"}],...p.map(o=>[h(o.marketId),M(o)]),["problem",r.problem===null?void 0:{text:r.problem,tone:"bad"}])];return r.problem!==null?b(n,i,u.unavailable):a.length>0?b(n,i,
u.incomplete):b(n,i,d?u.interrupted:u.done)}function M(r){if(r.events===0)return{text:`nothing recorded: ${r.problem??E}`,tone:"bad"};let t=r.problem===null?"":`, but not at the end: ${r.problem}`,m=`\
known ${R(r.known)} of the time${t}`;return t===""?m:{text:m,tone:"warn"}}function D({marketId:r,problem:t}){return`${h(r)}: ${(t??E).replace(/\.$/,"")}`}var E="no data has arrived";function N({elapsedMs:r,
live:t,wanted:m,tape:e,feeds:p},d){let s=p.reduce((i,{framesPerSecond:o})=>i+o,0),n=p.flatMap(({markets:i})=>i).filter(({gap:i})=>i!==null);return`Recording: ${[`${t} of ${m} live`,`${c(r)}${d===void 0?
"":` of ${c(d)}`}`,`${$(e.lines)} lines in ${w(e.part,"part")}`,`${s} messages/s`,...n.length===0?[]:[`in a gap: ${n.map(({marketId:i,gap:o})=>`${h(i)} (${o.reason})`).join(", ")}`],...e.problem===null?
[]:[`NOT RECORDING: ${e.problem}`]].join(", ")}`}                     

return{command:q}})