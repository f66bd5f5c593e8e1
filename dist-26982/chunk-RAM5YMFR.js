(function(use,load,meta,require){"use strict";const {N:s,la:c,sa:m,ua:a,za:d}=use("chunk-KBEGXUNB.js");
                                                                        var w,g=()=>w??=require                 ("node:fs"),l=e=>g()[e];var y=l("readdirSync");var x=l("rmSync");var k,v=()=>k??=require                 ("node:path"),F=e=>v()[e];var n=F("join");var S={request:"approval request",facts:"approval facts",decision:"approval",end:"approval end"};function O(e){return n(c(e),"gate","approvals")}var K=1<<20,f=class{folder;#o;constructor(o,t){this.folder=
o,this.#o=t}ids(){let o;try{o=y(this.folder)}catch(t){if(t.code==="ENOENT")return[];throw t}return o.map(t=>/^([0-9a-f]{32})\.request$/.exec(t)?.[1]).filter(t=>t!==void 0)}read(o,t){let r;try{({text:r}=
d(this.#t(o,t),K))}catch(h){return h.code==="ENOENT"?void 0:"forged"}let[u,i=""]=r.split(`
`);if(!this.#o.isSigned(S[t],i,u))return"forged";let p=JSON.parse(i);return p.id===o?p:"forged"}create(o,t){return a(this.#t(t.id,o),this.#r(o,t))}replace(o,t){m(this.#t(t.id,o),this.#r(o,t),"quick")}remove(o,...t){
for(let r of t)x(this.#t(o,r),{force:!0})}#t(o,t){return n(this.folder,`${o}.${t}`)}#r(o,t){let r=s(JSON.stringify(t));return`${this.#o.sign(S[o],r)}
${r}
`}};                      

return{a:O,b:f}})