(function(use,load,meta,require){"use strict";const {a:i,b:p}=use("chunk-4GADUBZQ.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                       async function m(t,r={}){let{runBacktest:o}=await load  ("./backtest-LHUBQLBJ.js");return o(t,r)}async function e(t,r){let{runTrade:o}=await load  ("./trade-44BW5BPI.js");return o(t,r)}                                                                        

return{StrategyError:i,backtest:m,defineStrategy:p,trade:e}})