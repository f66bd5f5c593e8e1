(function(use,load,meta,require){"use strict";const {Ad:i,Bd:t,P:n,S:l,T:s,U:o,W:a,aa:d,sd:c,td:u}=use("chunk-KBEGXUNB.js");
                                                                                                            var f=["position_id","market_id","side","status","opened_at","closed_at","size","entry_price","exit_price","net","realized_pnl","fees","funding","bankruptcy","fills","stop_price","one_r","r","tags","n\
ote"],k=[{header:"CLOSED",cell:e=>e.closed_at===null?"open":o(e.closed_at).slice(5,16)},{header:"MARKET",cell:({market_id:e})=>d(e),keep:10},{header:"SIDE",cell:({side:e})=>i(e),keep:9},{header:"SIZE",
cell:({size:e})=>n(e),align:"right",keep:6},{header:"ENTRY",cell:e=>n(Number(e.entry_price.toPrecision(7))),align:"right",keep:5},{header:"EXIT",cell:e=>_(e),align:"right",keep:4},{header:"NET",cell:({
net:e})=>t(e),align:"right"},{header:"R",cell:({r:e})=>e===null?"":e.toFixed(2),align:"right",keep:8},{header:"HELD",cell:e=>p(e),align:"right",keep:3},{header:"POSITION",cell:e=>e.position_id??"",keep:11},
{header:"TAGS",cell:({tags:e})=>e.join(" "),keep:7},{header:"NOTE",cell:({note:e})=>e??"",keep:2}];function m(e){return[c({text:d(e.market_id),tone:"strong"},"  ",i(e.side),`  ${n(e.size)}`),u(["opene\
d",`${o(e.opened_at)} at ${n(e.entry_price)}`],[e.status==="open"?"closed in part":"closed",e.exit_price===null?void 0:`${e.closed_at===null?"":`${o(e.closed_at)} `}at ${n(e.exit_price)}`],["held",p(e)],
["net",t(e.net)],["realized",s(e.realized_pnl)],["fees",l(e.fees)],["carry",l(e.funding)],["stop",e.stop_price===null?void 0:n(e.stop_price)],["1R",e.one_r===null?void 0:`${l(e.one_r)} USD`],["R",e.r===
null?void 0:e.r.toFixed(2)],["tags",e.tags.length===0?void 0:e.tags.join(" ")],["note",e.note??void 0],["position",e.position_id??void 0])]}function _({exit_price:e}){return e===null?"":n(Number(e.toPrecision(
7)))}function p({opened_at:e,closed_at:r}){return r===null?"":a(r-e)}                             

return{a:f,b:k,c:m}})