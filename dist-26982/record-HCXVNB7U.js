(function(use,load,meta,require){"use strict";const {C:w,P:$,Pj:O,Vi:z,W:c,X:x,Y:R,Z:h,d:u,e:y,g:v,rd:b,sd:C,td:k}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                    var I=2**20,E=6e4,q={summary:"Record live markets to a tape for later practice",description:"Runs for --for, or until Ctrl-C. If the file exists, recording resumes, with a gap for the missed time. A n\
ew part starts every hour and at --part-size: FILE.part2.jsonl.gz and so on. Data is on disk within half a minute.",args:[{name:"markets",kind:"market",repeat:!0,summary:"ids, coins or symbols"}],options:{
out:z("FILE","the tape; compressed if it ends in .gz"),for:{value:"DURATION",kind:"duration",summary:"duration, such as 8h (default: until Ctrl-C)"},venue:{value:"VENUE",choices:w,repeat:!0,summary:"v\
enue (default binance)"},"part-size":{value:"MIB",kind:"amount",maximum:4096,summary:"size of a part in MiB before compression (default 64)"}},examples:[["perp sim record BTC ETH --for 8h -o day.jsonl\
.gz","eight hours of two markets"],["perp sim record xyz:GOLD --venue hyperliquid -o gold.jsonl.gz","until Ctrl-C"],["perp sim serve --books day.jsonl.gz --speed 10","practice on the tape"]],simulationOnly:!0,
changesMore:!0};async function U(t,r){let{settings:e,signal:m,variables:p}=t;if(e.dryRun)throw v("perp sim record can't be combined with --dry-run.","Omit --dry-run.");if(!/\.jsonl(\.gz)?$/.test(r.out))
throw v("-o must end in .jsonl or .jsonl.gz.","For example: -o day.jsonl.gz");let{recordLive:d}=await load  ("./recording-ZFXQE7OM.js"),s=0,n=await t.person.during("Recording",o=>d({live:O(p,r.venue.
length>0?r.venue:void 0),tape:r.out,markets:r.markets,forMs:r.for??null,partBytes:r.partSize===void 0?void 0:Math.max(1,Math.round(r.partSize*I)),signal:m,onProgress:l=>{let f=N(l,r.for);o(f);let g=!t.
io.stderrIsTerminal&&l.elapsedMs-s>=E;g&&t.note(f),g&&(s=l.elapsedMs)}})),{reason:a}=m,i=m.aborted&&!(a instanceof y&&a.facts.code==="terminated");return T(n,i)}function T({tape:t,feeds:r,elapsedMs:e,
wanted:m,recorded:p},d){let s=r.flatMap(({markets:o})=>o).reduce((o,l)=>o+l.gaps,0),n={file:t.tape,duration_ms:e,markets:m,lines:t.lines,parts:t.part,gaps:s,problem:t.problem,recorded:p.map(({marketId:o,
events:l,known:f,problem:g})=>({market_id:o,events:l,known:f,problem:g}))},a=p.filter(({events:o})=>o===0);if(a.length===p.length&&t.problem===null)throw new y({code:"nothing_recorded",message:`Nothin\
g was recorded in ${c(e)}: ${a.map(D).join("; ")}.`,hint:"perp doctor tests each venue.",details:n});let i=()=>[C({text:t.tape,tone:"strong"},`  ${c(e)} of ${x(m,"market")}`),k(["lines",$(t.lines)],["\
parts",String(t.part)],["gaps",s===0?"none":{text:String(s),tone:"warn"}],...p.map(o=>[h(o.marketId),M(o)]),["problem",t.problem===null?void 0:{text:t.problem,tone:"bad"}])];return t.problem!==null?b(
n,i,u.unavailable):a.length>0?b(n,i,u.incomplete):b(n,i,d?u.interrupted:u.done)}function M(t){if(t.events===0)return{text:`nothing recorded: ${t.problem??j}`,tone:"bad"};let r=t.problem===null?"":`, b\
ut not at the end: ${t.problem}`,e=`known ${R(t.known)} of the time${r}`;return r===""?e:{text:e,tone:"warn"}}function D({marketId:t,problem:r}){return`${h(t)}: ${(r??j).replace(/\.$/,"")}`}var j="no \
data has arrived";function N({elapsedMs:t,live:r,wanted:e,tape:m,feeds:p},d){let s=p.reduce((i,{framesPerSecond:o})=>i+o,0),n=p.flatMap(({markets:i})=>i).filter(({gap:i})=>i!==null);return`Recording: ${[
`${r} of ${e} live`,`${c(t)}${d===void 0?"":` of ${c(d)}`}`,`${$(m.lines)} lines in ${x(m.part,"part")}`,`${s} messages/s`,...n.length===0?[]:[`in a gap: ${n.map(({marketId:i,gap:o})=>`${h(i)} (${o.reason}\
)`).join(", ")}`],...m.problem===null?[]:[`NOT RECORDING: ${m.problem}`]].join(", ")}`}                              

return{command:q,run:U}})