(function(use,load,meta,require){"use strict";
var u=class{longestMs=5;#e=new Map;#n=0;#i;#t=!1;constructor(n){this.#i=n}take(n,e){let t=this.#r(n);t.waiting.length>0||t.current!==null||t.done>=16?t.waiting.push(e):this.#o(t,e)}admits(n){let e=this.#r(
n);return e.waiting.length>0||e.current!==null||e.done>=16?!1:(e.done+=1,!0)}whenTurn(n){return new Promise(e=>this.take(n,()=>{e()}))}spread(n,e){this.#r(n).pieces.push(e)}waitingOf(n){return this.#e.
get(n)?.waiting.length??0}forget(n){let e=this.#e.get(n);if(e===void 0)return;let t=[e.current,...e.pieces];e.waiting.length=0,e.current=null,e.pieces.length=0;for(let r of t)r?.return()}#r(n){let e=this.#e.
get(n);return e===void 0&&(e={waiting:[],current:null,pieces:[],done:0},this.#e.set(n,e)),this.#s(),e}#s(){this.#t||(this.#t=!0,setImmediate(()=>{this.#t=!1,this.#c(),this.#e.size>0&&this.#s()}))}#c(){
let n=performance.now()+1.5;for(let[e,t]of this.#e){for(t.done=0;t.current===null&&t.waiting.length>0&&t.done<16&&performance.now()<n;)this.#o(t,t.waiting.shift());t.waiting.length===0&&t.current===null&&
t.pieces.length===0&&this.#e.delete(e)}for(let e=performance.now();e<n;){let t=this.#e.entries().find(([,o])=>o.current!==null||o.pieces.length>0);if(t===void 0)return;let r=this.#h(t[1]),s=performance.
now();this.#n+=s-e,e=s,(r||this.#n>=100)&&this.#d(...t)}}#d(n,e){this.#n=0,this.#e.delete(n),this.#e.set(n,e)}#o(n,e){n.done+=1,this.#u(()=>{let t=e();t!==void 0&&t.next().done!==!0&&(n.current=t)})}#h(n){
let e=n.current??n.pieces[0],t=e===n.current;t?n.current=null:n.pieces.shift();let r=this.#u(()=>e.next());return r===void 0||r.done===!0?!0:(t?n.current=e:n.pieces.unshift(e),r.value==="wait")}#u(n){
try{return n()}catch(e){this.#i(e);return}}};function c(i){for(;;){let{done:n,value:e}=i.next();if(n===!0)return e}}                      

return{a:u,b:c}})