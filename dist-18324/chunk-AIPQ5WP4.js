(function(use,load,meta,require){"use strict";const {f:l,i:g}=use("chunk-SDQZVJLW.js");const {Gg:u,Ig:a,Jg:O,Si:k,V:d,X:y,d:c,ia:h,pa:w,tf:x}=use("chunk-AFUPYCZE.js");
                                                                                                                                                             async function N(r,m,o,n){let t=o?.positions?.find(({market_id:p})=>p===m.market_id);if(o?.working===void 0||t===void 0||x(m)===0)return{after:o};let i=u(t,o.working,o.outlook),[e]=i.stops;if(t.side===
"long"!=(m.side==="buy")||e===void 0||!(i.uncovered>0))return{after:o};let{stops:s}=r.settings;if(s!=="follow"&&!(s==="ask"&&await n?.(v(t,i,e))===!0)){let p=`perp stop ${h(t.market_id,t.symbol)} ${d(
a(e))}`;return r.note(`${d(i.uncovered)} of ${l(t)} has no stop; ${p} makes the stop-loss cover all of it.`),{after:o}}try{await b(r,m,o.working)}catch(p){let{exit:f,message:$}=w(p);return r.note(`The\
 order is done, but the stop-loss did not grow, and ${d(i.uncovered)} of ${l(t)} has no stop: ${$}`),{after:o,exit:f===c.outcomeUnknown?f:c.incomplete}}return{after:await k(r,m)}}function v(r,m,o){let n=`\
from ${d(m.covered)} to ${d(r.size)} ${y(r.symbol)}`;return`The order has filled. Grow the stop-loss at ${d(a(o))} ${n}?`}async function b(r,{account_id:m,market_id:o},n){let{data:t}=await r.call("lis\
tOpenPositions",{query:{account_id:m}}),i=t.find(p=>p.market_id===o);if(i===void 0)return;let e={position:i,exits:O(i,n)},s=n.filter(p=>p.target_position_id!==i.id);await g(r,e,async p=>P(p,s))}function P({
position:r,exits:m},o){let{stops:n,uncovered:t}=u(r,[...m,...o]),[i]=n;if(i===void 0||!(t>0))return[];let e=n.find(({id:p})=>m.some(f=>f.id===p)),s=a(e??i);return e===void 0?[{kind:"place",group:"sl",
execution_type:"market",price:s,size:t}]:[{kind:"modify",order_id:e.id,price:s,size:Number((e.size+t).toPrecision(14))}]}               

return{a:N}})