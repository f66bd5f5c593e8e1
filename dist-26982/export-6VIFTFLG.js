(function(use,load,meta,require){"use strict";const {P:l,U:p,Ui:h,Vi:x,W:d,g:n,ma:f,rd:u,sd:c,td:g,zd:y}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                 var M={summary:"Export a tape as tables for other programs",description:"Writes a folder with the tables lines, books and trades as Parquet or CSV, and export.json. Prices and sizes are exact decimals\
, times are in microseconds. perp sim import FOLDER makes a recording of it again.",args:[{name:"tape",kind:"file",summary:"the tape"}],options:{to:{value:"FORMAT",choices:["parquet","csv"],required:!0,
summary:"format of the tables"},out:x("FOLDER","the folder, which must not exist yet"),...h},examples:[["perp sim export day.jsonl.gz --to parquet -o day","day/books.parquet and other files"],["perp s\
im export day.jsonl.gz --to csv -o btc --market BTC --from 14:00","one market, starting at a time"]],simulationOnly:!0,changesMore:!0};async function W(t,O){let{exportTables:b}=await load  ("./tapes-6YB4MOPK.js"),
{tape:k,from:w,until:F,market:R,to:i,out:e}=O;if(e==="-")throw n("-o must name a folder: an export has several files.","For example: -o day");let{dryRun:m}=t.settings,q={dryRun:m,draftFolder:f(t.variables),
signal:t.signal},v={from:w,until:F,markets:R},{folder:a,firstTime:o,lastTime:r,rows:s}=await t.person.during(m?"Reading":"Exporting",()=>b(k,v,e,i,q));return u({folder:a,format:i,first_time:o,last_time:r,
rows:s},()=>[c({text:a,tone:"strong"},`  ${i}`),g(["time",o===null||r===null?"no events":`${p(o)} to ${p(r)} (${d(r-o)})`],...Object.entries(s).map(([T,C])=>[T,`${l(C)} rows`])),...m?[y]:[]])}                              

return{command:M,run:W}})