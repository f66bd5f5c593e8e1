(function(use,load,meta,require){"use strict";const {Ol:C,P:e,Pl:z,Uh:k,Vh:g,ad:u,bh:y,e:f,el:$,fd:l,h:h,nl:v,ol:P,sd:n,tg:w,tl:b,ul:x}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                             var J={summary:"Turn a long into a short of the same size, or back",description:"Sends one market order of twice the size, which fills completely or not at all, so the account is never flat in between\
. The old position's exits end with it; attach new ones with --stop-loss and --take-profit. perp reads the position again just before sending, and sends nothing if it has changed.",args:[{name:"positi\
on",kind:"position",summary:"position id or market"}],options:{"stop-loss":{value:"PRICE",kind:"exitPrice",summary:"attach a stop-loss to the new position"},"take-profit":{value:"PRICE",kind:"exitPric\
e",summary:"attach a take-profit to the new position"},slippage:{value:"BPS",kind:"basisPoints",summary:"maximum distance from mid"},"client-order-id":{value:"ID",kind:"text",summary:"your own name fo\
r the order"},wait:{summary:"wait until the order ends"},force:{summary:"place the order even if its worst case would breach a floor"},"far-stop":{summary:"allow a stop-loss more than 20% away"}},examples:[
["perp reverse BTC","from long to short, or back"],["perp reverse BTC --stop-loss 1%","with a stop 1% beyond the new entry"]]};async function K(t,i){i.wait&&await P(t),k(t);let o=u(t,await w(t,i.position));
if(o.status!=="open")throw h(`${o.id} is closed.`,"perp positions lists the open ones.");g(t,o);let m=await l(t,o.market_id),s=await $(t,{...i,farStop:z(t,i.farStop)},o,m),{order:a}=s,[d,c]=o.side==="\
long"?["long","short"]:["short","long"],p=`${e(o.size)} ${m.symbol}`;return C(t,"createOrder",{body:a},{preview:async()=>[n({text:"Reverse",tone:"strong"},`  ${d} ${p} to ${c} ${p}`),...await x(t,s),...B(
i)],check:()=>b(t,s),taker:a,question:`Reverse ${d} ${p} to ${c} ${p}?`,send:async r=>(await O(t,o),t.call("createOrder",r)),done:async({data:r})=>{let I=y(t,r.account_id,r.market_id),[R]=await Promise.
all([v(t,r,i.wait),I]);return R}})}function B({stopLoss:t,takeProfit:i}){return t!==void 0||i!==void 0?[]:[n({text:"The new position has no exits; add --stop-loss or --take-profit to attach one.",tone:"\
warn"})]}async function O(t,i){let{data:o}=await t.call("getPosition",{path:{position_id:i.id}});if(o.status==="open"&&o.side===i.side&&o.size===i.size)return;let m=o.status==="open"?`${o.side} ${e(o.
size)} ${o.symbol}`:o.status;throw new f({code:"position_changed",message:`The position has changed: it is ${m} now, not ${i.side} ${e(i.size)}. Nothing was sent.`,hint:"Check it with perp positions, \
and run the command again."})}                              

return{command:J,run:K}})