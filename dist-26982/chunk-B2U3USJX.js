(function(use,load,meta,require){"use strict";const {e:u,f:v,h:W,i:G,j:z,k:D}=use("chunk-3ITPKNN4.js");const {f:E}=use("chunk-JJS5UTUP.js");const {$a:q,K:$,P:c,S:h,Uf:K,Vf:j,Ya:B,Zd:V,ag:T,g:k,je:b}=use("chunk-KBEGXUNB.js");
                                                                                                                                                                                               
                                         var O={parse:(e,t)=>b("count",u(e,t),t,{maximum:1e3})},w={parse:(e,t)=>_(u(e,t),t)},C={parse:(e,t)=>Q(u(e,t),t)},L={parse:(e,t)=>Z(u(e,t),t,"usd")},U={parse:(e,t)=>Z(u(e,t),t,"")},I={parse:(e,t)=>b("d\
uration",u(e,t),t)},H={parse:(e,t)=>v(e).map(o=>W(o,t))},Y={parse:(e,t)=>v(e).map(o=>G(o,t))},N={parse:u,names:"market"},J={parse:u,names:"file"};function x(e){return{...e,optional:!0}}function Z(e,t,o){
if(e.endsWith("%"))return{unit:"percent",amount:Q(e,t)};let r=/^[^a-z]*usd$/i.test(e);if(r!==(o==="usd"))throw k(`${t} is ${$(e)}.`,o==="usd"?"Write 2% or 500usd.":"Write 1.5%, or a distance in price \
such as 200.");return{unit:"absolute",amount:_(r?e.slice(0,-3):e,t)}}function Q(e,t){if(!e.endsWith("%"))throw k(`${t} is ${$(e)}, not a percentage.`,"Write one such as 2%.");return V(_(e.slice(0,-1),
t),e,t)}function _(e,t){let o=b("amount",e,t);if(o===0)throw k(`${t} is 0; it must be above zero.`);return o}var Ne=["lock","cancel","flatten"];function P({id:e},t){return`${e}@${t}`}function M(e){let t={lock:`lock until ${e}`,cancel:"cancel every order",flatten:"close every position and cancel every order"};return o=>["alert",...o.do.map(r=>t[r])].
join(", ")}var m=M("the end of the day");function Ae(e){let{account:t,counts:o}=e,r=o.host?t.risk?.equity:null,i=o.marks?K(t.balance,e.positions,a=>e.marks.get(a)):null,n=[r,i].filter(a=>typeof a=="number"&&Number.isFinite(a));return n.length===
0?null:Math.min(...n)}function Se({account:e}){let{daily_loss_floor:t,requirements:o}=e.risk??{};if(!(typeof t!="number"||typeof o?.daily_loss_pct!="number"))return t+e.starting_balance*o.daily_loss_pct/
100}function X({account:e,positions:t,working:o,twaps:r,policy:i,marks:n,books:a}){let s=new Map([...n].map(([l,p])=>[l,{at:0,...a.get(l),price:p}]));return T(e,{positions:t,working:o,twaps:r,policy:i},
s).move()}function A(e){return j({realized_pnl:0,fees:0,funding:0,...e})??0}function Be({status:e}){return e==="failed"||e==="closed"}var ee={fields:{loss:L},needs:["equity"],steps:["lock","flatten"],isDaily:!0,condition:({written:e})=>`equity is ${e.loss} below its value at the start of the day`,consequence:m,judge(e,{equity:t,dayStart:o,
day:r}){if(t===null||o===null)return[];let i=e.loss.unit==="percent"?o*e.loss.amount/100:e.loss.amount,n=o-t;if(n<i)return[];let a=`Daily stop: ${h(n)} USD lost since the start of the day at ${h(o)} (\
limit ${h(i)})`;return[{key:P(e,r),says:a,facts:{equity:t,day_start_equity:o,loss:n,limit:i}}]},template:`
# [daily-stop]                 # loss since the start of the day, including open positions
# loss = "2%"                  # of the day's first equity; or "500usd"
# do = ["lock", "flatten"]
`,docs:"equity is this far below the day's start: `2%` of it, or `500usd`"},te={fields:{trades:O},needs:["positions","closed"],steps:["lock"],isDaily:!0,condition:({trades:e})=>`${e} ${e===1?"position\
 has":"positions have"} been opened since the start of the day`,consequence:m,judge(e,{positions:t,closed:o,day:r}){let i=[...t,...o].filter(({opened_at:s})=>s>=r),n=new Set(i.map(({id:s})=>s)).size;if(n<
e.trades)return[];let a=`${n} ${n===1?"trade":"trades"} today (limit ${e.trades})`;return[{key:P(e,r),says:a,facts:{trades:n,limit:e.trades}}]},template:`
# [max-trades]                 # positions opened since the start of the day
# trades = 10
# do = ["lock"]
`,docs:"this many positions were opened today"},oe={fields:{losses:O},needs:["closed"],steps:["lock"],isDaily:!1,condition:({losses:e})=>e===1?"a position has closed with a loss since the start of the\
 day":`${e} positions in a row have closed with a loss since the start of the day`,consequence:m,judge(e,{closed:t}){let o=t.findIndex(l=>A(l)>=0),r=t.slice(0,o<0?void 0:o);if(r.length<e.losses)return[];
let i=-r.reduce((l,p)=>l+A(p),0),a=`${`${r.length} ${r.length===1?"loss":"losses in a row"}`} today, ${h(i)} USD (limit ${e.losses})`;return[{key:`${e.id}@${r.at(-1).id}`,says:a,facts:{losses:r.length,
lost:i,limit:e.losses}}]},template:`
# [max-losses]                 # positions in a row closed with a loss since the start of the day
# losses = 3
# do = ["lock"]
`,docs:"this many positions in a row closed at a loss today, after fees and carry"},re={fields:{hours:H},needs:[],steps:["lock"],isDaily:!1,condition:({written:e})=>`it is ${e.hours}`,consequence:M("t\
hen"),judge(e,{time:t,zone:o}){let r=e.hours.map(s=>z(s,t,o)).filter(s=>s!==void 0);if(r.length===0)return[];let i=Math.min(...r.map(s=>s.start)),n=Math.max(...r.map(s=>s.end)),a=`No-trade hours (${e.
written.hours})`;return[{key:`${e.id}@${i}`,says:a,facts:{start:i,until:n},until:n}]},template:`
# [no-trade]                   # locks until these hours end
# hours = ["22:00-02:00", "Fri 16:00-24:00", "Sat-Sun"]
# do = ["lock"]
`,docs:'it is one of these hours: `"22:00-02:00"`, `"Sat-Sun"`, `"Fri 16:00-24:00"`; its lock ends with them'},he=36e5,ne={fields:{times:Y},needs:[],steps:["flatten"],isDaily:!1,condition:({written:e})=>`\
it is ${e.times}`,consequence:m,judge(e,{time:t,before:o,zone:r}){return o===null?[]:e.times.flatMap(i=>{let n=D(i,t,r);if(n===void 0||n<=Math.min(o,t-1))return[];let a=t-n>he,s=`${e.id}@${n}`,l={at:n,
late:a};if(!a)return[{key:s,says:`Flat time reached (${e.written.times})`,facts:l}];let p=`A flat time was missed (${e.written.times}); nothing was closed`;return[{key:s,says:p,facts:l,steps:[]}]})},template:`\

# [flatten-before]
# times = ["16:55", "Fri 16:30", "2026-12-10 08:25"]
# do = ["flatten"]
`,docs:'it is one of these times: `"16:55"`, `"Fri 16:30"`, `"2026-12-10 08:25"`'};var ge=.1;function ie(e,t,o){return t.positions.flatMap(r=>{let i=({market:s})=>s===void 0?void 0:t.markets.get(s),n=e.find(s=>i(s)===r.market_id)??e.find(({market:s})=>s===void 0),a=t.marks.get(r.market_id);
return n===void 0||a===void 0?[]:[ae(n,r,a,t,o[r.id])]})}function se(e,t,o){return t.positions.flatMap(r=>{let i=t.plans.find(({position_id:l})=>l===r.id),n=t.marks.get(r.market_id),a=i===void 0?void 0:
E(i,r,t.working);if(n===void 0||a===void 0)return[];let s=a.trail===void 0?void 0:o[r.id];return[ae({...e,by:a.trail,breakEven:a.breakEven},r,n,t,s)]})}function ae(e,t,o,r,i=o){let n=t.side==="long",a=n?
Math.max(i,o):Math.min(i,o),{unit:s,amount:l}=e.by??{unit:"absolute",amount:0},p=s==="percent"?a*l/100:l,y=e.by===void 0?[]:[n?a-p:a+p],R=e.breakEven?[...y,t.entry_price]:y,d=n?Math.max(...R):Math.min(
...R),f=ke(d,n,r.ticks.get(t.market_id)),S=n?o<=f:o>=f,fe=S||f<=0?void 0:be(f,p,t,r.working);return{rule:e,position:t,mark:o,best:a,wanted:f,isCrossed:S,move:fe}}function ke(e,t,o){if(o===void 0||!(o>
0))return Number(e.toPrecision(12));let r=Number((e/o).toPrecision(12));return Number(((t?Math.ceil(r):Math.floor(r))*o).toPrecision(12))}function be(e,t,o,r){let i=r.filter(d=>d.target_position_id===
o.id),n=i.filter(({mode:d})=>B(d)==="sl"),a=o.side==="long",s=d=>a?e-(d.trigger_price??0):(d.trigger_price??0)-e,l=n.filter(d=>s(d)>0),p=n.reduce((d,{size:f})=>d+f,0),y=Number((o.size-p).toPrecision(12));
if(y>0||l.some(d=>s(d)>=t*ge))return{expected_position_size:o.size,expected_orders:i.map(d=>({order_id:d.id,execution_type:q(d.type),price:d.trigger_price??d.limit_price??0,size:d.size})),operations:[
...l.map(d=>({kind:"modify",order_id:d.id,price:e})),...y>0?[{kind:"place",group:"sl",execution_type:"market",price:e,size:y}]:[]]}}var de={fields:{within:C},needs:["marks","outlook"],steps:[],isDaily:!1,condition:({written:e})=>`a move of ${e.within} in every market would reach a floor of the account or liquidate it`,consequence:m,
judge(e,t){let o=X(t);return{holds:o!==void 0&&Math.abs(o)<=e.within,says:()=>`A move of ${c(Number(o.toPrecision(3)))}% in every market would breach the account`,facts:{move_pct:o}}},template:`
# [breach]                     # a move of every market that would reach a floor of the account
# within = "1%"
# do = []
`,docs:"this move in every market would reach a floor or liquidate the account: `breach_move_pct` of `accounts show`"},le={fields:{by:U,market:x(N)},needs:["marks","stops"],steps:null,isDaily:!1,condition:({
market:e,written:t})=>`a position${e===void 0?"":` in ${e}`} is open: its stop follows the best price at a distance of ${t.by}`,consequence:()=>"move the stop, only closer",repeats:(e,t)=>e.market===t.
market?"follows the same positions":void 0,follow:ie,judge(e,{followed:t}){return t.flatMap(({position:o,isCrossed:r,wanted:i,mark:n})=>{if(!r)return[];let a=`${o.symbol} is at ${c(n)}, beyond its tra\
iling stop at ${c(i)}`,s={position_id:o.id,market_id:o.market_id,price:n,stop:i};return[{key:`trail@${o.id}`,says:a,facts:s,steps:[{kind:"close",positions:[o.id]}]}]})},template:`
# [trail]                      # stops follow the best price and only move closer
# market = "BTC"               # without it: every position
# by = "1.5%"                  # or a distance in price: 200
`,docs:"see [trailing stops](#trailing-stops)"},pe={fields:{},needs:["marks","stops","plans"],steps:null,isDaily:!1,condition:()=>"a position has an exit plan (perp plan): after its first target, its \
stop goes to the entry; after all of them, it trails",consequence:()=>"move the stop, only closer",repeats:()=>"does the same plans",follow:([e],t,o)=>se(e,t,o),judge(e,{followed:t}){return t.flatMap(
({position:o,isCrossed:r,wanted:i,mark:n})=>{if(!r)return[];let a=`${o.symbol} is at ${c(n)}, beyond the stop of its plan at ${c(i)}`,s={position_id:o.id,market_id:o.market_id,price:n,stop:i};return[{
key:`plan@${o.id}`,says:a,facts:s,steps:[{kind:"close",positions:[o.id]}]}]})},template:`
# [plans]                      # does what exit plans leave to a guard: see perp help plan
`,docs:"an [exit plan](stops.md#exit-plans) moves its stop: to the entry after the first target, trailing after the last"},me={fields:{market:N,above:x(w),below:x(w)},anyOf:["above","below"],needs:["m\
arks"],steps:[],isDaily:!1,condition:({market:e,above:t,below:o,written:r})=>[t===void 0?void 0:`${e} is at or above ${r.above}`,o===void 0?void 0:`${e} is at or below ${r.below}`].filter(i=>i!==void 0).
join(", or "),consequence:m,judge(e,{markets:t,marks:o}){let r=t.get(e.market),i=r===void 0?void 0:o.get(r);if(i===void 0)return[];let n=e.above!==void 0&&i>=e.above,a=e.below!==void 0&&i<=e.below,s=n?
"above":"below";return{holds:n||a,says:()=>`${e.market} is at ${c(i)}, ${s} ${e.written[s]}`,facts:{market_id:r,price:i}}},template:`
# [[price]]
# market = "BTC"
# above = 100000               # and/or below
# do = []
`,docs:"the mark is at or beyond one of these"},ce={fields:{},needs:["fills"],steps:null,isDaily:!1,condition:()=>"an order fills",consequence:m,judge:(e,t)=>t.fills.map(o=>{let{id:r,side:i,symbol:n,fill_price:a,
size:s}=o,l=a===void 0?"":` at ${c(a)}`;return{key:`fill@${r}`,says:`Filled: ${i} ${c(s)} ${n}${l}`,facts:{fill:o}}}),template:`
# [fills]                      # an alert for every fill
`,docs:"an order fills"},ue={fields:{file:J,"max-age":I},needs:["silences"],steps:["flatten"],isDaily:!1,condition:({file:e,written:t})=>`${e} has not been touched for ${t["max-age"]}`,consequence:m,judge(e,{
silences:t}){let o=t.get(e.file)??0;return{holds:o>=e.maxAge,says:()=>`No heartbeat: ${e.file} has not been touched for ${Math.floor(o/1e3)}s`,facts:{silent_ms:o}}},template:`
# [heartbeat]                  # a dead man's switch: fires when the file has not been touched for max-age
# file = "/run/user/1000/bot.alive"
# max-age = "60s"
# do = ["flatten"]
`,docs:"the file hasn't been touched for this long: a dead man's switch"};var F={"daily-stop":ee,"max-trades":te,"max-losses":oe,"no-trade":re,"flatten-before":ne,breach:de,trail:le,plans:pe,price:me,fills:ce,heartbeat:ue};function Qe({rules:e},t,o){let r=new Map;for(let[i,
n]of Object.entries(F)){let a=e.filter(s=>s.kind===i);if(a.length!==0)for(let s of n.follow?.(a,t,o)??[])r.set(s.position.id,s)}return[...r.values()]}function g({kind:e}){return F[e]}function Xe(e){return g(
e).condition(e)}function et(e){return g(e).consequence(e)}function tt(e){return Object.hasOwn(F,e)&&g({kind:e}).needs.includes("equity")}function ot({rules:e}){return new Set(e.flatMap(t=>g(t).needs))}
function rt(e,t){return Object.entries(g(e).fields).filter(([,{names:r}])=>r===t).flatMap(([r])=>e.written[r]??[])}var nt=`# Rules of perp guard (TOML). perp guard rules checks and explains them.
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

return{a:Ne,b:P,c:Ae,d:Se,e:Be,f:F,g:Qe,h:g,i:Xe,j:et,k:tt,l:ot,m:rt,n:nt}})