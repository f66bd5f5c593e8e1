(function(use,load,meta,require){"use strict";const {b:f,d:l}=use("chunk-UKVVE6FK.js");const {b:s,c:d}=use("chunk-FXSWUKU6.js");const {c:a}=use("chunk-4WGROWL7.js");const {e:n}=use("chunk-KBEGXUNB.js");
                                                                                                                                                                              var M=1e3,c=class{#r;#m;#t;#p;#i;#o=new Map;constructor(o,r,t){this.#r=o,this.#m=r,this.#t=t;let i=o.map(m=>h(m,r)),[e]=i.filter(({mandate:{name:m}},y)=>i.findIndex(u=>u.mandate.name===m)<y);if(e!==void 0)
throw g(`Two mandates name the bot ${e.mandate.name}.`,"Give each bot one mandate.");for(let m of i)this.#e(m);this.#i=new Map(i.map(({mandate:m})=>[m.name,m])),this.#p=setInterval(()=>this.#n(),M).unref()}get inForce(){
return this.#i}[Symbol.dispose](){clearInterval(this.#p)}#n(){let o=new Map;for(let r of this.#r)try{let t=h(r,this.#m),{mandate:i}=t,e=this.#i.get(i.name),m=e!==void 0&&JSON.stringify(e)===JSON.stringify(
i);o.set(i.name,m?e:i),m||this.#e(t),m||this.#t(`The mandate of ${i.name} has changed.`),this.#o.delete(r)}catch(t){let i=t instanceof Error?t.message:String(t);this.#o.get(r)!==i&&this.#t(`${i} Its b\
ot can't do anything until you fix the file.`),this.#o.set(r,i)}this.#i=o}#e({mandate:{name:o},looser:r}){let t=r.map(a).join(", ");t!==""&&this.#t(`The mandate file of ${o} loosens ${t}; the signed v\
alues apply.`)}};function h(p,o){let{mandate:r}=d(s(o,p)),t=f(o,r.name);if(t===void 0)throw g(`The mandate ${p} is not signed.`,`Sign it: perp mandate sign ${p}`);return l(t,r)}function g(p,o){return new n(
{code:"mandate",message:p,hint:o})}               

return{a:c}})