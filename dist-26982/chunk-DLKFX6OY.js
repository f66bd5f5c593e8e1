(function(use,load,meta,require){"use strict";const {la:a,sa:x}=use("chunk-KBEGXUNB.js");
                                                 var f,h=()=>f??=require                 ("node:fs"),i=o=>h()[o];var m=i("existsSync");var y=i("readFileSync");var l=i("rmSync");var k,w=()=>k??=require                 ("node:path"),b=o=>w()[o];var s=b("join");var F=1e4,g=1e3,S=class{#t;#e;#o=new Map;constructor(t,e=()=>performance.now()){this.#t=d(t),this.#e=e}timeOf(t,e,n){let r=this.#e(),c=this.#n(t,r)??this.#r(t,r),p=Math.max(e,c.at+Math.max(0,r-c.uptime)),
u=p>=n&&c.kept<n;return c.at=p,c.uptime=r,(u||p-c.kept>=F)&&this.#c(t,c),p}#n(t,e){let n=this.#o.get(t);return n===void 0||e-n.lookedAt<g?n:(n.lookedAt=e,Number.isFinite(n.kept)&&!m(s(this.#t,t))?void 0:
n)}#r(t,e){let n=N(s(this.#t,t)),r={at:n,uptime:e,kept:n,lookedAt:e};return this.#o.set(t,r),r}#c(t,e){e.kept=e.at;try{x(s(this.#t,t),`${e.at}
`,"quick")}catch{}}};function R(o,t){l(s(d(o),v(t)),{force:!0})}function v(o){return`mandate-${o}`}function d(o){return s(a(o),"gate","times")}function N(o){try{let t=Number(y(o,"utf8"));return Number.
isFinite(t)?t:Number.NEGATIVE_INFINITY}catch{return Number.NEGATIVE_INFINITY}}                             

return{a:S,b:R,c:v}})