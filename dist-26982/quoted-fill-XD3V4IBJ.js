(function(use,load,meta,require){"use strict";const {$c:F,Ek:N,Ig:R,Ik:j,Jg:v,Kk:B,Rk:G,Ug:L,_f:z,_g:S,cd:O,pg:A,wg:x}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                     async function Y(t,n,{side:s,size:c,within:l},k){let i=()=>{},d=F(t),[p,e,m,a,f,h]=await Promise.all([k,O(t).catch(i),A(t).catch(i),d.then(r=>x(t,r)).catch(i),d.then(r=>S(t,r)).catch(i),d.then(r=>L(t,
r)).catch(i)]),{mid:y,estimated_notional:o,time:u}=p,g=y===null||o===void 0?null:(s==="buy"?1:-1)*(c*y-o),_={mark:y,unrealized_pnl:g===null?null:Number(g.toFixed(8)),breach_price:null,as_of:u};if(e===
void 0||m===void 0||a===void 0||o===void 0)return{quote:p,computed:_,floor:void 0};let w=l===void 0?void 0:await T(t,{account:e,positions:m,market:n,quote:p,side:s,size:c,within:l}).catch(i),b=w?.account??
e,P={..._,...w&&{within:w.ahead}},q=({market_id:r})=>r===n.market_id,M=m.find(q)??a.find(r=>q(r)&&!r.reduce_only),Q={type:"market",account_id:b.id,market_id:n.market_id,side:s,size:c,leverage:M?.leverage??
t.settings.leverage??1,margin_mode:M?.margin_mode??t.settings.marginMode??"cross"},H={order:Q,market:n,quote:p,account:b,policy:h,positions:m,marks:await B(t,{positions:m,working:a,twaps:f},n.market_id).
catch(()=>new Map),exitQuote:await j(t,Q,{positions:m,working:a,twaps:f}).catch(i),working:a,twaps:f,gap:N},{end:C,floor:I}=G(H);return C?.by!=="floor"?{quote:p,computed:P,floor:void 0}:{quote:p,computed:{
...P,breach_price:C.price},floor:I}}async function T(t,n){let{account:s,positions:c,market:l,quote:k,side:i,size:d,within:p}=n,{market_id:e}=l,m=c.filter(o=>o.market_id!==e),a=c.reduce((o,u)=>u.market_id===
e?o+(u.side==="long"?u.size:-u.size):o,i==="buy"?d:-d),f=await v(t,R(t,m.map(o=>o.market_id))),h={price:k.mid??0,at:k.time,category:l.category},y=[...m,{market_id:e,size:Math.abs(a)}];return z(s,y,new Map(
[...f,[e,h]]),p)}                        

return{quotedFill:Y}})