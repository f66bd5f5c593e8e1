(function(use,load,meta,require){"use strict";const {a:$,b:h}=use("chunk-2VC3HNQC.js");use("chunk-3P32TMB7.js");const {Bg:N,P:d,Q:x,S:f,Xf:v,cd:k,d:b,e:c,g:w,ga:S,pg:_,sg:I}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                      
                            async function E(t,o){let{market:e}=o,i=await _(t);R("max",o,i.find(({market_id:u})=>u===e.market_id));let{found:m,smallest:p,limit:r}=await $(t,o);if(m===void 0)throw z("max",p,r.says);return t.note(
`max is ${d(m.order.size)} ${e.symbol}: one more lot would exceed ${r.says}.`),m}async function j(t,o,e){let{market:i}=e,[m,p]=await Promise.all([k(t),I(t,i.market_id)]);R(o.text,e,p);let r=T(o,m),u=g=>r.
isInclusive?g>r.amount:g>=r.amount,a={says:`the risk of ${f(r.amount)} USD`,isBroken:g=>u(h(g))},s=await $(t,e,[a]),{found:n}=s;if(n===void 0)throw P(o,e,r,{...s,ofRisk:a,isAdding:p!==void 0});let{size:l,
stop_loss_price:y}=n.order,U=s.limit===a?"":`; one more lot would exceed ${s.limit.says}`;return t.note(`${o.text} is ${d(l)} ${i.symbol}: at the stop ${d(y)} it loses ${f(h(n))} of ${f(r.amount)} USD\
, including slippage, fees and a gap of ${d(Number(n.gap.bps.toPrecision(2)))} bps${U}.`),n}function T({amount:t,of:o,text:e},{risk:i,status:m}){if(o==="usd")return{amount:t,isInclusive:!0};let p=u=>Number(
(u*t/100).toFixed(8));if(o==="equity"){if(i?.equity!==null&&i?.equity!==void 0)return{amount:p(i.equity),isInclusive:!0};throw new c({code:"no_equity",message:`${e} is a share of the account's equity,\
 which is currently unknown.`,hint:"Try again in a moment, or give the risk in USD: risk:200usd.",retryable:!0})}let r=v(i);if(r===void 0)throw w(`${e} is a share of the room to a floor, but the accou\
nt has no floor with a known room.`,"Give the risk in USD or as a share of the equity: risk:200usd, risk:0.5%.");if(r.room>0&&m==="active")return{amount:p(r.room),isInclusive:t<100};throw new c({code:"\
no_room",message:m==="active"?`No room is left above the ${r.name} floor at ${f(r.at)}, so no size fits.`:`The account is ${m}: it has no room, so no size fits.`,hint:"perp accounts show prints the fl\
oors."})}function P(t,{market:o},e,{lot:i,smallest:m,limit:p,ofRisk:r,isAdding:u}){if(i===void 0)return new c({code:"insufficient_depth",message:`${t.text} at this stop needs more ${o.symbol} than the\
 visible book can fill. Nothing was sent.`,hint:"Risk less, move the stop further away, or use a --limit-price."});if(h(i)===Number.POSITIVE_INFINITY)return z(t.text,m,`${r.says}: part of the position\
 stays open beyond its stop`);if(p!==r||!r.isBroken(i))return z(t.text,m,p.says);let s=d(10**-o.size_decimals),n=u?"one more lot and the open position lose":`one lot of ${s} ${o.symbol} loses`;return w(
`${t.text} (${f(e.amount)} USD) is less than what ${n} at this stop: ${f(h(i))} USD.`,"Risk more, or move the stop closer to the entry.")}function z(t,o,e){return new c({code:"no_size",message:`${t} i\
s zero: ${o} would exceed ${e}. Nothing was sent.`,hint:"perp accounts show prints the balance and the floors, perp accounts policy the limits."})}function R(t,{market:o,order:{side:e}},i){if(!(i===void 0||
i.side==="long"==(e==="buy")))throw w(`${t} sizes an order that opens or adds to a position, but ${o.symbol} is ${i.side} ${d(i.size)}.`,"Close it first with perp positions close, or give the size its\
elf.")}async function C(t,{order:o,market:e},i){let{stop_loss_price:m,take_profit_price:p}=o,{stopAt:r=m===void 0?void 0:async()=>m}=i,u={order:o,market:e,judging:{...i,stopAt:r},isTyped:!1,hasTarget:p!==
void 0};try{let a=await N($(t,u));if(a===void 0)throw new c({code:"no_answer",message:"no answer within 5s."});let{found:s,smallest:n,limit:l}=a;if(s===void 0)return{text:`No size fits: ${n} would exc\
eed ${l.says}.`,largest:0};let{size:y}=s.order;return{text:`The largest size that fits is ${d(y)} ${x(e.symbol)}.`,largest:y}}catch(a){let{message:s,hint:n,exit:l}=S(a);return!(a instanceof c)||l!==b.
rejected?{text:`The largest size that fits is not known: ${s}`,largest:void 0}:{text:`No size fits: ${s.replace(/ Nothing was sent\.$/,"")}`,largest:0,hint:n}}}                                                            

return{largestAllowed:E,otherSizes:C,riskedSize:j}})