(function(use,load,meta,require){"use strict";const {$d:u,Sd:g,Td:s,Ud:_,V:n,Vd:h,X:i,aa:t,be:f,ca:o,ia:m}=use("chunk-AFUPYCZE.js");
                                                                                                                       var c=e=>m(e.market_id,e.symbol),d=e=>e===void 0?void 0:n(e),l=e=>e===void 0?void 0:t(e),O={header:"STARTED",cell:e=>t(e.started_at),keep:2},k={header:"MARKET",cell:c},p={header:"SIDE",cell:e=>u(e.side)},
y={header:"STATUS",cell:e=>f(e.status)},C={header:"ID",cell:e=>e.id,keep:7},D=[O,k,{header:"KIND",cell:e=>e.strategy,keep:5},p,{header:"FILLED",cell:E,align:"right"},{header:"AVERAGE",cell:e=>d(e.average_price)??
"",align:"right",keep:6},{header:"SLICES",cell:S,align:"right",keep:4},y,{header:"REASON",cell:e=>e.completion_reason??"",keep:3},{header:"ENDS",cell:e=>t(e.end_at),keep:1},C];function I(e){return[$(i(
e.strategy).toUpperCase(),e),s(["market",c(e)],["filled",E(e)],["average",d(e.average_price)],["slices",S(e)||void 0],["every",o(e.slice_interval_seconds*1e3)],["duration",o(e.duration_minutes*6e4)],[
"randomized",e.randomize===!0?"size and time":void 0],["reduce only",e.reduce_only?"yes":void 0],["trigger",d(e.trigger_price)],["price limits",v(e)],["leverage",P(e)],["reason",e.completion_reason],[
"started",t(e.started_at)],["activated",l(e.activated_at)],["next slice",l(e.next_run_at)],["ends",t(e.end_at)],...R("twap",e))]}function E(e){return`${n(e.filled_size)} of ${n(e.total_size)}`}function S(e){
return e.slice_count===void 0?"":`${i(e.slices_attempted??0)} of ${i(e.slice_count)}`}function v({min_price:e,max_price:r}){let a=e===void 0?"":`from ${n(e)}`,x=r===void 0?"":`to ${n(r)}`;return`${a} ${x}`.
trim()||void 0}var A=[O,k,p,{header:"SIZE",cell:e=>n(e.total_size),align:"right"},{header:"FROM",cell:e=>d(e.start_price)??"",align:"right",keep:6},{header:"TO",cell:e=>d(e.end_price)??"",align:"right",
keep:5},{header:"RUNGS",cell:T,align:"right",keep:4},{header:"SHAPE",cell:e=>e.distribution??"",keep:3},y,C];function B(e){return[$("Ladder",e),s(["market",c(e)],["shape",e.distribution],["rungs",T(e)],
["leverage",P(e)],["reduce only",e.reduce_only===!0?"yes":void 0],["started",t(e.started_at)],...R("ladder",e)),h,_(e.rungs,[{header:"PRICE",cell:r=>n(r.price),align:"right"},{header:"SIZE",cell:r=>n(
r.size),align:"right"},{header:"ROLE",cell:r=>r.liquidity_role??"",keep:1},{header:"ORDER",cell:r=>r.order_id??"",keep:2},{header:"REJECTED",cell:r=>({text:r.reject_message??r.reject_reason??"",tone:"\
bad"}),keep:3}])]}function T(e){let r=e.rejected_count??0;return`${i(e.rung_count)}${r>0?`, ${r} rejected`:""}`}function $(e,r){let a=` ${n(r.total_size)} ${c(r)}  `;return g({text:e,tone:"strong"}," \
 ",u(r.side),a,f(r.status))}function P({leverage:e,margin_mode:r}){return e===void 0?void 0:`${n(e)}x ${i(r??"")}`.trim()}function R(e,r){return[["completed",l(r.completed_at)],["canceled",l(r.canceled_at)],
[e,r.id],["account",r.account_id]]}                                    

return{a:D,b:I,c:A,d:B}})