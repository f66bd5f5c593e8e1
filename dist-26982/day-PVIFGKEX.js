(function(use,load,meta,require){"use strict";const {Rd:o}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                     var e={summary:"Show today's limits and the rules you kept or broke",description:"Before you trade: the room above each floor, the coming carry and daily floor, limits, and the trading hours of the ma\
rkets that you hold. Afterward: the day's result, and which rules you kept. A day starts at midnight in New York.",args:[{name:"day",kind:"pastTime",optional:!0,summary:"today (default), yesterday, or\
 a time in another day (shows only its results)"}],options:o,examples:[["perp day","today's results and limits"],["perp day yesterday","the rules you kept or broke"],["perp day --json","as JSON"]]};async function s(t,r){
let{showDay:i}=await load  ("./show-day-ABQD42IX.js");return i(t,r)}                              

return{command:e,run:s}})