(function(use,load,meta,require){"use strict";const {b:H}=use("chunk-DIQYNJ3C.js");const {Ck:J,Hk:G,Qg:F,V:x,X:z,Xg:D,Z:w,dh:L,dk:E,e:U,eb:v,ek:R,g:Q,hh:C,hk:B,ik:V,kk:Y,lk:$,mk:j,ok:K,qk:W}=use("chunk-AFUPYCZE.js");
                                                                                                                                                                                                  
                                          var I=1e-6;async function X(e,o,{amends:n,move:s}){let{account:r,policy:t,positions:i,quote:d,order:a,market:l}=o,{risk:m}=r,p=[],u=i.find(({market_id:c})=>c===a.market_id),f=u!==void 0&&B(a,u),g=m?.gross_exposure??
0;if(m!==void 0){let c=await se(e,o,n),b=Math.max(0,m.available_balance-c),k=c>0?`, with ${w(c)} USD reserved by orders`:"";p.push({says:f?`the available balance once the ${u.side} ${x(u.size)} ${z(l.
symbol)} is closed`:`the available balance of ${w(b)} USD${k}`,isBroken:O=>{let P=N(O,u);if(P===0)return!1;let S=P*A(O),oe=f?te(O,u)-c:b;return(P/O.order.leverage+S)*(1+s)>oe-g*s-I}})}if(t===void 0)return p;
let h=u===void 0?0:u.size*(d.mid??u.entry_price),_=t.limits.max_position_value_usd;p.push({says:`the maximum value of a position, ${w(_)} USD`,isBroken:c=>((f?0:h)+N(c,u))*(1+s)>_-I});let y=t.maximum_total_notional_usd;
return y===null||p.push({says:`the maximum value of all positions, ${w(y)} USD`,isBroken:c=>{let b=f?h*q(c,u)/u.size:0;return(g-b+N(c,u))*(1+s)>y-I}}),p}function T({order:e,quote:o,market:n}){let{size:s,
limit_price:r,trigger_price:t}=e,i=r??(t===void 0?void 0:t+(n.tick_size??0)/2);return s*(i??o.mid??0)}function N(e,o){let{order:n,policy:s,notional:r=0}=e,t=(n.size-q(e,o))/n.size,i=v(n.type)&&s?.limits.
execution_delay_max_ms===0;return t*(i?r:Math.max(r,T(e)))}function q({order:e,working:o=[]},n){if(n===void 0||!B(e,n))return 0;let r=o.filter(t=>t.market_id===e.market_id&&t.side===e.side&&!t.reduce_only).
reduce((t,i)=>t-i.size,n.size);return Math.min(e.size,Math.max(0,Number(r.toPrecision(15))))}function te(e,o){let{account:n,order:s,quote:r,notional:t=0}=e,{balance:i,risk:d}=n,{side:a,entry_price:l,leverage:m,
margin_mode:p,isolated_margin_extra:u}=o,f=q(e,o),g=a==="long"?1:-1,h=[t,T(e)].map(S=>S*f/s.size),_=a==="long"?Math.min(...h):Math.max(...h),y=o.size*l/m+u,c=g*(_-f*l)-_*A(e),b=p==="isolated"?Math.max(
c,-y):c,k=g*f*((r.mid??l)-l),O=(d?.equity??i)+b-k,P=(d?.margin_used??0)-y*f/o.size;return Math.max(0,Math.min(i+b,O)-P)}function A(e){return(V(e)??0)/1e4}async function se(e,o,n){let s=await D(e,o.order.
account_id),r=A(o),t=s.filter(({reduce_only:d,id:a})=>!d&&a!==n),i=await Promise.all(t.map(d=>re(e,d)));return t.reduce((d,{leverage:a},l)=>d+i[l]*(1/a+r),0)}async function re(e,o){return o.size*(j(o)??
(await C(e,o.market_id)).mid??0)}function Z(e){let{order:o,market:n,policy:s,positions:r}=e,t=z(n.symbol),i=r.find(({market_id:m})=>m===o.market_id),d=s?.limits.min_order_notional_usd??0;return i!==void 0&&
B(o,i)?{says:`more than the ${i.side} ${x(i.size)} ${t}`,isBelow:p=>p.order.size<=i.size}:{says:10**-n.size_decimals*(e.quote.mid??0)>=d?`one lot of ${t}`:`an order of the minimum, ${w(d)} USD,`,isBelow:m=>Math.
min(m.notional??0,T(m))<d}}var ie={says:"the size that the visible book can fill within the slippage tolerance",isBroken:()=>!1};async function qe(e,o,n=[]){let{market:s,judging:r,hasTarget:t,isTyped:i}=o,{size_decimals:d}=s,[a,
l]=await Promise.all([de(e,o),i?0:W(e,s)]);i&&ce(e,o,a),r.amends===void 0&&!(i&&e.settings.idempotencyKey!==void 0)&&H(a,{sl:r.stopAt!==void 0,tp:t});let p=[...n,...le(e,a,r),...await X(e,a,{amends:r.
amends,move:l})],u=Z(a),f=b=>u.isBelow(b)||p.every(k=>!k.isBroken(b)),g=await he(b=>ae(e,o,a,b),{fits:f,largest:b=>be(b,f,d)},d),{order:h,lot:_,over:y}=g,c=p.find(b=>y!==void 0&&b.isBroken(y))??ie;return{
found:h&&u.isBelow(h)?void 0:h,lot:_,smallest:u.says,limit:c}}async function de(e,{order:o,market:n,judging:s}){let r={...o,size:10**-n.size_decimals,stop_loss_price:void 0},[t,i]=await Promise.all([E(
e,r,n,F(e),s.amends),s.stopAt===void 0?void 0:K(e,n)]);return i===void 0?t:{...t,gap:i}}async function ae(e,{judging:{stopAt:o}},n,s){let r={...n.order,size:s},t=await L(e,r),i=Y(r,t);if(i===void 0||!ue(
r,t)||me({...n,order:r,quote:t}))return;let d=await o?.(i);d!==void 0&&ge(r,d,i);let a={...r,stop_loss_price:d};return J({...n,quote:t,exitQuote:await R(e,a,n),order:a})}function ue(e,o){return e.limit_price!==
void 0||o.estimated_fill_price!==void 0&&o.fillable!==!1}function ce(e,{order:o,judging:n},{account:s}){let r=$(s);if(!(n.stopAt!==void 0||o.margin_mode==="isolated"||r===void 0)&&!(n.force||e.settings.
floorCheck==="off"))throw Q(`max needs a stop: a cross position without one can lose all of the ${w(r.room)} USD above the ${r.name} floor, at any size.`,"Add --stop-loss, such as --stop-loss 1%, or u\
se --margin isolated; --force sizes by margin and limits alone.")}function le({settings:e},{account:o},{force:n}){let r=[{says:"the size whose stop, so far from its average price, is beyond the mark",
isBroken:fe},{says:"the size whose stop still protects it (trade.require_stop)",isBroken:d=>G({settings:e},d)!==void 0}],t=$(o);return t===void 0||n||e.floorCheck==="off"?r:[{says:`the room of ${w(t.room)}\
 USD above the ${t.name} floor in the worst case`,isBroken:({breach:d})=>d!==void 0},...r]}function fe({order:{type:e,side:o,stop_loss_price:n},quote:{mid:s}}){return n===void 0||s===null||!v(e)?!1:o===
"buy"?n>=s:n<=s}function Ae({worst:e,end:o,order:n}){return e!==void 0?e.loss:n.stop_loss_price!==void 0&&o!==void 0?Number.POSITIVE_INFINITY:0}function me({policy:e,quote:o,market:n,order:s}){let{worst_price:r,
mid:t}=o;if(s.limit_price!==void 0||e===void 0||r===void 0||t===null)return!1;let{max:i,market_order_maximum_by_provider:d}=e.slippage_tolerance_bps,a=Math.min(s.slippage_tolerance_bps??i,i,d[n.provider]??
i);return Math.abs(r-t)/t*1e4>a}function pe(e,o){let n=o/e.order.size;return J({...e,order:{...e.order,size:o},quote:ee(e.quote,n),exitQuote:e.exitQuote&&ee(e.exitQuote,Math.max(1,n))})}function ee(e,o){
let n=s=>s===void 0?void 0:s*o;return{...e,requested_size:n(e.requested_size),estimated_notional:n(e.estimated_notional),estimated_fee:n(e.estimated_fee)}}function be(e,o,n){let s=t=>+`${t}e-${n}`,r=Math.
round(e.order.size*10**n);return s(ye(t=>o(pe(e,s(t))),r))}function ge({side:e},o,n){if(!(e==="buy"?o<n:o>n))throw new U({code:"exit_side",ruleId:"exit-side",message:`The stop-loss ${x(o)} of a ${e} a\
t ${x(n)} must be ${e==="buy"?"below":"above"} it. Nothing was sent.`,hint:"Choose a --stop-loss on the losing side of the entry; --stop-loss 1% is 1% away, on that side."})}var ne=60,M=1e14;function Ue(e,{
symbol:o}){return`The largest size that fits is ${x(e)} ${z(o)}.`}function ye(e,o){let[n,s]=[0,M],r=Math.max(1,Math.min(o,M-1));for(let t=1;s-n>1;t*=2){e(r)?n=r:s=r;let[i,d]=[n===0,s===M];i===d?r=Math.
floor((n+s)/2):r=i?Math.max(1,s-t):Math.min(s-1,n+t)}return n}async function he(e,{fits:o,largest:n},s){let r=f=>+`${f}e-${s}`,t=f=>Math.min(M,Math.round(f*10**s)),i=await e(r(1));if(i===void 0)return{
order:void 0,lot:i,over:void 0};let d=o(i)?i:void 0,a=d===void 0?i:void 0,l=d===void 0?0:1,m=d===void 0?1:Number.POSITIVE_INFINITY,p=t(n(i)),u=[];for(let f=ne;f>0&&m-l>1;f-=1){let g=m-l,h=u.length>=ne/
5,_=g<Number.POSITIVE_INFINITY&&(h||g>(u.at(-2)??g*2)/2);u.push(g);let y=_?l+Math.floor(g/2):Math.max(l+1,Math.min(p,m-1)),c=await e(r(y));c!==void 0&&o(c)?(d=c,l=y):(a=c,m=y),p=c===void 0?l+Math.floor(
(m-l)/2):t(n(c))}return{order:d,lot:i,over:a}}                                        

return{a:qe,b:Ae,c:Ue,d:ye}})