(function(use,load,meta,require){"use strict";const {F:y,H:b,Ia:U,P:c,S:d,U:x,W:g,Xc:C,aa:$,sd:h,td:p,vd:k}=use("chunk-KBEGXUNB.js");
                                                                                                                           var W=8;function q({kept:{request:t}}){return C(t.operation,t.target,t.body)}function I(t){return[{header:"APPROVAL",cell:({id:e})=>e.slice(0,W)},{header:"BOT",cell:({bot:e})=>e},{header:"REQUEST",cell:({
what:e})=>e},{header:"USD",cell:({effect:e})=>e===null||e.adds===null?"":d(e.adds.usd),align:"right",keep:3},{header:"ACCOUNT",cell:({account_id:e})=>e,keep:1},{header:"EXPIRES IN",cell:({until:e})=>g(
e-t),align:"right",keep:4},{header:"",cell:S}]}function S({gate_answers:t,decision:e}){return t?e===null?"":{text:`${e}, its bot has to ask again`,tone:"warn"}:{text:"its gate does not answer",tone:"b\
ad"}}function z(t){let{kept:e,facts:n,decision:o,until:s}=t,{id:i,request:r,askedAt:f,boundBps:u}=e;return{id:i,bot:r.bot,account_id:r.account,operation:r.operation,method:r.method,target:r.target,body:r.
body??null,key:r.key??null,what:q(t),asked_at:f,until:s,bound_bps:u,decision:o??null,gate_answers:n!==void 0,destination:n?.destination??null,mark:n?.mark??null,effect:n?.effect===void 0?null:N(n.effect)}}
function N({reduces:t,orders:e,adds:n}){if(n===void 0)return{reduces:t,orders:e,adds:null};let{market:o,side:s,size:i,price:r,usd:f,positionUsd:u,lossUsd:l=null,worstUsd:a=null,roomUsd:m=null}=n;return{
reduces:t,orders:e,adds:{market_id:o,side:s,size:i,price:r,usd:f,...{position_usd:u,loss_usd:l,account_loss_usd:a,room_usd:m}}}}var J=["id","bot","account_id","operation","method","target","body","key",
"what","asked_at","until","bound_bps","decision","gate_answers","destination","mark"];function L(t,e){let{kept:n,facts:o,until:s}=t,{request:i,askedAt:r}=n;return[p(["approval",`${n.id.slice(0,W)}, as\
ked at ${x(r)}, expires in ${g(s-e)}`],["bot",i.bot],["account",i.account],["goes to",o===void 0?w:{text:o.destination,tone:"strong"}],["request",{text:q(t),tone:"strong"}]),k,h({text:"The exact reque\
st; its texts come from the bot, from outside:",tone:"faint"}),p(["call",`${i.method} ${i.target}`],...O(i.body),["key",i.key??"none"]),k,h({text:"Its effects, as known now:",tone:"faint"}),p(...v(t))]}
var w={text:"not known now",tone:"bad"};function O(t){let e;try{e=JSON.parse(t??"{}")}catch{return[["body",t??""]]}return U(e)?Object.entries(e).map(([n,o])=>[y(n),typeof o=="string"?o:b(o)]):[["body",
b(e)]]}function v({kept:{boundBps:t},facts:e}){if(e===void 0)return[["gate",{text:"does not answer",tone:"bad"}]];let{mark:n,effect:o}=e,s=(n??0)*(t/1e4);return[["mark",n===void 0?w:`${c(n)}; void bey\
ond ${c(R(n-s))} to ${c(R(n+s))}`],...o===void 0?[["effect",w]]:D(o)]}function D({adds:t,orders:e}){if(t===void 0)return[["adds","nothing"]];let{market:n,side:o,size:s,price:i,usd:r,positionUsd:f,lossUsd:u,
worstUsd:l,roomUsd:a}=t,m=a===void 0||l===void 0?void 0:a-l;return[["adds",`${o} ${c(s)} ${$(n)}, at ${c(i)} worst case: ${d(r)} USD${e>1?`, in ${e} orders`:""}`],["position",`${d(f)} USD with everyth\
ing that waits to add to it`],["order loses",u===void 0?_:`${d(u)} USD worst case`],["account loses",l===void 0?_:`${d(l)} USD worst case, with everything it holds`],["room now",a===void 0?{text:"no f\
loor is known",tone:"warn"}:`${d(a)} USD above the nearest floor`],["room, worst case",a===void 0?"":E(m)]]}var _={text:"nothing limits it",tone:"bad"};function E(t){return t===void 0?{text:"none: the\
 floor can be reached",tone:"bad"}:t>0?`${d(t)} USD`:{text:`none: the floor is reached, by ${d(-t)} USD`,tone:"bad"}}function R(t){return Number(t.toPrecision(8))}                                           

return{a:q,b:I,c:z,d:J,e:L}})