(function(use,load,meta,require){"use strict";const {b:l,c:m,d:a,k:u,l:f}=use("chunk-HRKOIFKX.js");const {Yf:c,ei:h,hi:d,uf:p}=use("chunk-AFUPYCZE.js");
                                                                                                                                     var M=3,k=500,b=500,_=3e4,E=1e3,x=256,y=class{states=l();#r;#a;#o;#n=new Map;#s=new Map;candles=[];context=[];watched;chosen;interval;accountId;book;grid;ahead=new Map;prints=[];#t=new Set;time=0;streams;endings=new Map;locks=new Map;#i;areLocksKnown=!1;constructor(t){
this.streams=t.streams??new h,this.#a=new Map(t.markets.map(i=>[v(i.provider,i.coin),i])),this.#o=new Map(t.markets.map(i=>[i.market_id,i])),this.watched=t.watched,this.chosen=t.watched[0],this.interval=
t.interval}get accounts(){return this.#p().accounts}#p(){let{states:t}=this;if(this.#r?.states===t)return this.#r;let i=[...t.accounts.values()],e=new Map(i.flatMap(o=>f(o)??[]).map(o=>[o.account.id,o])),
r=i.flatMap(({parts:o})=>[...a(o.fills)?.values()??[]]),n=i.length===1?r:r.sort((o,w)=>p(w)-p(o));return this.#r={states:t,accounts:e,fills:n.slice(0,b)},this.#r}get areFillsKnown(){return this.states.
accounts.size>0&&[...this.states.accounts.values()].every(u)}get account(){return this.accountId===void 0?void 0:this.accounts.get(this.accountId)}get fills(){return this.#p().fills}get contextInterval(){
return d[d.indexOf(this.interval)+M]}hasHeardOf(t){return this.#t.has(t)||(this.account?.orders.has(t)??!1)}unstreamedOf(t){if(!(t===void 0||this.#i?.account_id!==t))return{...this.besides(t),marks:this.#i.
marks,oneR:this.#i.oneR}}get acting(){let{accountId:t}=this,i=t===void 0?void 0:this.states.accounts.get(t);if(i===void 0)return[];let{working:e,parents:r,copies:n}=i.parts,o=[...a(e)?.values()??[]];return c(
t,{working:o,twaps:a(r),copies:a(n)})}besides(t){let{parents:i,policy:e}=this.states.accounts.get(t)?.parts??{};return{twaps:i&&m(i),policy:(e&&m(e))??void 0}}takeExits(t,i,e=new Map){this.#i={account_id:t,
marks:i,oneR:e}}get markets(){return[...new Set([...this.watched,...this.#o.values()])]}market(t){return this.#o.get(t)}prices(t){return this.#n.get(t)??{}}change(t){return this.#s.get(t)}mid(t){let{mid:i}=this.
prices(t);return i===void 0?void 0:Number(i)}marks(t){let i=new Map;for(let{market_id:e}of t){let r=this.mid(e),{tick_size:n,category:o}=this.market(e)??{};r!==void 0&&i.set(e,{price:r,at:this.time,tick:n,
category:o})}return i}get position(){return[...this.account?.positions.values()??[]].find(t=>t.market_id===this.chosen.market_id)}get orders(){return[...this.account?.orders.values()??[]].filter(t=>t.
market_id===this.chosen.market_id)}takeEvents(t){for(let i of t){let e=this.#a.get(v(i.provider,i.symbol??""));if(e===void 0)continue;let r=e.market_id===this.chosen.market_id;i.type==="tick"?this.#c(
i,e.market_id):i.type==="marketStats"?this.#h(i,e.market_id):i.type==="book"&&r?this.#l(i):i.type==="candle"&&r?this.#k(i):i.type==="trade"&&r&&this.#u(i)}}tookFrame(t){t.type==="order"&&this.#f(t.order.
id),"time"in t&&this.#e(t.time),t.type==="snapshot_end"&&this.#d(),this.#m()}tookReads(){this.#d(),this.#m()}takeMid(t,i,e){this.#n.set(t,{...this.prices(t),mid:String(i)}),this.#e(e)}takeTime(t){this.
time=t}startOver(){this.endings.clear(),this.#i=void 0,this.candles=[],this.context=[],this.prints=[],this.#t.clear(),this.book=void 0,this.time=0}startAnew(){this.startOver(),this.streams.forget(),this.#n.
clear(),this.#s.clear(),this.ahead=new Map,this.grid=void 0,this.locks=new Map,this.areLocksKnown=!1}choose(t,i){t.market_id!==this.chosen.market_id&&(this.book=void 0,this.grid=void 0,this.prints=[]),
(t.market_id!==this.chosen.market_id||i!==this.interval)&&(this.candles=[],this.context=[]),this.chosen=t,this.interval=i,this.watched.includes(t)||(this.watched=[...this.watched,t])}#c({kind:t,price:i,
time:e},r){this.#n.set(r,{...this.prices(r),[t]:i}),this.#e(e)}#h({change24hPct:t},i){t===null?this.#s.delete(i):t!==void 0&&this.#s.set(i,t)}#l(t){this.book=t,this.#e(t.time)}#u(t){let i=t.time-_,e=this.
prints.findIndex(({time:r})=>r>i);this.prints=[...e<0?[]:this.prints.slice(e),t].slice(-E),this.#e(t.time)}#f(t){this.#t.add(t);for(let i of this.#t){if(this.#t.size<=x)break;this.#t.delete(i)}}#k(t){
t.interval===this.interval?this.candles=g(this.candles,t):t.interval===this.contextInterval&&(this.context=g(this.context,t))}#e(t){t>this.time&&(this.time=t)}#d(){if(this.account!==void 0)return;let t=[
...this.accounts.values()].map(({account:e})=>e),i=t.toSorted((e,r)=>(r.created_at??0)-(e.created_at??0));this.accountId=(t.find(({status:e})=>e==="active")??i[0])?.id}#m(){for(let{positions:t,orders:i}of this.
accounts.values())for(let{market_id:e}of[...t.values(),...i.values()]){let r=this.#o.get(e);r!==void 0&&!this.watched.some(n=>n.market_id===e)&&(this.watched=[...this.watched,r])}}};function g(s,t){let i=s.
at(-1);if(i===void 0||t.openTime>i.openTime)return[...s,t].slice(-k);let e=s.findLastIndex(({openTime:n})=>n<=t.openTime),r=s[e]?.openTime===t.openTime;return s.toSpliced(r?e:e+1,r?1:0,t).slice(-k)}function v(s,t){
return`${s} ${t}`}                      

return{a:k,b:y}})