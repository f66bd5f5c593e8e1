(function(use,load,meta,require){"use strict";
var n=class{#s;#e=new Map;constructor(s){this.#s=s}admit(s,e){let t=this.#t(s);for(;t.length>0&&t[0]<=e-6e4;)t.shift();return t.length>=this.#s?Math.max(1,Math.ceil((t[0]+6e4-e)/1e3)):(t.push(e),0)}#t(s){
let e=this.#e.get(s);return e===void 0&&(this.#e.size===4096&&this.#e.delete(this.#e.keys().next().value),e=[],this.#e.set(s,e)),e}};               

return{a:n}})