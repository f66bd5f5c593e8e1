(function(use,load,meta,require){"use strict";const {Ca:c,Gg:f,Ig:h,Ka:u,V:i,Z:d,vg:p}=use("chunk-AFUPYCZE.js");
                                                                                       function T(e,t,o){let n=t.toSorted((s,r)=>r.opened_at-s.opened_at)[0];return{account:e,position:n,cover:n&&f(n,o)}}var a=e=>typeof e=="number"?d(e):"not known",l=[{name:"A challenge",text:({account:{starting_balance:e,
risk:t}})=>`This is a challenge: an account with ${d(e)} USD of play money and three rules. It passes when its profit reaches a target, here ${a(t?.remaining_profit)} USD. It must never lose more than\
 a limit in one day, and never more than a limit in all. This account belongs to the tour; your own accounts are not touched.`,task:{kind:"read"}},{name:"Floors and the breach",text:({account:{risk:e}})=>`\
Each limit is a floor: a value that equity must stay above. Equity is the balance plus the profit of what is open. The floor of the day is ${a(e?.daily_loss_floor)}, and restarts at midnight in New Yo\
rk; the other one is ${a(e?.max_drawdown_floor)}. What is left above a floor is your room. Touching a floor once, for a moment, is a breach: everything is closed, and the challenge has failed.`,task:{
kind:"read"}},{name:"Trading keys",text:()=>"Nothing that you press here trades before you turn the trading keys on. Then each key shows its order and asks; only y sends it. The keys are off again wit\
h t or Escape.",task:{kind:"key",key:"t",isDone:({isTrading:e})=>e}},{name:"An order",text:()=>"Buy 0.05 BTC at the market. Before it is sent, you see a preview: where it fills in the book, the fee, a\
nd what it may lose. An order without a stop may lose all of the room.",task:{kind:"command",key:"b",typed:"0.05",line:"order place BTC buy 0.05",isDone:({position:e})=>e!==void 0,undone:"The position\
 is closed: open another one."}},{name:"A stop",text:({position:e})=>`You hold ${e?.side} ${i(e?.size??0)} ${e?.symbol}, from ${i(e?.entry_price??0)}. Nothing limits its loss yet: at its breach price \
(ENDS AT on the live screen), it would take the account to a floor. A stop closes the position before that. Place one 1% away from your entry.`,task:{kind:"command",key:"S",typed:"1%",line:"stop BTC 1\
%",isDone:({cover:e})=>e!==void 0&&e.stops.length>0&&!(e.uncovered>0),undone:"No stop closes the whole position any more: place one."}},{name:"R, and a target",text:({position:e,cover:t})=>{let[o]=t?.
stops??[],n=o===void 0?void 0:h(o),s=e&&p(e,n),r=s===void 0?void 0:Math.abs(s);return`From its entry to the stop, ${n===void 0?"not known":i(n)}, this trade loses ${a(r)} USD, before fees. That loss i\
s 1R, the measure of every trade, and on the live screen the room above each floor is now shown in R, too. Place a target at 2R: with fees counted, it gains twice what the stop loses.`},task:{kind:"co\
mmand",key:"T",typed:"2R",line:"target BTC 2R",isDone:({cover:e})=>e!==void 0&&e.targets.length>0,undone:"The target is gone: place one."}},{name:"A bracket",text:({cover:e})=>{let[t,o]=[e?.stops[0],e?.
targets[0]],n=s=>s===void 0?"none":i(h(s));return`Stop ${n(t)}, target ${n(o)}: a bracket. When one of them fills, the other one is canceled. Until then, the position costs carry: it pays a little for\
 each full hour that it is open. Keep an eye on the room: it shrinks with every loss, and with carry.`},task:{kind:"read"}},{name:"The price ladder",text:()=>"The ladder has a row for each price, with\
 bids, asks, your orders, and the lines of your position.",task:{kind:"key",key:"L",isDone:({ladder:e})=>e!=="off"}},{name:"The end",text:()=>"This was the tour, and the bracketed trade is yours: clos\
e it, move its stop, or leave it. Your own simulation is as easy: perp watch, perp ladder BTC, perp order place BTC buy 0.05 --stop-loss 1% --take-profit 2R. perp help lists all commands; perp tour --\
restart begins again.",task:{kind:"read"}}],y=class{#t;#r;#e;#n;#o;constructor(t,o){this.#r=t,this.#t=l.filter(({task:r})=>o||r.kind!=="key");let n=l.findIndex(({name:r})=>r===m(t)),s=l.slice(Math.max(
0,n));this.#e=this.#t.findIndex(r=>s.includes(r))}get step(){return this.#t[this.#e]}get place(){return`${this.#e+1} of ${this.#t.length}`}get isOver(){return this.#e===this.#t.length-1}get undone(){return this.#n}get problem(){
return this.#o}restart(){this.#n=void 0,this.#s(0)}pass(){this.#n=void 0,this.#s(Math.min(this.#e+1,this.#t.length-1))}look(t){if(this.isOver)return;for(let[n,{task:s}]of this.#t.slice(0,this.#e).entries())
if(!(s.kind!=="command"||s.isDone(t))){this.#n=s.undone,this.#s(n);return}let{task:o}=this.step;o.kind==="command"&&o.isDone(t)&&this.pass()}#s(t){if(t!==this.#e){this.#e=t;try{c(this.#r,`${JSON.stringify(
{step:this.step.name})}
`),this.#o=void 0}catch(o){this.#o=o.message}}}};function m(e){try{let{step:t}=JSON.parse(u(e,1e3).text);return t}catch{return}}                      

return{a:T,b:y}})