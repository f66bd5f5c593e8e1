(function(use,load,meta,require){"use strict";const {Oe:b,Pe:k,U:s,Vi:z,W:f,X:r,Z:l,ma:g,rd:c,sd:u,td:y,zd:h}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                         var A={summary:"Merge recordings into one, by time",description:"The files may contain different markets, different times of one market, or its books and its prints. Two files with a book of the same \
market at the same time are refused.",args:[{name:"file",kind:"file",repeat:!0,summary:"recordings, as created by perp sim import"}],options:{out:z("FILE","the recording, - for standard output; gzip i\
f its name ends in .gz"),force:{summary:"replace an existing recording"}},examples:[["perp sim merge btc.jsonl.gz eth.jsonl.gz -o both.jsonl.gz","two markets"],["perp sim merge monday.jsonl.gz tuesday\
.jsonl.gz -o week.jsonl.gz","one day after the other"],["perp sim merge book.jsonl.gz trades.jsonl.gz -o btc.jsonl.gz","a book and its prints"]],simulationOnly:!0,changesMore:!0};async function E(o,t){
let{mergeRecordings:j}=await load  ("./public-JEEFC6HQ.js"),{dryRun:i}=o.settings,n=t.out==="-",{firstTime:p,lastTime:e,markets:a}=await o.person.during(i?"Reading":"Merging",()=>j(t.file,n?m=>b(
o,m):t.out,{dryRun:i,replaces:t.force,draftFolder:g(o.variables)})),$={file:t.out,first_time:p,last_time:e,markets:a},d=c($,()=>[u({text:t.out,tone:"strong"}),y(["time",`${s(p)} to ${s(e)} (${f(e-p)})`],
...a.map(({market:m,files:w,books:O,deltas:x,prints:R})=>{let T=`${r(O,"book")}, ${r(x,"change")}, ${r(R,"print")}`;return[m.symbol,`${l(m.market_id)}: ${T}, from ${r(w.length,"file")}`]})),...i?[h]:[]]);
return n&&!i?k(o,d):d}                              

return{command:A,run:E}})