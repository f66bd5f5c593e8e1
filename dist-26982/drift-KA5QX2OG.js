(function(use,load,meta,require){"use strict";const {Cg:d,Fg:f,Hg:s,P:e,ga:n}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                    var b=5;async function y(t,i){let r=await f(t,i)?.catch(()=>{}),m=r===void 0?void 0:c(i,r);if(m===void 0)return;let{market_id:a,account_id:u,side:l,size:h}=i;try{let o=c(i,await d(t,a,{side:l,size:h,account:u}));
if(o===void 0)return"The book has moved since the preview and no longer fills the whole order.";let p=(o-m)/m*1e4;if(Math.abs(p)<=b)return;let w=`${p>0?"+":""}${p.toFixed(1)} bps`;return`The price has\
 moved since the preview: the order would now fill at ${e(o)} instead of ${e(m)} (${w}).`}catch(o){if(t.signal.aborted)throw o;t.note(`The price can't be compared with the preview: ${n(o).message}`);return}}
function c({side:t,limit_price:i},r){return i!==void 0?s(t,i,r):r.fillable===!1?void 0:r.estimated_fill_price}                     

return{driftOf:y}})