(function(use,load,meta,require){"use strict";const {Ig:k,Tg:$,V:g,Xg:b,da:h,e:p,eb:w,hk:u,ib:x,la:_,vk:O}=use("chunk-AFUPYCZE.js");
                                                                                                                       async function E(i,e){let{account_id:t,market_id:r,side:o,take_profit_price:n,stop_loss_price:s}=e;if(!(n!==void 0||s!==void 0)||e.replace_overlapping_exits===!0)return[];let d=await b(i,t),a=await $(
i,r);if(a!==void 0&&a.side==="long"==(o==="buy")&&P({tp:n!==void 0,sl:s!==void 0},a,d),w(e.type))return[];let l=(m,v)=>m!==void 0&&typeof v=="number"&&v!==m,c=d.find(m=>m.market_id===r&&m.side===o&&(l(
n,m.attached_take_profit_price)||l(s,m.attached_stop_loss_price)));return c===void 0?[]:[N(c)]}function P(i,e,t){let r=t.filter(n=>n.target_position_id===e.id&&i[x(n.type)]);if(r.length===0)return;let o=r.
map(n=>`${n.id} (${O[x(n.type)]} at ${g(k(n))})`);throw new p({code:"exit_conflict",ruleId:"exit-allocation",message:`The ${e.symbol} position already has ${o.join(" and ")}. Nothing was sent.`,hint:"\
Add --replace-exits to replace them, or place the order without exits and then move them: perp stop, perp target."})}function N({id:i,mode:e,size:t,symbol:r}){return`${i} (${e} ${g(t)} ${r}) is workin\
g on the same side with different exits. The first order to fill sets the exits of the whole position; --replace-exits uses those of this order.`}function M(i,e){let{order:t,market:r,positions:o,working:n=[]}=i;
I(i);let s=o.find(({market_id:a})=>a===t.market_id),f=n.filter(a=>a.market_id===t.market_id),d=T(t,s,f).find(a=>a.leverage!==t.leverage||a.margin_mode!==t.margin_mode);if(d!==void 0)throw new p({code:"\
leverage_mismatch",ruleId:"leverage-mismatch",message:`The position or orders in ${r.symbol} are already at ${d.leverage}x ${d.margin_mode}. Nothing was sent.`,hint:_("leverage_mismatch","leverage-mis\
match")});s!==void 0&&!u(t,s)&&t.replace_overlapping_exits!==!0&&P(e,s,f)}function I({order:i,market:e,policy:t,positions:r,working:o=[]}){let n=t?.limits.maintenance_margin_ratio_bps??0,s=Math.min(e.
max_leverage,n>0?Math.floor(1e4/n):Number.POSITIVE_INFINITY);if(i.leverage!==void 0&&i.leverage>s)throw y("max-leverage",`The leverage in ${e.symbol} is at most ${s}x.`);if(t===void 0)return;let{max_open_positions:f,
max_resting_orders:d}=t.limits;if(!r.some(({market_id:c})=>c===i.market_id)&&r.length>=f)throw y("max-open-positions",`The account already has ${h(r.length,"open position")}.`);let l=o.filter(({status:c})=>c===
"resting").length;if(!w(i.type)&&l>=d)throw y("max-resting-orders",`The account already has ${h(l,"resting order")}.`)}function y(i,e){let t="rule_violation";return new p({code:t,ruleId:i,message:`${e}\
 Nothing was sent.`,hint:_(t,i)})}function T(i,e,t){let r=t.filter(o=>!o.reduce_only&&(e===void 0||!u(o,e)||o.size>e.size));return e===void 0||u(i,e)?r:[e,...r]}                      

return{a:E,b:M}})