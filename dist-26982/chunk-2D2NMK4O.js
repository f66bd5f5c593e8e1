(function(use,load,meta,require){"use strict";
var n=class{#t=new Map;take(e,r,t){Number.isFinite(r)&&r>0&&this.#t.set(e,{price:r,at:t})}ageOf(e,r){return r-(this.#t.get(e)?.at??Number.NEGATIVE_INFINITY)}get current(){let e=Math.max(...[...this.#t.
values()].map(({at:t})=>t)),r=[...this.#t].filter(([,{at:t}])=>e-t<=5e3);return new Map(r.map(([t,{price:s}])=>[t,s]))}},m=class a{#t;#r;#e=new Map;constructor(e,r){this.#t=e,this.#r=r}static async open(e,r,t){
let{MarketFollower:s}=await load  ("./market-follower-ZL7FKBL6.js");return new a(new s({transport:e,timing:r,onState:o=>t.state?.(o)}),t)}follow(e){let r=new Set(e.map(({market_id:t})=>t));for(let[t,s]of this.#e)
r.has(t)||(s(),this.#e.delete(t));for(let t of e)this.#e.has(t.market_id)||this.#s(t)}#s({market_id:e,provider:r,coin:t}){let s=this.#t.subscribe("ticks",{symbols:[t],providers:[r]},{events:o=>{for(let i of o)
i?.type!=="tick"||i.kind!=="mark"||(this.#r.time(i.time),this.#r.mark(e,Number(i.price)))},refused:()=>{}});this.#e.set(e,s)}close(){this.#t.close()}};                      

return{a:n,b:m}})