(function(use,load,meta,require){"use strict";use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                        var g=/^gate-/;async function h(i,e){let n=[],m=new Map;for(let t of e)t.kind==="outcome"&&!m.has(t.write)&&m.set(t.write,t),t.kind==="asked"&&t.decision==="allowed"&&n.push(t);let r=await w(i),{run:_}=await i.
access(),a=_(),u=new Set,o={matched:0,unrecorded:[],missing:[],cant_tell:0,of_other_runs:0};for(let{seq:t,bot:d,write:c,upstream:l,operation:f}of n){let s=l?.clientOrderId,p=m.get(c);if(s===void 0){(f===
"createTwapOrder"||f==="createScaledOrder")&&(o.cant_tell+=1);continue}u.add(s),!r.has(s)&&(p?.run!==void 0&&a!==void 0&&p.run!==a?o.of_other_runs+=1:p?.outcome==="done"?o.missing.push({seq:t,bot:d,client_order_id:s}):
(p===void 0||p.outcome==="unknown")&&(o.cant_tell+=1))}for(let[t,{id:d,account_id:c}]of r)u.has(t)?o.matched+=1:o.unrecorded.push({order_id:d,client_order_id:t,account_id:c});return o}async function w(i){
let e=new Map,{data:n}=await i.call("listAccounts",{});for(let{id:m}of n)for await(let r of i.pages("listOrders",{query:{account_id:m,limit:100}}))r.client_order_id!==void 0&&g.test(r.client_order_id)&&
e.set(r.client_order_id,r);return e}                                

return{compareWithService:h}})