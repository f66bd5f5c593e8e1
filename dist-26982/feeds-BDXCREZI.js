(function(use,load,meta,require){"use strict";const {P:m,W:p,X:d,_l:y,aa:g,rd:k,sd:a,td:s,tk:w,ud:h,vd:f}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                  var q={summary:"Show the state of live market feeds",options:{watch:{summary:"keep updating until Ctrl-C"}},examples:[["perp sim feeds","state, lag, gaps, messages and request weight"],["perp sim feed\
s --watch","live updates"]],simulationOnly:!0};async function D(t,r){let i=async()=>(await t.call("simFeeds",{})).data;if(r.watch)return y(t,async()=>{let e=await i();return{records:[e],blocks:$(e,t.outside.
now())}});let o=await i();return k(o,()=>$(o,t.outside.now()))}var A=[{header:"MARKET",cell:({market_id:t})=>g(t)},{header:"STATE",cell:B},{header:"LAG",cell:({lag_ms:t})=>t===null?"":`${t} ms`,align:"\
right",keep:3},{header:"LAST",cell:({quiet_ms:t})=>t===null?"":`${p(t)} ago`,align:"right",keep:2},{header:"MARK",cell:E,align:"right",keep:1},{header:"INDEX",cell:({index:t})=>t===null?"":m(t),align:"\
right",keep:0},{header:"FUNDING",cell:({funding_rate:t})=>t===null?"":w(t),align:"right",keep:0},{header:"MESSAGES",cell:({messages:t})=>m(t),align:"right",keep:1},{header:"GAPS",cell:({gaps:t})=>String(
t),align:"right"},{header:"PROBLEM",cell:({problem:t,mark_problem:r})=>t??r??"",keep:4}],v=15e3;function E({mark:t,mark_age_ms:r}){return t===null?"":r===null||r<=v?m(t):{text:`${m(t)}, ${p(r)} ago`,tone:"\
warn"}}function B({state:t,gap_reason:r}){return r!==null?{text:`in a gap (${r})`,tone:"bad"}:{text:t,tone:t==="live"?"good":"warn"}}function $({feeds:t,tape:r},i){return[...t.flatMap(o=>[...N(o,i),f]),
s(["tape",r.file],["written",`${m(r.lines)} lines, part ${r.part}`],["on disk",r.synced_at===null?"not yet":`everything older than ${p(i-r.synced_at)}`],["problem",r.problem===null?void 0:{text:r.problem,
tone:"bad"}])]}function N(t,r){let{venue:i,state:o,messages_per_second:e,skew_ms:n,connections:_,markets:u}=t,b=t.paused_until===null?"":`, paused for ${p(Math.max(0,t.paused_until-r))}`,C=o==="live"||
o==="idle"?"good":"warn";return[a({text:i,tone:"strong"},"  ",{text:o.replace("_"," "),tone:C}),s(["problem",t.problem===null?void 0:{text:t.problem,tone:"bad"}],...t.unknown_rows.map(l=>["unknown in \
its list",{text:l,tone:"warn"}]),["messages",`${m(e)} a second`],["clock",n===null?"not compared yet":`${Math.abs(n)} ms ${n<0?"behind":"ahead of"} ours`],["weight",`${t.weight_used} of ${t.weight_limit}\
 a minute${b}`],..._.map(({name:l,state:F,subscriptions:M,wanted:S,age_ms:x,reconnects:O,problem:c})=>[`${l} stream`,`${F}, ${M} of ${S} subscriptions, ${p(x)} old, ${d(O,"reconnect")}${c===null?"":`;\
 last: ${c}`}`])),...u.length===0?[a("  No market is in use.")]:[h(u,A)]]}                                             

return{command:q,run:D,stateCell:B}})