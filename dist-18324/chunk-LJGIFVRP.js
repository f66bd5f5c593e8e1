(function(use,load,meta,require){"use strict";const {a:g,b:s}=use("chunk-SXEH32IS.js");const {Ka:u,Pa:f,Ua:i,Wa:h,b:x,e:l,ua:S}=use("chunk-AFUPYCZE.js");
                                                                                                                                      var H,C=()=>H??=require                 ("node:crypto");var k=(...r)=>C().randomBytes(...r);var P,_=()=>P??=require                 ("node:fs"),E=r=>_()[r];var v=E("statSync");var R,U=()=>R??=require                 ("node:path"),O=r=>U()[r];var a=O("join");var m="*";function Q(r){return a(S(r),"gate")}var b=class{#t;#e;constructor(t){this.#t=a(t,"bots.json")}keys(){return this.#o().keys}key(t){let e=s(t);return this.keys().find(o=>o.hash===e)}validKey(t,e){
return this.keys().find(o=>o.bot===t&&j(o,e))}add(t,e,o,n,p="gate_"){let c=g(e,p),y={id:`key_${k(5).toString("hex")}`,bot:t,environment:e,hash:s(c),created_at:o,expires_at:n,revoked_at:null};return this.#r(
({keys:K,stopped:F})=>({keys:[...K.map(D=>I(D,t,o)),y],stopped:F})),{key:y,text:c}}named(t){return this.keys().find(({id:e,bot:o,revoked_at:n})=>n===null&&(e===t||o===t))}revoke(t,e){let o=this.named(
t);if(o===void 0)return;let n=p=>p.id===o.id?{...p,revoked_at:e}:p;return this.#r(({keys:p,stopped:c})=>({keys:p.map(n),stopped:c})),o}stoppedSince(t){let{stopped:e}=this.#o();return e[m]??(Object.hasOwn(
e,t)?e[t]:void 0)}stop(t,e){this.#r(({keys:o,stopped:n})=>({keys:o,stopped:{[t??m]:e,...n}}))}resume(t){let{stopped:e}=this.#o(),o=Object.hasOwn(e,t??m);return this.#r(({keys:n,stopped:p})=>{if(t===void 0)
return{keys:n,stopped:{}};let{[t]:c,...d}=p;return{keys:n,stopped:d}}),o}#o(){let t=v(this.#t,{throwIfNoEntry:!1});return(this.#e===void 0||!V(this.#e.status,t))&&(this.#e={contents:t===void 0?{keys:[],
stopped:{}}:this.#n(),status:t}),this.#e.contents}#n(){let{text:t,status:e}=u(this.#t,16777216);if(x(e.mode))throw w(`Other users can read ${this.#t}.`,`Run: chmod 600 ${this.#t}`);let o=h(t);if(!i(o)||
!Array.isArray(o.keys)||!i(o.stopped))throw w(`${this.#t} is damaged.`,"Remove it, and give every bot a new key.");return o}#r(t){f({file:this.#t,isSecret:!0},e=>{e(`${JSON.stringify(t(this.#o()),null,
2)}
`),this.#e=void 0})}};function j({revoked_at:r,expires_at:t},e){return r===null&&e<t}function I(r,t,e){return r.bot===t&&r.revoked_at===null?{...r,revoked_at:e}:r}function V(r,t){return r?.ino===t?.ino&&
r?.mtimeMs===t?.mtimeMs&&r?.size===t?.size}function w(r,t){return new l({code:"gate_file",message:r,hint:t})}                        

return{a:Q,b:b,c:j}})