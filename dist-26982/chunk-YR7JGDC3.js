(function(use,load,meta,require){"use strict";const {a:e}=use("chunk-62PDKIMC.js");const {Da:n,K:d,e:c,g:f,h:u,ka:x,za:h}=use("chunk-KBEGXUNB.js");
                                                                                                                             var g,w=()=>g??=require                 ("node:path"),v=r=>w()[r];var b=v("join");var s=/^[a-z][a-z0-9-]{0,31}$/;function a(r){return b(x(r),"plans.json")}function l(r){let t=a(r);try{let o=JSON.parse(h(t,1048576).text);if(typeof o!="object"||o===null||Array.isArray(o))throw new Error(
"it is not an object");let i=Object.entries(o).filter(([p,m])=>s.test(p)&&typeof m=="string");return Object.fromEntries(i)}catch(o){if(o.code==="ENOENT")return{};let i=`The saved plans in ${t} can't b\
e read: ${o.message}.`;throw new c({code:"plans",message:i,hint:"Fix or remove that file."})}}function S(r,t,o){if(!s.test(t))throw f(`${d(t)} can't name a plan.`,"Write up to 32 of a-z, 0-9 and -, su\
ch as scalp.");let i=e(o,"PLAN");return n({file:a(r),followsLinks:!0},p=>{let m=l(r);return p(`${JSON.stringify({...m,[t]:i.text},null,2)}
`),{plan:i,before:Object.hasOwn(m,t)?m[t]:null}})}function V(r,t){return n({file:a(r),followsLinks:!0},o=>{let{[t]:i,...p}=l(r);return i===void 0?!1:(o(`${JSON.stringify(p,null,2)}
`),!0)})}function k(r,t,o){if(!s.test(t))return e(t,o);let i=l(r);if(Object.hasOwn(i,t))return e(i[t],`plan ${t}`);throw u(`There is no saved plan ${t}.`,`perp plan list shows them; perp plan set ${t}\
 "1/3@1R rest@2R" creates it.`)}                                    

return{a:l,b:S,c:V,d:k}})