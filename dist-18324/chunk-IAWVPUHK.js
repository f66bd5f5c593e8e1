(function(use,load,meta,require){"use strict";const {K:C,M:k,Sd:$,Td:b,Ua:O,V:m,Vd:x,W:u,X:q,Z:_,_:c,aa:y,ca:g,ia:W,rd:w}=use("chunk-AFUPYCZE.js");
                                                                                                                                                  var M=["seq","time","kind","bot","write","account","operation","request.method","request.target","request.body","request.key","request.clientOrderId","decision","term","approval","by","outcome","statu\
s","code","ids","why","event","says","mandate.name","mandate.hash","prev"],Q=[{header:"#",cell:({seq:e})=>String(e),align:"right",keep:2},{header:"TIME",cell:({time:e})=>y(e)},{header:"BOT",cell:({bot:e})=>e??
""},{header:"RECORD",cell:U},{header:"WHAT",cell:N},{header:"WRITE",cell:e=>"write"in e?e.write:"",keep:1}];function U(e){if(e.kind==="event")return e.event;if(e.kind==="outcome"){let n=e.outcome==="d\
one"?"good":e.outcome==="unknown"?"warn":"bad";return{text:e.outcome,tone:n}}let{decision:t}=e;return{text:q(t),tone:t==="allowed"||t==="approved"?"good":"warn"}}function N(e){if(e.kind==="event")return e.
says;let t=e.why===void 0?"":`: ${e.why}`;if(e.kind==="asked"){let{operation:o,request:i,term:r,approval:d}=e,f=r===void 0?"":` (${r})`,l=d===void 0?"":` (approval ${d.slice(0,8)})`;return`${w(o,i.target,
i.body)}${f}${l}${t}`}if(e.kind==="decided")return`approval ${e.approval.slice(0,8)}${e.by===void 0?"":` by ${e.by}`}${t}`;let{status:n,code:s,ids:a=[]}=e;return[n,s,...a].filter(o=>o!==void 0).join("\
 ")+t}var E=8;function F({kept:{request:e}}){return w(e.operation,e.target,e.body)}function V(e){return[{header:"APPROVAL",cell:({id:t})=>t.slice(0,E)},{header:"BOT",cell:({bot:t})=>t},{header:"REQUES\
T",cell:({what:t})=>t},{header:"USD",cell:({effect:t})=>u(t?.adds,n=>_(n.usd)),align:"right",keep:3},{header:"ACCOUNT",cell:({account_id:t})=>t,keep:1},{header:"EXPIRES IN",cell:({until:t})=>g(t-e),align:"\
right",keep:4},{header:"",cell:A}]}function A({gate_answers:e,decision:t}){return e?u(t,n=>({text:`${n}, its bot has to ask again`,tone:"warn"})):{text:"its gate does not answer",tone:"bad"}}function X(e){
let{kept:t,facts:n,decision:s,until:a}=e,{id:o,request:i,askedAt:r,boundBps:d}=t;return{id:o,bot:i.bot,account_id:i.account,operation:i.operation,method:i.method,target:i.target,body:i.body??null,key:i.
key??null,what:F(e),asked_at:r,until:a,bound_bps:d,decision:s??null,gate_answers:n!==void 0,destination:n?.destination??null,mark:n?.mark??null,effect:n?.effect===void 0?null:B(n.effect)}}function B({
reduces:e,orders:t,adds:n}){if(n===void 0)return{reduces:e,orders:t,adds:null};let{market:s,side:a,size:o,price:i,usd:r,positionUsd:d,lossUsd:f=null,worstUsd:l=null,roomUsd:h=null}=n;return{reduces:e,
orders:t,adds:{market_id:s,side:a,size:o,price:i,usd:r,...{position_usd:d,loss_usd:f,account_loss_usd:l,room_usd:h}}}}var G=["id","bot","account_id","operation","method","target","body","key","what","\
asked_at","until","bound_bps","decision","gate_answers","destination","mark"];function Y(e,t){let{kept:n,facts:s,until:a}=e,{request:o,askedAt:i}=n;return[b(["approval",`${n.id.slice(0,E)}, asked at ${y(
i)}, expires in ${g(a-t)}`],["bot",o.bot],["account",o.account],["goes to",s===void 0?R:{text:s.destination,tone:"strong"}],["request",{text:F(e),tone:"strong"}]),x,$({text:"The exact request; its tex\
ts come from the bot, from outside:",tone:"faint"}),b(["call",`${o.method} ${o.target}`],...I(o.body),["key",o.key??"none"]),x,$({text:"Its effects, as known now:",tone:"faint"}),b(...S(e))]}var R={text:"\
not known now",tone:"bad"};function I(e){let t;try{t=JSON.parse(e??"{}")}catch{return[["body",e??""]]}return O(t)?Object.entries(t).map(([n,s])=>[C(n),typeof s=="string"?s:k(s)]):[["body",k(t)]]}function S({
kept:{boundBps:e},facts:t}){if(t===void 0)return[["gate",{text:"does not answer",tone:"bad"}]];let{mark:n,effect:s}=t,a=(n??0)*(e/1e4),o=r=>m(Number(r.toPrecision(8)));return[["mark",u(n,r=>`${m(r)}; \
void beyond ${o(r-a)} to ${o(r+a)}`)??R],...u(s,j)??[["effect",R]]]}function j({adds:e,orders:t}){if(e===void 0)return[["adds","nothing"]];let{market:n,side:s,size:a,price:o,usd:i,positionUsd:r,lossUsd:d,
worstUsd:f,roomUsd:l}=e,h=t>1?`, in ${t} orders`:"",v=l===void 0||f===void 0?void 0:l-f;return[["adds",`${s} ${m(a)} ${W(n)}, at ${m(o)} worst case: ${c(i)}${h}`],["position",`${c(r)} with everything \
that waits to add to it`],["order loses",u(d,p=>`${c(p)} worst case`)??T],["account loses",u(f,p=>`${c(p)} worst case, with everything it holds`)??T],["room now",u(l,p=>`${c(p)} above the nearest floo\
r`)??K],["room, worst case",l===void 0?"":P(v)]]}var K={text:"no floor is known",tone:"warn"},T={text:"nothing limits it",tone:"bad"};function P(e){return e===void 0?{text:"none: the floor can be reac\
hed",tone:"bad"}:e>0?c(e):{text:`none: the floor is reached, by ${c(-e)}`,tone:"bad"}}                                                         

return{a:M,b:Q,c:F,d:V,e:X,f:G,g:Y}})