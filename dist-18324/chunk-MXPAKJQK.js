(function(use,load,meta,require){"use strict";const {$d:y,Og:C,Uh:x,V:l,W:w,X:a,Z:p,aa:v,ba:E,ia:$,sj:k,tj:V}=use("chunk-AFUPYCZE.js");
                                                                                                                             var g=["provider","symbol"],u="  ";function f({provider:e,symbol:t,time:n},i=E(n)){return[c(i),u,h($(`${e}|${t}`))]}var D={fields:[...g,"kind","price","time"],line:e=>[...f(e),`  ${e.kind.padEnd(4)}  `,
e.price]},H={fields:[...g,"tradeId","side","price","size","time"],line:({side:e,price:t,size:n,...i})=>[...f(i),u,y(e),`${e==="buy"?" ":""}  ${n} at ${t}`]},M={fields:[...g,"bids","asks","time"],line:({
bids:e,asks:t,...n})=>[...f(n),u,e[0]===void 0?"no bids":`${e[0].sz} x `,{text:e[0]?.px??"",tone:"good"}," / ",{text:t[0]?.px??"",tone:"bad"},t[0]===void 0?"no asks":` x ${t[0].sz}`]},O=[...g,"interva\
l","openTime","closeTime","open","high","low","close","volume","quoteVolume","trades","isFinal"],R={fields:O,line:({interval:e,open:t,high:n,low:i,close:d,volume:r,isFinal:o,...s})=>[...f(s,v(s.openTime)),
`  ${e.padEnd(3)}  open ${t}  high ${n}  low ${i}  close `,h(d),`  volume ${r}`,o?"":c("  forming")]},U=[{header:"OPENED",cell:({openTime:e})=>v(e)},{header:"OPEN",cell:({open:e})=>e,align:"right"},{header:"\
HIGH",cell:({high:e})=>e,align:"right"},{header:"LOW",cell:({low:e})=>e,align:"right"},{header:"CLOSE",cell:({close:e})=>h(e),align:"right"},{header:"VOLUME",cell:({volume:e})=>e,align:"right",keep:3},
{header:"TRADES",cell:({trades:e})=>w(e,String),align:"right",keep:2},{header:"",cell:({isFinal:e,otherPrices:t})=>c(e?t?"other prices":"":"forming"),keep:1}],j={fields:[...g,"markPx","change24hPct","\
fundingRate","fundingIntervalHours","openInterestUsd","dayNtlVlm","time"],line:e=>[...f(e),...m("mark",e.markPx,l),...m("24h",e.change24hPct,t=>`${t>0?"+":""}${l(t)}%`),...m("volume",e.dayNtlVlm,p),...m(
"open interest",e.openInterestUsd,p),...m("funding",e.fundingRate,l)]};function m(e,t,n){return t==null?[]:[c(`  ${e} `),n(t)]}var B={fields:["type","event","seq","time","account_id",...k.map(e=>`orde\
r.${e}`),...V.map(e=>`position.${e}`),...x.map(e=>`account.${e}`)],rows:T,line:e=>[c(E(e.time)),u,c(a(e.account_id)),u,h("event"in e?`${e.type} ${e.event}`:e.type),u,...q(e)]};function T(e){let{type:t,
seq:n,time:i,account_id:d}=e,r={type:t,seq:n,time:i,account_id:d};return t==="fill"?[{...r,order:e.fill}]:t!=="snapshot"?[e]:[{...r,account:e.account},...e.positions.map(o=>({...r,position:o})),...e.orders.
map(o=>({...r,order:o}))]}function q(e){if(e.type==="order")return P(C(e.order));if(e.type==="fill")return P(e.fill);if(e.type==="position")return A(e.position);if(e.type==="account")return e.event===
"removed"?[]:b(e.account);let{positions:t,orders:n}=e;return[...b(e.account),`  ${t.length} open, ${n.length} working`]}function P({id:e,side:t,size:n,market_id:i,symbol:d,type:r,...o}){let s=o.fill_price??
o.limit_price??o.trigger_price;return[y(t),` ${l(n)} ${$(i,d)} ${a(r)}`,s===void 0?"":` at ${l(s)}`,c(`  ${a(e)}`)]}function A({id:e,side:t,size:n,market_id:i,symbol:d,entry_price:r,exit_price:o,status:s}){
let F=s==="closed"&&o!==void 0?` closed at ${l(o)}`:` at ${l(r)}`;return[y(t),` ${l(n)} ${$(i,d)}${F}`,c(`  ${a(e)}`)]}function b({balance:e,risk:t,status:n}){let i=t?.equity??null;return[`${a(n)}  ba\
lance ${p(e)}`,i===null?"":`  equity ${p(i)}`]}function c(e){return{text:e,tone:"faint"}}function h(e){return{text:e,tone:"strong"}}                                                                

return{a:D,b:H,c:M,d:O,e:R,f:U,g:j,h:B}})