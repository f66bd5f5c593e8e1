(function(use,load,meta,require){"use strict";const {a:$,b:h,c:_}=use("chunk-ZD3QZFAG.js");use("chunk-DIQYNJ3C.js");const {Ag:k,Tg:w,V:c,Z:d,ah:v,d:b,e:l,g:g,pa:x,yd:S}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                         
                            async function O(o,i){let{market:r}=i;I("max",i,await w(o,r.market_id));let{found:t,smallest:s,limit:m}=await $(o,i);if(t===void 0)throw z("max",s,m.says);return o.note(`max is ${c(t.order.size)} ${r.
symbol}: one more lot would exceed ${m.says}.`),t}async function E(o,i,r){let{market:t}=r,[s,m]=await Promise.all([S(o),w(o,t.market_id)]);I(i.text,r,m);let e=U(i,s),u=y=>e.isInclusive?y>e.amount:y>=e.
amount,a={says:`the risk of ${d(e.amount)} USD`,isBroken:y=>u(h(y))},n=await $(o,r,[a]),{found:p}=n;if(p===void 0)throw T(i,r,e,{...n,ofRisk:a,isAdding:m!==void 0});let{size:f,stop_loss_price:N}=p.order,
R=n.limit===a?"":`; one more lot would exceed ${n.limit.says}`;return o.note(`${i.text} is ${c(f)} ${t.symbol}: at the stop ${c(N)} it loses ${d(h(p))} of ${d(e.amount)} USD, including slippage, fees \
and a gap of ${c(Number(p.gap.bps.toPrecision(2)))} bps${R}.`),p}function U({amount:o,of:i,text:r},{risk:t,status:s}){if(i==="usd")return{amount:o,isInclusive:!0};let m=u=>Number((u*o/100).toFixed(8));
if(i==="equity"){if(t?.equity!==null&&t?.equity!==void 0)return{amount:m(t.equity),isInclusive:!0};throw new l({code:"no_equity",message:`${r} is a share of the account's equity, which is currently un\
known.`,hint:"Try again in a moment, or give the risk in USD: risk:200usd.",retryable:!0})}let e=k(t);if(e===void 0)throw g(`${r} is a share of the room to a floor, but the account has no floor with a\
 known room.`,"Give the risk in USD or as a share of the equity: risk:200usd, risk:0.5%.");if(e.room>0&&s==="active")return{amount:m(e.room),isInclusive:o<100};throw new l({code:"no_room",message:s===
"active"?`No room is left above the ${e.name} floor at ${d(e.at)}, so no size fits.`:`The account is ${s}: it has no room, so no size fits.`,hint:"perp accounts show prints the floors."})}function T(o,{
market:i},r,{lot:t,smallest:s,limit:m,ofRisk:e,isAdding:u}){if(t===void 0)return new l({code:"insufficient_depth",message:`${o.text} at this stop needs more ${i.symbol} than the visible book can fill.\
 Nothing was sent.`,hint:"Risk less, move the stop further away, or use a --limit-price."});if(h(t)===Number.POSITIVE_INFINITY)return z(o.text,s,`${e.says}: part of the position stays open beyond its \
stop`);if(m!==e||!e.isBroken(t))return z(o.text,s,m.says);let n=c(10**-i.size_decimals),p=u?"one more lot and the open position lose":`one lot of ${n} ${i.symbol} loses`;return g(`${o.text} (${d(r.amount)}\
 USD) is less than what ${p} at this stop: ${d(h(t))} USD.`,"Risk more, or move the stop closer to the entry.")}function z(o,i,r){return new l({code:"no_size",message:`${o} is zero: ${i} would exceed ${r}\
. Nothing was sent.`,hint:"perp accounts show prints the balance and the floors, perp accounts policy the limits."})}function I(o,{market:i,order:{side:r}},t){if(!(t===void 0||t.side==="long"==(r==="b\
uy")))throw g(`${o} sizes an order that opens or adds to a position, but ${i.symbol} is ${t.side} ${c(t.size)}.`,"Close it first with perp positions close, or give the size itself.")}async function j(o,{
order:i,market:r},t){let{stop_loss_price:s,take_profit_price:m}=i,{stopAt:e=s===void 0?void 0:async()=>s}=t,u={order:i,market:r,judging:{...t,stopAt:e},isTyped:!1,hasTarget:m!==void 0};try{let{found:a,
smallest:n,limit:p}=await v($(o,u));if(a===void 0)return{text:`No size fits: ${n} would exceed ${p.says}.`,largest:0};let{size:f}=a.order;return{text:_(f,r),largest:f}}catch(a){let{message:n,hint:p,exit:f}=x(
a);return!(a instanceof l)||f!==b.rejected?{text:`The largest size that fits is not known: ${n}`,largest:void 0}:{text:`No size fits: ${n.replace(/ Nothing was sent\.$/,"")}`,largest:0,hint:p}}}                                                            

return{largestAllowed:O,otherSizes:j,riskedSize:E}})