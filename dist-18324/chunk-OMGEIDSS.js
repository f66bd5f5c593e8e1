(function(use,load,meta,require){"use strict";const {f:m,g:$,i:W,j:G,k:z,l:D}=use("chunk-CUU5HMG2.js");const {f:C}=use("chunk-EAVJ75HN.js");const {Cg:T,Le:w,P:v,V:f,Z:h,g:k,ib:S,lb:q,xg:K,ye:V,yg:j}=use("chunk-AFUPYCZE.js");
                                                                                                                                                                                              
                                          var O={parse:(e,t)=>w("count",m(e,t),t,{maximum:1e3})},b={parse:(e,t)=>P(m(e,t),t)},E={parse:(e,t)=>Q(m(e,t),t)},L={parse:(e,t)=>Z(m(e,t),t,"usd")},U={parse:(e,t)=>Z(m(e,t),t,"")},I={parse:(e,t)=>w("d\
uration",m(e,t),t)},H={parse:(e,t)=>$(e).map(o=>W(o,t))},Y={parse:(e,t)=>$(e).map(o=>G(o,t))},N={parse:m,names:"market"},J={parse:m,names:"file"};function x(e){return{...e,optional:!0}}function Z(e,t,o){
if(e.endsWith("%"))return{unit:"percent",amount:Q(e,t)};let n=/^[^a-z]*usd$/i.test(e);if(n!==(o==="usd"))throw k(`${t} is ${v(e)}.`,o==="usd"?"Write 2% or 500usd.":"Write 1.5%, or a distance in price \
such as 200.");return{unit:"absolute",amount:P(n?e.slice(0,-3):e,t)}}function Q(e,t){if(!e.endsWith("%"))throw k(`${t} is ${v(e)}, not a percentage.`,"Write one such as 2%.");return V(P(e.slice(0,-1),
t),e,t)}function P(e,t){let o=w("amount",e,t);if(o===0)throw k(`${t} is 0; it must be above zero.`);return o}var Ne=["lock","cancel","flatten"],Pe={positions:{reads:[],list:"positions"},marks:{reads:[],
list:null},equity:{reads:[],list:null},closed:{reads:["closed"],list:"closed"},fills:{reads:["fills"],list:"fills"},working:{reads:["working"],list:"positions"},stops:{reads:["working"],list:"position\
s"},outlook:{reads:["working","parents","policy"],list:"positions"},silences:{reads:[],list:null},plans:{reads:[],list:"positions"}};function M({id:e},t){return`${e}@${t}`}function _(e){let t={lock:`lock until ${e}`,cancel:"cancel every order",flatten:"close every position and cancel every order"};return o=>["alert",...o.do.map(n=>t[n])].
join(", ")}var p=_("the end of the day");function Be(e){let{account:t,counts:o}=e,n=o.host?t.risk?.equity:null,a=o.marks?K(t.balance,e.positions,s=>e.marks.get(s)):null,r=[n,a].filter(s=>typeof s=="number"&&Number.isFinite(s));return r.length===
0?null:Math.min(...r)}function X(e){let t=new Map([...e.marks].map(([o,n])=>[o,{at:0,...e.books.get(o),price:n}]));return T(e.account,e,t).move()}function A(e){return j({realized_pnl:0,fees:0,funding:0,
...e})??0}function Se({status:e}){return e==="failed"||e==="closed"}var ee={fields:{loss:L},needs:["equity"],steps:["lock","flatten"],isDaily:!0,condition:({written:e})=>`equity is ${e.loss} below its value at the start of the day`,consequence:p,judge(e,{equity:t,dayStart:o,
day:n}){if(t===null||o===null)return[];let a=e.loss.unit==="percent"?o*e.loss.amount/100:e.loss.amount,r=o-t;if(r<a)return[];let s=`Daily stop: ${h(r)} USD lost since the start of the day at ${h(o)} (\
limit ${h(a)})`;return[{key:M(e,n),says:s,facts:{equity:t,day_start_equity:o,loss:r,limit:a}}]},template:`
# [daily-stop]                 # loss since the start of the day, including open positions
# loss = "2%"                  # of the day's first equity; or "500usd"
# do = ["lock", "flatten"]
`,docs:"equity is this far below the day's start: `2%` of it, or `500usd`"},te={fields:{trades:O},needs:["positions","closed"],steps:["lock"],isDaily:!0,condition:({trades:e})=>`${e} ${e===1?"position\
 has":"positions have"} been opened since the start of the day`,consequence:p,judge(e,{positions:t,closed:o,day:n}){let a=[...t,...o].filter(({opened_at:i})=>i>=n),r=new Set(a.map(({id:i})=>i)).size;if(r<
e.trades)return[];let s=`${r} ${r===1?"trade":"trades"} today (limit ${e.trades})`;return[{key:M(e,n),says:s,facts:{trades:r,limit:e.trades}}]},template:`
# [max-trades]                 # positions opened since the start of the day
# trades = 10
# do = ["lock"]
`,docs:"this many positions were opened today"},oe={fields:{losses:O},needs:["closed"],steps:["lock"],isDaily:!1,condition:({losses:e})=>e===1?"a position has closed with a loss since the start of the\
 day":`${e} positions in a row have closed with a loss since the start of the day`,consequence:p,judge(e,{closed:t}){let o=t.findIndex(l=>A(l)>=0),n=t.slice(0,o<0?void 0:o);if(n.length<e.losses)return[];
let a=-n.reduce((l,c)=>l+A(c),0),s=`${`${n.length} ${n.length===1?"loss":"losses in a row"}`} today, ${h(a)} USD (limit ${e.losses})`;return[{key:`${e.id}@${n.at(-1).id}`,says:s,facts:{losses:n.length,
lost:a,limit:e.losses}}]},template:`
# [max-losses]                 # positions in a row closed with a loss since the start of the day
# losses = 3
# do = ["lock"]
`,docs:"this many positions in a row closed at a loss today, after fees and carry"},ne={fields:{hours:H},needs:[],steps:["lock"],isDaily:!1,condition:({written:e})=>`it is ${e.hours}`,consequence:_("t\
hen"),judge(e,{time:t,zone:o}){let n=e.hours.map(i=>z(i,t,o)).filter(i=>i!==void 0);if(n.length===0)return[];let a=Math.min(...n.map(i=>i.start)),r=Math.max(...n.map(i=>i.end)),s=`No-trade hours (${e.
written.hours})`;return[{key:`${e.id}@${a}`,says:s,facts:{start:a,until:r},until:r}]},template:`
# [no-trade]                   # locks until these hours end
# hours = ["22:00-02:00", "Fri 16:00-24:00", "Sat-Sun"]
# do = ["lock"]
`,docs:'it is one of these hours: `"22:00-02:00"`, `"Sat-Sun"`, `"Fri 16:00-24:00"`; its lock ends with them'},ge=36e5,re={fields:{times:Y},needs:[],steps:["flatten"],isDaily:!1,condition:({written:e})=>`\
it is ${e.times}`,consequence:p,judge(e,{time:t,before:o,zone:n}){return o===null?[]:e.times.flatMap(a=>{let r=D(a,t,n);if(r===void 0||r<=Math.min(o,t-1))return[];let s=t-r>ge,i=`${e.id}@${r}`,l={at:r,
late:s};if(!s)return[{key:i,says:`Flat time reached (${e.written.times})`,facts:l}];let c=`A flat time was missed (${e.written.times}); nothing was closed`;return[{key:i,says:c,facts:l,steps:[]}]})},template:`\

# [flatten-before]
# times = ["16:55", "Fri 16:30", "2026-12-10 08:25"]
# do = ["flatten"]
`,docs:'it is one of these times: `"16:55"`, `"Fri 16:30"`, `"2026-12-10 08:25"`'};var ke=.1;function se(e,t,o){return t.positions.flatMap(n=>{let a=({market:i})=>i===void 0?void 0:t.markets.get(i),r=e.find(i=>a(i)===n.market_id)??e.find(({market:i})=>i===void 0),s=t.marks.get(n.market_id);
return r===void 0||s===void 0?[]:[ae(r,n,s,t,o[n.id])]})}function ie(e,t,o){return t.positions.flatMap(n=>{let a=t.plans.find(({position_id:l})=>l===n.id),r=t.marks.get(n.market_id),s=a===void 0?void 0:
C(a,n,t.working);if(r===void 0||s===void 0)return[];let i=s.trail===void 0?void 0:o[n.id];return[ae({...e,by:s.trail,breakEven:s.breakEven},n,r,t,i)]})}function ae(e,t,o,n,a=o){let r=t.side==="long",s=r?
Math.max(a,o):Math.min(a,o),{unit:i,amount:l}=e.by??{unit:"absolute",amount:0},c=i==="percent"?s*l/100:l,y=e.by===void 0?[]:[r?s-c:s+c],R=e.breakEven?[...y,t.entry_price]:y,d=r?Math.max(...R):Math.min(
...R),u=we(d,r,n.ticks.get(t.market_id)),B=r?o<=u:o>=u,ye=B||u<=0?void 0:be(u,c,t,n.working);return{rule:e,position:t,mark:o,best:s,wanted:u,isCrossed:B,move:ye}}function we(e,t,o){if(o===void 0||!(o>
0))return Number(e.toPrecision(12));let n=Number((e/o).toPrecision(12));return Number(((t?Math.ceil(n):Math.floor(n))*o).toPrecision(12))}function be(e,t,o,n){let a=n.filter(d=>d.target_position_id===
o.id),r=a.filter(({mode:d})=>S(d)==="sl"),s=o.side==="long",i=d=>s?e-(d.trigger_price??0):(d.trigger_price??0)-e,l=r.filter(d=>i(d)>0),c=r.reduce((d,{size:u})=>d+u,0),y=Number((o.size-c).toPrecision(12));
if(y>0||l.some(d=>i(d)>=t*ke))return{expected_position_size:o.size,expected_orders:a.map(d=>({order_id:d.id,execution_type:q(d.type),price:d.trigger_price??d.limit_price??0,size:d.size})),operations:[
...l.map(d=>({kind:"modify",order_id:d.id,price:e})),...y>0?[{kind:"place",group:"sl",execution_type:"market",price:e,size:y}]:[]]}}var de={fields:{within:E},needs:["marks","outlook"],steps:[],isDaily:!1,condition:({written:e})=>`a move of ${e.within} in every market would reach a floor of the account or liquidate it`,consequence:p,
judge(e,t){let o=X(t);return{holds:o!==void 0&&Math.abs(o)<=e.within,says:()=>`A move of ${f(Number(o.toPrecision(3)))}% in every market would breach the account`,facts:{move_pct:o}}},template:`
# [breach]                     # a move of every market that would reach a floor of the account
# within = "1%"
# do = []
`,docs:"this move in every market would reach a floor or liquidate the account: `breach_move_pct` of `accounts show`"};function le(e,t,o){return o.flatMap(({position:n,isCrossed:a,wanted:r,mark:s})=>{
if(!a)return[];let i=`${n.symbol} is at ${f(s)}, beyond ${t} at ${f(r)}`,l={position_id:n.id,market_id:n.market_id,price:s,stop:r};return[{key:`${e}@${n.id}`,says:i,facts:l,steps:[{kind:"close",positions:[
n.id]}]}]})}var pe={fields:{by:U,market:x(N)},needs:["marks","stops"],steps:null,isDaily:!1,condition:({market:e,written:t})=>`a position${e===void 0?"":` in ${e}`} is open: its stop follows the best \
price at a distance of ${t.by}`,consequence:()=>"move the stop, only closer",repeats:(e,t)=>e.market===t.market?"follows the same positions":void 0,follow:se,judge:(e,{followed:t})=>le("trail","its tr\
ailing stop",t),template:`
# [trail]                      # stops follow the best price and only move closer
# market = "BTC"               # without it: every position
# by = "1.5%"                  # or a distance in price: 200
`,docs:"see [trailing stops](#trailing-stops)"},ce={fields:{},needs:["marks","stops","plans"],steps:null,isDaily:!1,condition:()=>"a position has an exit plan (perp plan): after its first target, its \
stop goes to the entry; after all of them, it trails",consequence:()=>"move the stop, only closer",repeats:()=>"does the same plans",follow:([e],t,o)=>ie(e,t,o),judge:(e,{followed:t})=>le("plan","the \
stop of its plan",t),template:`
# [plans]                      # moves the stops of exit plans: see perp help plan
`,docs:"an [exit plan](stops.md#exit-plans) moves its stop: to the entry after the first target, trailing after the last"},me={fields:{market:N,above:x(b),below:x(b)},anyOf:["above","below"],needs:["m\
arks"],steps:[],isDaily:!1,condition:({market:e,above:t,below:o,written:n})=>[t===void 0?void 0:`${e} is at or above ${n.above}`,o===void 0?void 0:`${e} is at or below ${n.below}`].filter(a=>a!==void 0).
join(", or "),consequence:p,judge(e,{markets:t,marks:o}){let n=t.get(e.market),a=n===void 0?void 0:o.get(n);if(a===void 0)return[];let r=e.above!==void 0&&a>=e.above,s=e.below!==void 0&&a<=e.below,i=r?
"above":"below";return{holds:r||s,says:()=>`${e.market} is at ${f(a)}, ${i} ${e.written[i]}`,facts:{market_id:n,price:a}}},template:`
# [[price]]
# market = "BTC"
# above = 100000               # and/or below
# do = []
`,docs:"the mark is at or beyond one of these"},ue={fields:{},needs:["fills"],steps:null,isDaily:!1,condition:()=>"an order fills",consequence:p,judge:(e,t)=>t.fills.map(o=>{let{id:n,side:a,symbol:r,fill_price:s,
size:i}=o,l=s===void 0?"":` at ${f(s)}`;return{key:`fill@${n}`,says:`Filled: ${a} ${f(i)} ${r}${l}`,facts:{fill:o}}}),template:`
# [fills]                      # an alert for every fill
`,docs:"an order fills"},fe={fields:{file:J,"max-age":I},needs:["silences"],steps:["flatten"],isDaily:!1,condition:({file:e,written:t})=>`${e} has not been touched for ${t["max-age"]}`,consequence:p,judge(e,{
silences:t}){let o=t.get(e.file)??0;return{holds:o>=e.maxAge,says:()=>`No heartbeat: ${e.file} has not been touched for ${Math.floor(o/1e3)}s`,facts:{silent_ms:o}}},template:`
# [heartbeat]                  # a dead man's switch: fires when the file has not been touched for max-age
# file = "/run/user/1000/bot.alive"
# max-age = "60s"
# do = ["flatten"]
`,docs:"the file hasn't been touched for this long: a dead man's switch"};var F={"daily-stop":ee,"max-trades":te,"max-losses":oe,"no-trade":ne,"flatten-before":re,breach:de,trail:pe,plans:ce,price:me,fills:ue,heartbeat:fe};function Je({rules:e},t,o){let n=new Map;for(let[a,
r]of Object.entries(F)){let s=e.filter(i=>i.kind===a);if(s.length!==0)for(let i of r.follow?.(s,t,o)??[])n.set(i.position.id,i)}return[...n.values()]}function g({kind:e}){return F[e]}function Ze(e){return g(
e).condition(e)}function Qe(e){return g(e).consequence(e)}function Xe(e){return Object.hasOwn(F,e)&&g({kind:e}).needs.includes("equity")}function et({rules:e}){return new Set(e.flatMap(t=>g(t).needs))}
function tt(e,t){return Object.entries(g(e).fields).filter(([,{names:n}])=>n===t).flatMap(([n])=>e.written[n]??[])}var ot=`# Rules of perp guard (TOML). perp guard rules checks and explains them.
#
# Every rule that fires is printed and passed to exec. "do" lists further actions:
#   "lock"     perp refuses anything that adds exposure until the day ends (midnight in New York)
#   "cancel"   every order is canceled, TWAPs and ladders too
#   "flatten"  every position is closed, and every order canceled
# Without "do", a rule has the actions shown here. do = [] only alerts.
# A rule may be given several times: [[price]] instead of [price].

# account = "acc_1"            # refuse to guard any other account
# zone = "America/New_York"    # time zone of the times below; "local" is this machine's
# exec = ["notify-send", "perp"]   # receives every alert as JSON on its standard input
${Object.values(F).map(({template:e})=>e).join("")}`;                                                                                                                     

return{a:Ne,b:Pe,c:M,d:Be,e:Se,f:F,g:Je,h:g,i:Ze,j:Qe,k:Xe,l:et,m:tt,n:ot}})