(function(use,load,meta,require){"use strict";const {V:e,bh:n,gh:d,ih:f}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                            var w=5;async function v(t,i){let r=await d(t,i)?.catch(()=>{}),m=r===void 0?void 0:s(i,r);if(m===void 0)return;let{market_id:c,account_id:u,side:a,size:l}=i;try{let o=s(i,await n(t,c,{side:a,size:l,account:u}));
if(o===void 0)return"The book has moved since the preview and no longer fills the whole order.";let p=(o-m)/m*1e4;if(Math.abs(p)<=w)return;let h=`${p>0?"+":""}${p.toFixed(1)} bps`;return`The price has\
 moved since the preview: the order would now fill at ${e(o)} instead of ${e(m)} (${h}).`}catch(o){if(t.signal.aborted)throw o;t.note("The price can't be compared with the preview.");return}}function s({
side:t,limit_price:i},r){return i!==void 0?f(t,i,r):r.fillable===!1?void 0:r.estimated_fill_price}                     

return{driftOf:v}})