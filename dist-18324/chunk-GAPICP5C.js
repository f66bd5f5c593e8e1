(function(use,load,meta,require){"use strict";const {P:r,Wb:p,g:c,na:s}=use("chunk-AFUPYCZE.js");
                                                               var y,x=()=>y??=require                 ("node:fs"),S=n=>x()[n];var i=S("readFileSync");async function F(n,t,e){let o=p(await l(n,t,e));if(!o.ok)throw m(o.issues);return o.value}async function l(n,t,e){if(t==="-"){let o=[];for await(let a of n.io.input())o.push(Buffer.from(a));return Buffer.
concat(o).toString("utf8")}if(!t.startsWith("@"))return t;try{return i(t.slice(1),"utf8")}catch(o){throw c(`${e} can't read ${r(t.slice(1))}: ${o.message}.`)}}function m(n){let t=c("The request is inv\
alid.",void 0,n);return s(t),t}                      

return{a:F,b:m}})