(function(use,load,meta,require){"use strict";const {F:r,tc:o,uc:t}=use("chunk-AFUPYCZE.js");
                                                        var l={feeBps:{crypto:3,tradfi:.5,fx:.25},carryBpsPerDay:t};function p(e,a){return e[a]??e.crypto??0}var d={select:n("select"),prime:n("prime"),none:n("none")},m=1e5,c=15e3;function u(){return{limits:{
tradesPerMinute:120,tradesPerHour:2e3,tradesPerDay:1e4,orderCooldownMs:0,maxOpenPositions:50,maxPositionValueUsd:1e6,minOrderNotionalUsd:10,executionDelayMinMs:0,executionDelayMaxMs:0,maxBookStalenessMs:1e4,
maintenanceMarginRatioBps:100,liquidationFeeBps:50,maxRestingOrders:200,riskTouchWindowMs:0},unlimitedTradeCountThreshold:0,slippageMinBps:1,slippageMaxBps:250,marketOrderMaximumBpsByProvider:Object.fromEntries(
r.map(e=>[e,250])),maximumTotalNotionalUsd:null,feeExempt:!1,payoutPending:!1,restriction:null,competition:null}}function n(e){return{name:e,...o[e],minimumTradingDays:0,consistencyPct:null}}                                                  

return{a:l,b:p,c:d,d:m,e:c,f:u}})