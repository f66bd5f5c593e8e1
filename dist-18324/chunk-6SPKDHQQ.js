(function(use,load,meta,require){"use strict";const {a:v,b:C}=use("chunk-RCPAM4FM.js");const {Cg:P,Fd:y,Yg:d,_g:F,gj:H,jc:S,jj:b,pa:h,qh:D,ri:x,yl:k}=use("chunk-AFUPYCZE.js");
                                                                                                                                                                        var K,E=()=>K??=require                 ("node:crypto");var O=(...e)=>E().hash(...e);var U=5e3;async function Y(e,t){let r=[d(e,"listOpenPositions",{query:{account_id:t}}),d(e,"listOrders",{query:{account_id:t,status:"working"}}),d(e,"listActiveTwapOrders",{query:{account_id:t}})],[o,
s,c]=await Promise.allSettled(r),i=["positions","orders","twaps"],p=[o,s,c].flatMap((a,f)=>a.status==="rejected"?[{what:i[f],facts:h(a.reason)}]:[]);if(o.status==="rejected"&&p.length===r.length)throw await y(
e,{query:{account_id:t}},o.reason);let l=a=>a.status==="fulfilled"?F(a.value.data):[];return{positions:l(o),orders:l(s).filter(C),twaps:l(c),unread:p}}function Z({orders:e}){return[...new Set(e.flatMap(
({scaled_order_id:t})=>t??[]))]}function $({twaps:e,orders:t,positions:r,unread:o}){return e.length+t.length+r.length+o.length===0}async function _(e,t){let r=e.settings.idempotencyKey??S(),o=(c,i,p)=>O(
"sha256",[r,c,t,i,p].join(`
`),"hex"),s=new v(e,t,{positions:"all",orders:!0,keyOf:o,isPatient:!1});return await s.run().catch(async c=>{throw await y(e,{query:{account_id:t}},c)}),await I(e,t,s)}async function I(e,t,r){let{aborted:o}=e.
signal,{closed:s,canceled:c,left:i,troubles:p}=r,l=o?[]:[...s.values()].filter(({status:n})=>n==="pending"),[a,...f]=await Promise.all([o?void 0:A(e,t),...l.map(n=>k(e,n,U))]);for(let{order:n}of f)s.set(
n.id,n);let u=n=>n?.map(({id:m})=>m)??null,w={twaps:u(i.twaps),orders:u(i.orders),positions:u(i.positions)};return{account_id:t,canceled:{twaps:[...c.twap],ladders:[...c.ladder],orders:[...c.order]},closed:await Promise.
all([...s.values()].map(n=>b(e,n))),left:Object.values(w).some(n=>n!==null)?w:null,failures:r.isDone?[]:p.map(({what:n,id:m,facts:g})=>({what:n,id:m,code:g.ruleId??g.code,message:g.message})),interrupted:o,
outcome_unknown:r.isUnknown&&!r.isDone,...x(e)?{computed:await q(e,r,a)}:{}}}async function A(e,t){if(x(e))return d(e,"getAccount",{path:{account_id:t}}).then(({data:r})=>r,()=>{})}async function q(e,{
left:{positions:t,orders:r}},o){let s=new Map,c={positions:t??[],working:r},i=await D(e,P(o,c,s),{...c,marks:s});return H({positions:t,working:r,marks:s,outlook:i})}                                    

return{a:Y,b:Z,c:$,d:_}})