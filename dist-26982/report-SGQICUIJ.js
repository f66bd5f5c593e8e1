(function(use,load,meta,require){"use strict";const {Ti:t}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                     var r="perp-report.html",s={summary:"Write an HTML report: verdict, equity, floors, odds, tables",description:"The page contains its charts and data, so it needs no network and loads nothing. It follo\
ws the light or dark setting of the browser and can be printed. Its figures are those of perp pnl and perp journal.",options:{out:{short:"o",value:"FILE",kind:"file",summary:`the file (default ${r})`},
...t,open:{summary:"open it in the browser"},force:{summary:"replace the file if it exists"}},examples:[["perp report -o november.html --from 30d","a month"],["perp report --open --force","everything,\
 in the browser"]],changesMore:!0};async function a(p,o){let{report:i}=await load  ("./trading-report-2RGFTZXX.js");return i(p,{...o,out:o.out??r})}                              

return{command:s,run:a}})