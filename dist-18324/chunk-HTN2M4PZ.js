(function(use,load,meta,require){"use strict";const {$g:S,Cg:L,Eh:v,El:K,L:b,Mh:D,Rd:C,Sd:d,Ti:N,Ud:k,V:h,Wi:U,X:f,Xf:T,Xi:j,Yf:E,Yi:H,Zi:I,_f:q,_i:J,be:P,d:m,da:y,ej:W,fj:A,jf:B,jj:Y,pa:_,qa:R,qh:z,ri:$,rl:x,si:M,zh:F}=use("chunk-AFUPYCZE.js");
                                                                                                                                                                                                           
                                                                                                  function Be(e,t){return{send:x(e,"cancelAllAccountOrders","Canceling orders"),async done({data:n}){let{data:r}=await e.call("listOrders",{query:{account_id:t,status:"working"}}),o=await N(e,t,()=>({working:r})),
l=new Set(n.results.filter(({status:s})=>s==="queued").map(({order_id:s})=>s)),a=r.filter(s=>!l.has(s.id)&&s.status==="resting"),i=n.failed_count>0||a.length>0,p=()=>[X(n,"order","canceled"),Z(n.results.
map(({order_id:s,...g})=>({id:s,...g}))),V(a,"order","working",J)];return Q(A(e,n,o),p,i)}}}function Q(e,t,n){let r=C(e,t,n?m.incomplete:void 0);return e.results.length===0?r:{...r,rows:e.results}}function Te(e,t,n){
return{send:x(e,"closeAllAccountPositions","Closing positions"),async done({data:r}){let[{data:o},{strategies:l,orders:a,working:i},p]=await Promise.all([e.call("listOpenPositions",{query:{account_id:t}}),
oe(e,t),$(e)?S(e,"The room",F(e,t),void 0):void 0]),s={positions:o,working:i,marks:new Map},g={...s,outlook:await z(e,L(p,s,s.marks),s)},O=await re(e,r),c=n?l:[];for(let u of n?a:[...l,...a])e.note(u);
for(let u of c)e.io.err(`${b(u)}
`);let w=r.failed_count>0||o.length>0||c.length>0,G=()=>[X(r,"position","closed"),O.results.map(({order:u})=>u&&ne(u,u.computed.average_price)),Z(r.results.map(({position_id:u,...te})=>({id:u,...te}))),
o.length===0?ie(c.length):V(o,"position","open",D(new Map))],ee=$(e)?A(e,O,g):r;return Q(ee,G,w)}}}function ne(e,t){if(t===void 0)return;let n=t===null?"":` at ${h(t)}`;return d(`  ${f(e.side)} ${h(e.
filled_size??e.size)} ${f(e.symbol)}${n}`)}function V(e,t,n,r){return e.length===0?[]:[d({text:`${y(e.length,t)} still ${n}:`,tone:"bad"}),k(e,r)]}async function re(e,t){let n=t.results.map(async({order:r,
...o})=>({...o,order:r&&await Y(e,r)}));return{...t,results:await Promise.all(n)}}async function oe(e,t){let[{data:n},{data:r},o]=await Promise.all([e.call("listActiveTwapOrders",{query:{account_id:t}}),
e.call("listOrders",{query:{account_id:t,status:"working"}}),v(e)]),l=i=>i.twap_order_id??i.scaled_order_id,a=r.filter(i=>!i.reduce_only&&l(i)===void 0&&!T(i));return{working:r,strategies:E(t,{twaps:n,
working:r,copies:o}).filter(({reduce_only:i})=>!i).map(i=>q(i)),orders:a.length===0?[]:[`${y(a.length,"working order")} may open a position again; cancel with perp cancel-all`]}}function ie(e){if(e===
0)return d({text:"The account is flat.",tone:"good"});let t=e===1?"1 running strategy":`${e} running strategies`;return d({text:`The account is flat for now, but ${t} may trade again.`,tone:"bad"})}function X(e,t,n){
if(e.total_count===0)return d(`No ${t}s were ${n}.`);let r=e.failed_count===0?"":`, ${f(e.failed_count)} failed`;return d({text:`${f(e.succeeded_count)} of ${y(e.total_count,t)} ${n}${r}.`,tone:r===""?
"good":"bad"})}function Z(e){return k(e.filter(({status:t})=>t==="failed"),[{header:"FAILED",cell:({id:t})=>t},{header:"STATUS",cell:({status:t})=>P(t),keep:1},{header:"WHY",cell:({rule_id:t,failure_code:n})=>t??
n}])}async function Ee(e,t){let n=le(t);n!==void 0&&M(e,{account_id:n});let r=await I(e,t),{canceled:o,exit:l}=await ce(e,t),a=await r(),i=t.filter(({id:c})=>o.some(w=>w.id===c));for(let c of new Set(
i.map(({account_id:w})=>w)))await U(e,c,i);let p=n===void 0?void 0:await H(e,n,j(i)),s=e.memory.sharesReads?o:o.map(c=>se(c,t,p)),g=t.length===1?s[0]:s;return B(e,n,C(g,()=>[o.map(c=>ae(c,t)),a.map(c=>d(
{text:c,tone:"warn"}))],l))}function se(e,t,n){let{market_id:r}=t.find(({id:o})=>o===e.id)??{market_id:""};return{...e,computed:W(r,r===""?void 0:n)}}function le(e){return new Set(e.map(({account_id:n})=>n)).
size===1?e[0].account_id:void 0}async function ce(e,t){let n=[];for(let r of t)try{n.push((await e.call("cancelOrder",{path:{order_id:r.id}})).data)}catch(o){if(t.length===1)throw o;let l=_(o);if(l.exit===
m.bug||l.exit===m.interrupted)throw o;let a={...l,message:`${r.id}: ${l.message}`};e.io.err(R(a,K(e.settings),e.io.stderrColumns))}return{canceled:n,exit:n.length===t.length?m.done:m.incomplete}}function ae({
id:e,queued:t},n){let r=n.find(l=>l.id===e),o=r===void 0?e:`${ue(r)}  ${e}`;return d({text:t===!0?"Cancellation queued":"Canceled",tone:t===!0?"warn":"strong"},`  ${o}`)}function ue(e){let t=e.limit_price??
e.trigger_price;return`${f(e.mode)} ${f(e.side)} ${h(e.size)} ${f(e.symbol)}${t===void 0?"":` at ${h(t)}`}`}                                                

return{a:Be,b:Te,c:Ee,d:le,e:ue}})