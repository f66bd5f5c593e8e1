(function(use,load,meta,require){"use strict";const {c:u}=use("chunk-2GDQE3EJ.js");use("chunk-FP2TGY43.js");use("chunk-2VC3HNQC.js");use("chunk-3P32TMB7.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                    var _=1e9,w=.01;function k(r,o,{market:i,side:d,now:a}){let{stopWithin:p,largestLeverage:v=Number.POSITIVE_INFINITY}=r,c=o.positions?.find(({market_id:h})=>h===i),m=o.marks.get(i),e=p===void 0?void 0:
p===Number.POSITIVE_INFINITY?w:p/2,f=m?.tick??.01,n=e===void 0||m===void 0?void 0:Number((Math.round(m.price*(1+(d==="buy"?-e:e))/f)*f).toPrecision(12)),b={operation:"createOrder",account:o.account?.id??
"",body:{type:"market",account_id:o.account?.id,market_id:i,side:d,size:_,leverage:c?.leverage??Math.min(1,v),margin_mode:c?.margin_mode??"cross",reduce_only:!1,...n!==void 0&&{stop_loss_price:n,replace_overlapping_exits:!0}}},
l=u(r,o,b,a),t=I(l),{approveAboveUsd:y,largestOrderUsd:g}=r,T={...r,largestOrderUsd:Math.min(g,y??g)},s=y===void 0?t:I(u(T,o,b,a))??0;return{size:t,approvalAbove:t===null||s===null||s>=t?null:s,stop:t===
null?null:n??null,why:t===null&&!l.isAllowed?l.why:null}}function I(r){return r.isAllowed?_:r.would?.size||null}                         

return{roomToTrade:k}})