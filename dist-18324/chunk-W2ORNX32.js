(function(use,load,meta,require){"use strict";const {$:p,$d:s,Sd:u,Td:_,V:n,W:o,Z:i,_:c,aa:l,ae:a,ca:h,ia:d}=use("chunk-AFUPYCZE.js");
                                                                                                                            var T=["position_id","market_id","side","status","opened_at","closed_at","size","entry_price","exit_price","net","realized_pnl","fees","funding","bankruptcy","fills","stop_price","one_r","r","tags","n\
ote"],y=[{header:"CLOSED",cell:e=>e.closed_at===null?"open":l(e.closed_at).slice(5,16)},{header:"MARKET",cell:({market_id:e})=>d(e),keep:10},{header:"SIDE",cell:({side:e})=>s(e),keep:9},{header:"SIZE",
cell:({size:e})=>n(e),align:"right",keep:6},{header:"ENTRY",cell:e=>n(Number(e.entry_price.toPrecision(7))),align:"right",keep:5},{header:"EXIT",cell:k,align:"right",keep:4},{header:"NET",cell:({net:e})=>a(
e),align:"right"},{header:"R",cell:({r:e})=>e?.toFixed(2),align:"right",keep:8},{header:"HELD",cell:g,align:"right",keep:3},{header:"POSITION",cell:e=>e.position_id,keep:11},{header:"TAGS",cell:({tags:e})=>e.
join(" "),keep:7},{header:"NOTE",cell:({note:e})=>e,keep:2}];function x(e){let r=o(e.closed_at,t=>`${l(t)} `)??"";return[u({text:d(e.market_id),tone:"strong"},"  ",s(e.side),`  ${n(e.size)}`),_(["open\
ed",`${l(e.opened_at)} at ${n(e.entry_price)}`],[e.status==="open"?"closed in part":"closed",o(e.exit_price,t=>`${r}at ${n(t)}`)],["held",g(e)??""],["net",a(e.net)],["realized",p(e.realized_pnl)],["fe\
es",i(e.fees)],["carry",i(e.funding)],["stop",o(e.stop_price,n)],["1R",o(e.one_r,c)],["R",e.r?.toFixed(2)],["tags",e.tags.join(" ")||void 0],["note",e.note],["position",e.position_id])]}function k({exit_price:e}){
return o(e,r=>n(Number(r.toPrecision(7))))}function g({opened_at:e,closed_at:r}){return o(r,t=>h(t-e))}                             

return{a:T,b:y,c:x}})