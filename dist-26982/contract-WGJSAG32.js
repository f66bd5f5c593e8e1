(function(use,load,meta,require){"use strict";const {a:H,b:A,c:g,d:k,f:b}=use("chunk-DBAOAMJE.js");const {a:C,b:J,c:N,d:q}=use("chunk-7J3BNSHA.js");const {Ac:I,Ia:w,Jb:h,Kc:j,Ma:v,X:R,fk:x,ga:P,gc:_,ik:z,kb:O,mc:S,qb:M,zh:F}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                               
                                                                                                              var y=!0,D={getApiInformation:[{}],listRestrictedCountries:[{}],listMarkets:[{}],getMarket:[{names:["market_id","listMarkets","market_id"]}],getMarketQuote:[{names:["market_id","listMarkets","market_i\
d"]}],listAccounts:[{}],getAccount:[{names:["account_id","listAccounts","id"]}],getAccountTradingPolicy:[{names:["account_id","listAccounts","id"]}],listOpenPositions:[{ofAccount:y},{ofAccount:y,query:{
status:"closed",limit:20}}],getPosition:[{names:["position_id","listOpenPositions","id"]}],listOrders:[{ofAccount:y,query:{limit:20}}],getOrder:[{names:["order_id","listOrders","id"]}],listFills:[{ofAccount:y,
query:{limit:20}}],listActiveTwapOrders:[{ofAccount:y}],getTwapOrder:[{names:["twap_order_id","listActiveTwapOrders","id"]}],listScaledOrders:[{ofAccount:y}],getScaledOrder:[{names:["scaled_order_id",
"listScaledOrders","id"]}],listCopyTradingConfigurations:[{}]},K=Object.keys(D).flatMap(t=>D[t].map(r=>({id:t,...r})));async function ut(t){let r=new Map,o=[],{ask:a,close:n}=await L(t);try{for(let p of K)
o.push(...await V(t,a,p,r))}finally{await n()}let{market:s,account:e}=await(await t.access()).streams(),c=$(r.get("listMarkets")),m=["ticks","books","trades","candles","marketStats"].map((p,d)=>({op:"\
sub",id:d+1,channel:p,payload:{symbols:[c.coin],providers:[c.provider],...p==="candles"&&{intervals:["1m"]}}})),i=await Promise.all([s===void 0?[b("market stream")]:E(t,"market stream",[s,F.marketData],
m,B),e===void 0?[b("account stream")]:E(t,"account stream",[e.transport,e.path],[],U)]);return[...o,...i.flat()]}function B(t){let r=C(t);return r!==void 0?[r]:N(t)?[]:[`op ${JSON.stringify(t.op)} or \
one of its events is not in the contract`]}var Q=M({account:S,positions:O(I),orders:O(_)});function U(t){let r=J(structuredClone(t));return r!==void 0?[r]:q(String(t.type))?t.type==="snapshot"?h(Q,t).
map(({field:o,issue:a})=>`${o} ${a}`):[]:[`type ${JSON.stringify(t.type)} is not in the contract`]}async function L(t){let{environment:r,baseUrl:o}=t.settings,{credential:a}=await t.access();if(r==="s\
im"||o===void 0||a===void 0)return{ask:({id:d},l)=>t.call(d,l),close:async()=>{}};let{httpTransport:n}=await load  ("./http-transport-VRFSKTVL.js"),s=n(o),e={accept:"application/json",authorization:z((await a()).
text),"user-agent":`perp/${t.registry.version}`},{signal:c,settings:m}=t;return{ask:(p,d)=>s({method:"GET",target:x(p,d).target,headers:e},{timeoutMs:m.timeoutMs,signal:c}),close:()=>s.close()}}async function V(t,r,o,a){
let n=j[o.id],s=`${n.method} ${n.path}${o.query?.status==="closed"?"?status=closed":""}`,e={};if(o.names!==void 0){let[i,p,d]=o.names,l=$(a.get(p))[d];if(typeof l!="string")return[g(s,`Not compared: ${p}\
 listed none.`)];e[i]=l}let c=$(a.get("listAccounts")).id;if(o.ofAccount&&typeof c!="string")return[g(s,"Not compared: there is no account.")];let m={...o.query,...o.ofAccount&&{account_id:c}};try{let{
status:i,body:p}=await r(n,{path:e,query:m});return i>=400?[k(s,`HTTP ${i}.`)]:(o.query?.status!=="closed"&&a.set(o.id,w(p)?p.data:void 0),X(n,i,p,s))}catch(i){t.signal.throwIfAborted();let{message:p,
status:d}=P(i);return[k(s,d===void 0?p:`HTTP ${d}: ${p}`)]}}function $(t){let r=Array.isArray(t)?t[0]:void 0;return w(r)?r:{}}function X(t,r,o,a){let n=t.responses[r];if(n===void 0)return[g(a,`HTTP ${r}\
 is not in the contract.`)];let s=h(n.schema,o).map(({field:m,issue:i})=>`${W(m)} ${i}`),e=T(n.schema,o,"").map(m=>`${m} is not in the contract`),c=Map.groupBy([...s,...e],m=>m);return c.size===0?[A(a,
"as in the contract")]:[...c].map(([m,i])=>g(a,`${m}${i.length===1?"":` (${R(i.length,"time")})`}.`))}function W(t){return t.replaceAll(/\[\d+\]/g,"[]")}function T({properties:t,items:r,additionalProperties:o,
oneOf:a},n,s){return Array.isArray(n)?r===void 0?[]:n.flatMap(e=>T(r,e,`${s}[]`)):!w(n)||a!==void 0||t===void 0?[]:Object.entries(n).flatMap(([e,c])=>{let m=s===""?e:`${s}.${e}`,i=Object.hasOwn(t,e)?t[e]:
void 0;return i!==void 0?T(i,c,m):o===void 0?[m]:[]})}var Y=500;async function E(t,r,[o,a],n,s){let e=new Set,c=!1,m=new Set(n.map((f,u)=>u+1)),i=Promise.withResolvers(),p=setTimeout(()=>i.resolve(void 0),
H(t)),d=o(a,{opened:()=>n.forEach(f=>{d.send(JSON.stringify(f))}),text:f=>{let u=v(f);for(let G of u===null?["a frame is not a JSON object"]:s(u))e.add(W(G));u?.op==="sub_ok"&&m.delete(u.id),u?.op==="\
sub_err"&&e.add(`a subscription was refused: ${JSON.stringify(u.error)}`),!(c||!(u?.type==="snapshot_end"||n.length>0&&m.size===0))&&(c=!0,setTimeout(()=>i.resolve(void 0),Y))},closed:({reason:f,status:u})=>i.
resolve(u===void 0?f||"closed":`HTTP ${u}`)}),l=await i.promise;return clearTimeout(p),d.close(),c?e.size===0?[A(r,"as in the contract")]:[...e].map(f=>g(r,`${f}.`)):[k(r,`Not accepted: ${l??"no answe\
r in time"}.`)]}                                  

return{compareWithContract:ut}})