(function(use,load,meta,require){"use strict";const {b:m,e:u,f:p}=use("chunk-WRXQZQCO.js");const {Ie:l}=use("chunk-AFUPYCZE.js");
                                                                                               var C={pending:async()=>[],settle:async()=>[]};function I(r,n,d){let s=!1,o=async(t,e)=>{if(s)throw u("simulation");try{return(await n(t,e)).data}catch(i){throw m(i)}},c=async()=>{s||(s=!0,await r.close(),
await d())};return{client:r,now:async()=>(await o("simStatus",{})).time,async advance(t){let e=p(t)?{to:t.getTime()}:{duration_ms:_(t)};return(await o("simAdvance",{body:e})).to},async status(){let t=await o(
"simStatus",{}),{clock:e,time:i,source:a,seed:f,first_time:y,last_time:w,working_orders:O,open_positions:k}=t;return{clock:e,time:i,source:a,seed:f,firstTime:y,lastTime:w,workingOrders:O,openPositions:k}},
book:async t=>await o("simGetBook",{query:{market_id:t}}),past:async(t,{candles:e,tradesAfter:i})=>{let a=e===void 0?{}:{interval:e.interval,length:e.count};return o("simGetPast",{query:{market_id:t,...a,
after:i}})},async explain(t){let{order_id:e,lines:i}=await o("simExplainOrder",{path:{order_id:t}});return{orderId:e,lines:i}},async setPolicy(t,e){await o("simSetPolicy",{body:{...e,account_id:t}})},
close:c,[Symbol.asyncDispose]:c}}function _(r){if(typeof r=="number")return r;try{return l(r,"the duration")}catch(n){throw m(n)}}                      

return{a:C,b:I}})