(function(use,load,meta,require){"use strict";const {$d:w,Bd:_,Ji:T,Ni:$,Oi:R,Pg:c,Pi:b,Qd:O,Qi:D,Ri:z,Sd:x,Ta:N,Ud:y,V:f,Vd:M,X:A,_i:I,aa:h,aj:F,be:W,da:P,g:E,ia:g,sj:v,vd:k}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                                      
                            function K(e,{running:r,ended:i}){let t=new Set(r.map(({id:d})=>d)),n=d=>d.twap_order_id===void 0||!t.has(d.twap_order_id),s=U(e.filter(d=>c(d)&&n(d)),r),o=J(e.filter(d=>!c(d)&&n(d)),i);if(s.length===
0||o.length===0)return[y([...s,...o],C)];let p=d=>x({text:d,tone:"strong"});return[p("Working"),y(s,C),M,p("Ended"),y(o,C)]}var C=I.map(e=>({...e,cell:r=>"cells"in r?r.cells[e.header]??"":e.cell(r)}));
function U(e,r){return[...new Set([...e,...r].map(({market_id:t})=>t))].flatMap(t=>{let n=e.filter(({market_id:o})=>o===t),s=n.filter(o=>o.reduce_only&&o.target_position_id!==void 0);return[...n.filter(
o=>!s.includes(o)).flatMap(o=>[o,...G(o)]),...r.filter(({market_id:o})=>o===t).map(L),...[...Map.groupBy(s,j).values()].flat()]})}function j({id:e,oco_sibling_order_id:r=e}){return e<r?e:r}function G(e){
return(e.filled_size??0)>0?[]:[["stop_loss",e.attached_stop_loss_price],["take_profit",e.attached_take_profit_price]].flatMap(([i,t])=>t===void 0?[]:Z(e,i,t))}function Z(e,r,i){return{cells:{MARKET:g(
e.market_id,e.symbol),KIND:`  ${r}`,SIDE:w(e.side==="buy"?"sell":"buy"),SIZE:f(e.size),PRICE:`@${f(i)}`,STATUS:{text:"attached",tone:"faint"},"PART OF":e.id}}}function L(e){return{cells:{TIME:h(e.started_at),
MARKET:g(e.market_id,e.symbol),KIND:A(e.strategy),SIDE:w(e.side),SIZE:f(e.total_size),PRICE:e.average_price===void 0?"":f(e.average_price),FILLED:`${f(e.filled_size)} of ${f(e.total_size)}`,STATUS:W(e.
status),REASON:e.completion_reason??"",ID:e.id}}}function J(e,r){let i=Map.groupBy(e,({twap_order_id:t})=>t);return e.flatMap(t=>{let n=t.twap_order_id,s=i.get(n)??[];if(n===void 0)return[t];if(s[0]!==
t)return[];let o=r.find(p=>p.id===n);return[o===void 0?V(n,s):L(o)]})}function V(e,r){let i=r[0],t=r.reduce((n,{filled_size:s=0})=>n+s,0);return{cells:{TIME:h(i.requested_at),MARKET:g(i.market_id,i.symbol),
KIND:P(r.length,"slice"),SIDE:w(i.side),FILLED:f(Number(t.toPrecision(14))),ID:e}}}var Y={summary:"List working orders and, with --ended, those that have ended",description:"Working orders are pending\
, resting or armed; all of them are listed. Ended ones follow, newest first. The table shows the attached exits of an entry below it, the exits of positions last in their market, and a TWAP instead of\
 its slices; JSON and CSV list the orders themselves. PART OF names the ladder or TWAP of an order, or the other order of an OCO pair.",options:{ended:{summary:"also list ended orders"},...R,status:{value:"\
STATUS",choices:["working","pending","resting","filled","canceled","rejected","expired"],summary:"only orders with this status"},limit:{value:"N",kind:"count",maximum:1e5,summary:"number of orders to \
list (default: all working ones, 50 ended ones)"},all:{summary:"list every order, working or ended"}},examples:[["perp order","working orders"],["perp order list --ended --since today","and today's en\
ded orders"],["perp order list --columns market,side,size,price,id","these columns, in this order"],["perp order list --all --json","every order, for a program"]],async run(e,r){let i=await H(e,r),t=await k(
e),n=e.settings.output==="table"&&e.settings.listColumns===void 0,s=D(Q(e,{account_id:t},r,i,n),l=>ee(e,l)),o=O(s,{fields:v,columns:I,empty:X(r,i)});if(!n)return o;let p=i.working&&r.status!=="pending"&&
r.status!=="resting",[d,m]=await Promise.all([Array.fromAsync(s),p?S(e,t,"active"):[]]),a=d.some(l=>!c(l)&&l.twap_order_id!==void 0&&!m.some(({id:B})=>B===l.twap_order_id))?await Promise.all([S(e,t,"c\
ompleted"),S(e,t,"canceled")]):[],q={running:m.filter(l=>i.has(l,l.started_at)),ended:a.flat()};return{...o,rows:d,blocks:()=>K(d,q)}}};async function H(e,{status:r,ended:i,all:t,market:n,since:s}){let o=r===
"working"||r==="pending"||r==="resting";if(o&&i)throw E(`--status ${r} lists working orders; --ended adds ended ones.`,"Give one of them.");let[p,d]=await Promise.all([n===void 0?void 0:_(e,n).then(({
market_id:m})=>m),s===void 0?void 0:T(e,s)]);return{working:r===void 0||o,ended:r===void 0?i||t:!o,has:({market_id:m},u)=>(p===void 0||m===p)&&(d===void 0||u>=d),since:d}}async function*Q(e,r,i,t,n){let{
status:s}=i,o=m=>s===void 0||s==="working"||m.status===s,p=new Set;if(t.working){let{data:m}=await e.call("listOrders",{query:{...r,status:"working"}}),u=m.filter(a=>o(a)&&t.has(a,a.requested_at));for(let a of t.
ended?u:z(e,u,i))p.add(a.id),yield a}if(!t.ended)return;let{since:d}=t;yield*b(e,"listOrders",r,i,{keeps:m=>!c(m)&&!p.has(m.id)&&o(m)&&t.has(m,1/0),...d===void 0?{}:{isOver:m=>m.requested_at<d},...n?{
groupOf:m=>m.twap_order_id}:{}})}async function S(e,r,i){try{return(await e.call("listActiveTwapOrders",{query:{account_id:r,status:i}})).data}catch(t){return e.note(`TWAP orders (${i}) could not be r\
ead: ${t.message}`),[]}}function X({status:e},{ended:r}){return e!==void 0?`No ${e} orders.`:r?"No orders yet.":"No working orders. --ended lists those that have ended."}function ee(e,r){N(e,"order",r.
filter(c).map(i=>[i.id,`${i.side} ${i.size} ${i.symbol}`]))}var re={summary:"List fills in settlement order, newest first",options:{...R,...$},examples:[["perp fills","the last 50"],["perp fills --mar\
ket BTC --since today","of one market, since midnight in New York"],["perp fills --all -o csv > fills.csv","all of them, for a spreadsheet"]],async run(e,r){let i=await k(e),t=r.market===void 0?void 0:
(await _(e,r.market)).market_id,n=r.since===void 0?void 0:await T(e,r.since),s=b(e,"listFills",{account_id:i},r,{...t===void 0?{}:{keeps:o=>o.market_id===t},...n===void 0?{}:{isOver:o=>(o.settled_at??
o.requested_at)<n}});return O(s,{fields:v,columns:F,empty:"No fills yet."})}},ge={order:{list:Y},fills:re};                                         

return{orderListBlocks:K,words:ge}})