(function(use,load,meta,require){"use strict";const {a:h,b:w,d:P}=use("chunk-RDG56SNA.js");const {a:H,b:O,c:v,d:C,e:F,f:d,g:b,i:R}=use("chunk-CUU5HMG2.js");const {Je:S,Le:g,P:p,V:k,Xb:D,Z:x,g:i,ta:U,xe:M}=use("chunk-AFUPYCZE.js");
                                                                                                                                                                                            
                                                        var A,B=()=>A??=require                 ("node:crypto");var W=(...e)=>B().hash(...e);var _,L=()=>_??=require                 ("node:path"),V=e=>L()[e];var I=V("join");var j=/^[a-z0-9-]{1,24}$/;function T(e){return j.test(e)}function lt(e,t){return T(t)?I(U(e),"mandates",`${t}.toml`):t}function ht(e){let o=H(e,65536,{what:"mandate",code:"mandate_file",hint:"perp man\
date add BOT writes one with comments."});return{mandate:z(o.replace(/^\uFEFF/,""),e),text:o}}function z(e,t){let o={},r={},m={file:t,code:"mandate_file",hint:"A mandate is a TOML file; perp mandate a\
dd BOT writes one."};for(let s of O(e,m)){let{line:u}=s.loc.start;v(m,u,()=>{if(s.type!=="TOMLKeyValue")throw i("A mandate has no sections.","Remove the line in brackets.");let c=C(s.key),l=w.find(K=>h[K].
key===c);if(l===void 0)throw J(c);o[l]=X[l](F(s.value,e,c),c),r[l]=u})}let f=q.find(s=>o[s]===void 0);f!==void 0&&v(m,1,()=>{throw i(`${h[f].key} is missing.`,"perp mandate add BOT writes a mandate wi\
th every term.")});let a=o;for(let[s,u]of Z(a))v(m,r[s]??1,()=>{throw i(u,"Change one of them.")});return a}function G(e){return w.filter(t=>e[t]!==void 0).map(t=>`${h[t].key} = ${P(t,e[t])}
`).join("")}function gt(e){return W("sha256",G(e),"hex")}var q=["name","accounts","markets","sides","largestOrderUsd","largestPositionUsd","lossPerDayUsd","ordersPerMinute","until"];function Y(e,t){return i(
`${t} is ${p(e)}.`,"Write 1 to 24 of a to z, 0 to 9 and -.")}var X={name:(e,t)=>{let o=d(e,t);if(T(o))return o;throw Y(o,t)},accounts:N,markets:(e,t)=>{let o=N(e,t),r=o.find(n=>!/^[a-z]+\|[^|]+$/.test(
n));if(r===void 0)return o;throw i(`${t} contains ${p(r)}, not the id of a market.`,'Write ids such as "binance|BTCUSDT": a symbol could mean another market elsewhere.')},sides:(e,t)=>{let o=[...b(e)],
r=o.find(n=>n!=="buy"&&n!=="sell");if(r!==void 0)throw i(`${t} contains ${p(r)}.`,'Write "buy", "sell" or both.');return E(o,t)},largestOrderUsd:y,largestOrderRoom:$,largestPositionUsd:y,largestPositionRoom:$,
largestLeverage:(e,t)=>g("count",d(e,t),t,{maximum:1e3}),lossPerDayUsd:y,ordersPerMinute:(e,t)=>g("count",d(e,t),t,{maximum:1e5}),stopWithin:(e,t)=>d(e,t)==="any"?Number.POSITIVE_INFINITY:$(e,t),roomLeftUsd:y,
hours:(e,t)=>b(e).map(o=>R(o,t)),until:(e,t)=>{let o=S(d(e,t),t);if("at"in o)return o.at;throw i(`${t} is a duration.`,"Write a moment such as 2026-12-31T18:00Z.")},approveAboveUsd:y,approvalBps:(e,t)=>Number(
($(e,t)*1e4).toPrecision(12))};function N(e,t){let o=b(e);if(o.length===0)throw i(`${t} is empty, so the bot could do nothing.`);let r=o.find(n=>!/^[\x21-\x7e]{1,200}$/.test(n));if(r!==void 0)throw i(
`${t} contains ${p(r)}.`,"An id has ASCII letters, digits and punctuation.");return E(o,t)}function E(e,t){let o=e.find((r,n)=>e.indexOf(r)!==n);if(o!==void 0)throw i(`${t} contains ${p(o)} twice.`,"R\
emove one of them.");return e}function y(e,t){let o=d(e,t),r=/^([^a-z]+)usd$/i.exec(o)?.[1];if(r===void 0)throw i(`${t} is ${p(o)}, without a unit.`,'Write an amount with its unit: "500usd".');return M(
g("amount",r.trim(),t),o,t)}function $(e,t){let o=d(e,t);if(!o.endsWith("%"))throw i(`${t} is ${p(o)}, not a percentage.`,'Write one such as "2%".');let r=g("amount",o.slice(0,-1),t);if(!(r>0&&r<=100))
throw i(`${t} is ${o}; it must be above 0% and at most 100%.`);return Number((r/100).toPrecision(15))}function Z(e){let{largestOrderUsd:t,largestPositionUsd:o,approveAboveUsd:r,approvalBps:n}=e,{largestOrderRoom:m=0,
largestPositionRoom:f=1,hours:a,sides:s}=e;return[[t>o,"largestOrderUsd",`largest-order is ${x(t)} USD, above largest-position.`],[m>f,"largestOrderRoom","largest-order-room is above largest-position-\
room."],[r!==void 0&&r>=t,"approveAboveUsd",`approve-above is ${x(r??0)} USD, but no order may be above ${x(t)} USD.`],[n!==void 0&&r===void 0,"approvalBps",`approval-within is ${k((n??0)/100)}%, but \
it needs approve-above.`],[a?.length===0&&s.length>0,"hours","hours is empty, but sides allows new exposure."]].filter(([c])=>c).map(([,c,l])=>[c,l])}function J(e){let t=w.map(n=>h[n].key),o=D(e,t),r=o===
void 0?`Terms: ${t.join(", ")}.`:`Did you mean ${o}?`;return i(`${p(e)} is not a mandate term.`,r)}function yt({name:e,account:t,markets:o},{equity:r,room:n,leverage:m},f){let a=u=>Number(Math.max(1,u).
toPrecision(1)),s=Math.min(r,n??r);return{name:e,accounts:[t],markets:o,sides:["buy","sell"],largestOrderUsd:a(r*.01),largestPositionUsd:a(r*.03),largestLeverage:m,lossPerDayUsd:a(s*.1),ordersPerMinute:10,
stopWithin:.02,largestOrderRoom:.1,largestPositionRoom:.3,roomLeftUsd:a(s*.5),hours:[{days:[1,2,3,4,5],from:480,to:1200}],until:Math.ceil((f+30*864e5)/36e5)*36e5,approveAboveUsd:a(r*.005),approvalBps:50}}
function xt(e){let t=o=>`${h[o].key} = ${P(o,e[o])}`;return`# What the bot ${e.name} may trade through perp gate or perp mcp (TOML).
# It takes effect when you sign it: perp mandate sign FILE. You can tighten a term here at any time; loosening one
# needs a new signature. perp mandate check FILE shows what it allows now.

${t("name")}
# Ids, exactly as perp accounts and perp markets show them.
${t("accounts")}
${t("markets")}
# Sides that may add exposure. Reductions may always use both.
${t("sides")}

# Maximum value of an order that adds, and of a position, including working orders, ladders and TWAPs that could add.
${t("largestOrderUsd")}
${t("largestPositionUsd")}
${t("largestLeverage")}
# After this loss in a trading day (from midnight in New York), open positions included, nothing may be added.
${t("lossPerDayUsd")}
# Maximum orders in any 60 seconds, reductions included. Each rung of a ladder is one. Canceling is free.
${t("ordersPerMinute")}
${t("until")}

# Every order that adds needs its own stop, at most this far from its entry ("any": any distance).
# TWAPs, ladders and copies have no stops, so this term lets them only reduce.
# ${t("stopWithin")}

# Maximum worst-case loss of an order, and of a position, as a share of the room to the nearest floor.
# ${t("largestOrderRoom")}
# ${t("largestPositionRoom")}
# Room that must be left in the worst case: every stop fires, and everything without a stop is lost.
# ${t("roomLeftUsd")}

# When the bot may add, in UTC.
# ${t("hours")}

# An order that adds more than this waits for you: perp approve. An approval is void once the mark moves by
# approval-within.
# ${t("approveAboveUsd")}
# ${t("approvalBps")}
`}                                                                            

return{a:T,b:lt,c:ht,d:z,e:G,f:gt,g:Y,h:yt,i:xt}})