(function(use,load,meta,require){"use strict";const {a:n}=use("chunk-R7NNUDXT.js");const {d:s}=use("chunk-WPAXU3OW.js");use("chunk-RU3MTBED.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                    function j(o,i){let r=o.read(t=>a(t,i));return()=>o.read(t=>{let m=a(t,i),e=t.store.accounts(n,i);return{orders:m.orders-r.orders,rejected:m.rejected-r.rejected,fills:m.fills-r.fills,accounts:e.map(({
id:p,status:l,breachRuleId:u,endedAt:d})=>{let{equity:c}=t.exchange.risk(p),f=l==="failed"?{rule_id:u,at:d}:null;return{account_id:p,status:l,equity:c===null?null:s(c),breach:f}})}})}function a({store:o},i){
let r={orders:0,rejected:0,fills:0};for(let{id:t}of o.accounts(n,i)){let{orders:m,rejected:e,fills:p}=o.tally(t);r.orders+=m,r.rejected+=e,r.fills+=p}return r}                        

return{beginTally:j}})