(function(use,load,meta,require){"use strict";const {$c:S,Ad:w,Bi:_,Cd:P,Ha:b,P:c,Q:I,U:h,X:R,_i:D,aa:g,fd:C,g:T,ki:M,og:f,qd:E,ri:W,sd:v,si:x,ti:N,ud:y,ui:$,vd:A}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                    
                            function L(r,{running:t,ended:o}){let e=new Set(t.map(({id:n})=>n)),p=n=>n.twap_order_id===void 0||!e.has(n.twap_order_id),m=q(r.filter(n=>f(n)&&p(n)),t),i=G(r.filter(n=>!f(n)&&p(n)),o);if(m.length===
0||i.length===0)return[y([...m,...i],O)];let d=n=>v({text:n,tone:"strong"});return[d("Working"),y(m,O),A,d("Ended"),y(i,O)]}var O=_.map(r=>({...r,cell:t=>"cells"in t?t.cells[r.header]??"":r.cell(t)}));
function q(r,t){return[...new Set([...r,...t].map(({market_id:e})=>e))].flatMap(e=>{let p=r.filter(({market_id:i})=>i===e),m=p.filter(i=>i.reduce_only&&i.target_position_id!==void 0);return[...p.filter(
i=>!m.includes(i)).flatMap(i=>[i,...U(i)]),...t.filter(({market_id:i})=>i===e).map(z),...[...Map.groupBy(m,B).values()].flat()]})}function B({id:r,oco_sibling_order_id:t=r}){return r<t?r:t}function U(r){
return(r.filled_size??0)>0?[]:[["stop_loss",r.attached_stop_loss_price],["take_profit",r.attached_take_profit_price]].flatMap(([o,e])=>e===void 0?[]:j(r,o,e))}function j(r,t,o){return{cells:{MARKET:g(
r.market_id,r.symbol),KIND:`  ${t}`,SIDE:w(r.side==="buy"?"sell":"buy"),SIZE:c(r.size),PRICE:`@${c(o)}`,STATUS:{text:"attached",tone:"faint"},"PART OF":r.id}}}function z(r){return{cells:{TIME:h(r.started_at),
MARKET:g(r.market_id,r.symbol),KIND:I(r.strategy),SIDE:w(r.side),SIZE:c(r.total_size),PRICE:r.average_price===void 0?"":c(r.average_price),FILLED:`${c(r.filled_size)} of ${c(r.total_size)}`,STATUS:P(r.
status),REASON:r.completion_reason??"",ID:r.id}}}function G(r,t){let o=Map.groupBy(r,({twap_order_id:e})=>e);return r.flatMap(e=>{let p=e.twap_order_id,m=o.get(p)??[];if(p===void 0)return[e];if(m[0]!==
e)return[];let i=t.find(d=>d.id===p);return[i===void 0?Z(p,m):z(i)]})}function Z(r,t){let o=t[0],e=t.reduce((p,{filled_size:m=0})=>p+m,0);return{cells:{TIME:h(o.requested_at),MARKET:g(o.market_id,o.symbol),
KIND:R(t.length,"slice"),SIDE:w(o.side),FILLED:c(Number(e.toPrecision(14))),ID:r}}}var lr={summary:"List working orders and, with --ended, those that have ended",description:"Working orders are pendin\
g, resting or armed; all of them are listed. Ended ones follow, newest first. The table shows the attached exits of an entry below it, the exits of positions last in their market, and a TWAP instead o\
f its slices; JSON and CSV list the orders themselves. PART OF names the ladder or TWAP of an order, or the other order of an OCO pair.",options:{ended:{summary:"also list ended orders"},...W,status:{
value:"STATUS",choices:["working","pending","resting","filled","canceled","rejected","expired"],summary:"only orders with this status"},limit:{value:"N",kind:"count",maximum:1e5,summary:"number of ord\
ers to list (default: all working ones, 50 ended ones)"},all:{summary:"list every order, working or ended"}},examples:[["perp order","working orders"],["perp order list --ended --since today","and tod\
ay's ended orders"],["perp order list --columns market,side,size,price,id","these columns, in this order"],["perp order list --all --json","every order, for a program"]]};async function cr(r,t){let o=await J(
r,t),e=await S(r),p=r.settings.output==="table"&&r.settings.listColumns===void 0,m=N(V(r,{account_id:e},t,o,p),l=>Q(r,l)),i=E(m,{fields:D,columns:_,empty:H(t,o)});if(!p)return i;let d=o.working&&t.status!==
"pending"&&t.status!=="resting",[n,s]=await Promise.all([Array.fromAsync(m),d?k(r,e,"active"):[]]),a=n.some(l=>!f(l)&&l.twap_order_id!==void 0&&!s.some(({id:K})=>K===l.twap_order_id))?await Promise.all(
[k(r,e,"completed"),k(r,e,"canceled")]):[],F={running:s.filter(l=>o.has(l,l.started_at)),ended:a.flat()};return{...i,rows:n,blocks:()=>L(n,F)}}async function J(r,{status:t,ended:o,all:e,market:p,since:m}){
let i=t==="working"||t==="pending"||t==="resting";if(i&&o)throw T(`--status ${t} lists working orders; --ended adds ended ones.`,"Give one of them.");let[d,n]=await Promise.all([p===void 0?void 0:C(r,
p).then(({market_id:s})=>s),m===void 0?void 0:M(r,m)]);return{working:t===void 0||i,ended:t===void 0?o||e:!i,has:({market_id:s},u)=>(d===void 0||s===d)&&(n===void 0||u>=n),since:n}}async function*V(r,t,o,e,p){
let{status:m}=o,i=s=>m===void 0||m==="working"||s.status===m,d=new Set;if(e.working){let{data:s}=await r.call("listOrders",{query:{...t,status:"working"}}),u=s.filter(a=>i(a)&&e.has(a,a.requested_at));
for(let a of e.ended?u:$(r,u,o))d.add(a.id),yield a}if(!e.ended)return;let{since:n}=e;yield*x(r,"listOrders",t,o,{keeps:s=>!f(s)&&!d.has(s.id)&&i(s)&&e.has(s,1/0),...n===void 0?{}:{isOver:s=>s.requested_at<
n},...p?{groupOf:s=>s.twap_order_id}:{}})}async function k(r,t,o){try{return(await r.call("listActiveTwapOrders",{query:{account_id:t,status:o}})).data}catch(e){return r.note(`TWAP orders (${o}) could\
 not be read: ${e.message}`),[]}}function H({status:r},{ended:t}){return r!==void 0?`No ${r} orders.`:t?"No orders yet.":"No working orders. --ended lists those that have ended."}function Q(r,t){b(r,"\
order",t.filter(f).map(o=>[o.id,`${o.side} ${o.size} ${o.symbol}`]))}                                                     

return{command:lr,orderListBlocks:L,run:cr}})