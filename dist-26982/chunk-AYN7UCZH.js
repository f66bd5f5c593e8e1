(function(use,load,meta,require){"use strict";const {fd:m,vk:u,wk:f}=use("chunk-KBEGXUNB.js");
                                                         async function v(t,e,r){let{account_id:P,market_id:i}=r,n=r.side==="long"?"sell":"buy",s=e.triggerMarket??(e.triggerPrice===void 0?void 0:i),d=s===void 0?void 0:(await m(t,s)).market_id,o=(C,b,w=i,x=!1)=>u(
t,C,{label:b,marketId:w,side:n,entry:()=>r.entry_price,isLimit:x}),c=await o(e.limitPrice,"--limit-price",i,!0),a=await o(e.triggerPrice,"--trigger-price",d),p={market:{...r,size_decimals:r.size_decimals??
8},side:n,price:c,trigger:e.triggerMarket===void 0?a:void 0,position:r},l=e.size===void 0?void 0:await f(t,e.size,p),_=e.triggerPrice===void 0?e.limitPrice===void 0?"market":"limit":"conditional",g={type:e.
type??_,client_order_id:e.clientOrderId,expected_price:await o(e.expectedPrice,"--expected-price"),slippage_tolerance_bps:e.slippage,limit_price:c,trigger_price:a,trigger_market_id:d,trigger_direction:e.
triggerDirection,marketable_limit_acknowledged:e.crossOk||void 0},{leverage:y,margin_mode:k}=r,z=Math.min(l??r.size,r.size);return{position:r,body:{...g,size:l},order:{...g,account_id:P,market_id:i,side:n,
size:z,leverage:y,margin_mode:k,reduce_only:!0}}}               

return{a:v}})