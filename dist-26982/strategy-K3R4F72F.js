(function(use,load,meta,require){"use strict";const {a:i,b:p}=use("chunk-PGLCQ5L7.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                       async function m(t,r={}){let{runBacktest:o}=await load  ("./backtest-YXQFDUMM.js");return o(t,r)}async function e(t,r){let{runTrade:o}=await load  ("./trade-SJ7EYKTS.js");return o(t,r)}                                                                        

return{StrategyError:i,backtest:m,defineStrategy:p,trade:e}})