(function(use,load,meta,require){"use strict";
var n=class{failures=0;firstMs;maxMs;random;constructor(t,e,i){this.firstMs=t,this.maxMs=e,this.random=i}next(){let t=Math.min(this.maxMs,this.firstMs*2**Math.min(this.failures,30));return this.failures+=
1,Math.round(t*(.5+this.random()/2))}reset(){this.failures=0}},s=class{current=null;next=null;timing;delays;owner;waits;attempts=new Set;notBefore=Number.NEGATIVE_INFINITY;cancelOpening=()=>{};isClosed=!1;constructor(t,e,i){
this.timing=t,this.delays=e,this.owner=i,this.waits=new n(e.firstMs,e.longestMs,()=>t.random())}get links(){return[this.current,this.next,...this.attempts].filter(t=>t!==null)}get waitMs(){return Math.
max(0,this.notBefore-this.timing.uptime())}open(){if(this.isClosed||this.current!==null)return;let t=this.newLink();this.attempts.add(t),this.delays.raceMs!==null&&this.openIn(this.delays.raceMs)}retry(){
return this.openIn(this.waits.next())}openIn(t){if(this.cancelOpening(),this.isClosed)return 0;let e=Math.max(t,this.waitMs);return this.cancelOpening=this.timing.after(e,()=>this.open()),e}holdOff(t){
this.notBefore=Math.max(this.notBefore,this.timing.uptime()+t)}worked(){this.waits.reset()}replace(){this.isClosed||this.next!==null||this.current===null||(this.next=this.newLink())}promote(){this.next!==
null&&(this.current?.close(),this.current=this.next,this.next=null,this.owner.promoted(this.current))}dropReplacement(){this.next?.close(),this.next=null,this.holdOff(this.waits.next())}drop(){for(let t of this.
links)t.close();this.attempts.clear(),this.current=null,this.next=null}close(){this.isClosed=!0,this.cancelOpening(),this.drop()}newLink(){let t=this.owner.open({opened:()=>this.opened(t),lost:e=>this.
lost(t,e)});return t}opened(t){if(this.attempts.delete(t)){this.cancelOpening();for(let e of this.attempts)e.close();this.attempts.clear(),this.current=t}this.owner.opened(t)}lost(t,e){this.attempts.delete(
t)?this.owner.lost(t,e):t===this.next?(this.next=null,this.owner.replacementLost(e)):t===this.current&&(this.current=null,this.next!==null&&this.owner.takesOver(this.next,t)?this.promote():(this.drop(),
this.owner.lost(t,e)))}};                      

return{a:n,b:s}})