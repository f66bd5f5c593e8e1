(function(use,load,meta,require){"use strict";const {Ag:d,kg:a,mg:f,ng:e}=use("chunk-KBEGXUNB.js");
                                                                 var _=500;async function z(r,t){if((t.filled_size??0)===0)return{order:t,computed:{}};if(!a(t))return{order:t,computed:e(t,[t])};let i=e(t,await d(r,"The fills of the order",O(r,t),[])),{fill_price:p,
notional:m,fee:o,realized_pnl:h,...n}=t,{average_price:l,filled_notional:s,total_fee:c,total_realized_pnl:u}=i;return l===null?(r.note(`The average price and the fees of ${t.id} are not known: not all\
 of its fills were found.`),{order:n,computed:i}):{order:{...n,...{fill_price:l,notional:s??void 0,fee:c??void 0},realized_pnl:u??void 0},computed:i}}async function O(r,t){let i=[],p=t.filled_size??0,
m=0;for await(let o of r.pages("listFills",{query:{account_id:t.account_id,limit:100}})){if(m+=1,m>_||(o.settled_at??o.requested_at)<t.requested_at)break;if(f(o,t)&&(i.push(o),p=Number((p-o.size).toFixed(
8)),p<=0))break}return i}               

return{a:z}})