(function(use,load,meta,require){"use strict";
var r=class{#e;#t=new Map;constructor(s){this.#e=s}admit(s,t){let i=this.#s(s);return n(i,t-6e4),i.times.length-i.first<this.#e?(i.times.push(t),0):Math.max(1,Math.ceil((i.times[i.first]+6e4-t)/1e3))}#s(s){
let t=this.#t.get(s);return t===void 0&&(this.#t.size===4096&&this.#t.delete(this.#t.keys().next().value),t={times:[],first:0},this.#t.set(s,t)),t}};function n(e,s){let{times:t}=e;for(;e.first<t.length&&
t[e.first]<=s;)e.first++;e.first*2>t.length&&(t.splice(0,e.first),e.first=0)}               

return{a:r}})