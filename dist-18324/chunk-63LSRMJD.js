(function(use,load,meta,require){"use strict";const {Ca:d,Ea:l,Ja:y,Ka:x,S:a,ua:m}=use("chunk-AFUPYCZE.js");
                                                                                var h,v=()=>h??=require                 ("node:crypto");var f=(...r)=>v().hash(...r);var b,k=()=>b??=require                 ("node:fs"),K=r=>k()[r];var S=K("rmSync");var w,F=()=>w??=require                 ("node:path"),D=r=>F()[r];var s=D("join");var I=50,N=15*6e4,V=2*6e4,M=5e3;function G(r){let{bot:e,account:t,operation:o,method:p,target:n,body:i,key:c}=r;return f("sha256",JSON.stringify([e,t,o,p,n,i,c]),"hex")}var u={request:"approval reques\
t",facts:"approval facts",decision:"approval",end:"approval end"};function W(r){return s(m(r),"gate","approvals")}var H=1<<20,g=class{folder;#e;constructor(e,t){this.folder=e,this.#e=t}ids(){return y(
this.folder).map(t=>/^([0-9a-f]{32})\.request$/.exec(t)?.[1]).filter(t=>t!==void 0)}read(e,t){let o;try{({text:o}=x(this.#t(e,t),H))}catch(c){return c.code==="ENOENT"?void 0:"forged"}let[p,n=""]=o.split(
`
`);if(!this.#e.isSigned(u[t],n,p))return"forged";let i=JSON.parse(n);return i.id===e?i:"forged"}sound(e,t){let o=this.read(e,t);return o==="forged"?void 0:o}create(e,t){return l(this.#t(t.id,e),this.#o(
e,t))}replace(e,t){d(this.#t(t.id,e),this.#o(e,t),"quick")}remove(e,...t){for(let o of t)S(this.#t(e,o),{force:!0})}#t(e,t){return s(this.folder,`${e}.${t}`)}#o(e,t){let o=a(JSON.stringify(t));return`${this.#e.
sign(u[e],o)}
${o}
`}};                                                    

return{a:I,b:N,c:V,d:M,e:G,f:W,g:g}})