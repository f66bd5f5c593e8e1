(function(use,load,meta,require){"use strict";const {N:l,gi:y,la:d}=use("chunk-KBEGXUNB.js");
                                                        var h,g=()=>h??=require                 ("node:crypto");var s=(...e)=>g().hash(...e);var k,b=()=>k??=require                 ("node:fs"),f=e=>b()[e];var S=f("readdirSync");var m=f("readFileSync");var F,w=()=>F??=require                 ("node:path"),v=e=>w()[e];var c=v("join");function V(e){return{folder:c(d(e),"gate","audit"),headFile:c(y(e),"audit-head")}}var u={seq:0,hash:"0".repeat(64)};function W(e,o){let{seq:n,hash:t}=o,r="";for(let{time:p,...i}of e){n+=1;let x=l(JSON.
stringify({prev:t,seq:n,time:Math.round(p),...i}));t=s("sha256",x,"hex"),r+=`${x}
`}return{lines:Buffer.from(r),end:{seq:n,hash:t}}}var D=160,H=/^\{"prev":"([0-9a-f]{64})","seq":(\d{1,15}),"time":(-?\d{1,16})[,}]/;function a(e,o){let n=e.indexOf(10,o);if(n<0)return;let t=H.exec(e.toString(
"latin1",o,Math.min(n,o+D)));if(t===null)return;let[,r,p,i]=t;return{prev:r,seq:Number(p),time:Number(i),hash:s("sha256",e.subarray(o,n),"hex"),until:n+1}}function C(e,o,n=-1){let t=o,r=0,p=o.seq===n?
o.hash:void 0;for(let i=a(e,0);i!==void 0&&!(i.seq!==t.seq+1||i.prev!==t.hash);i=a(e,r))t={seq:i.seq,hash:i.hash},r=i.until,t.seq===n&&(p=t.hash);return{end:t,until:r,wanted:p}}function j(e,o){return c(
e,`audit-${String(o).padStart(12,"0")}.ndjson`)}function G(e){let o;try{o=S(e)}catch(t){if(t.code==="ENOENT")return[];throw t}return o.map(t=>/^audit-(\d{12})\.ndjson$/.exec(t)).filter(t=>t!==null).map(
([t,r])=>({file:c(e,t),first:Number(r)})).sort((t,r)=>t.first-r.first)}function E(e){let{file:o,first:n}=e.at(-1);if(n===1)return u;let t=a(m(o),0);if(t!==void 0)return{seq:t.seq-1,hash:t.prev};let r=e.
slice(0,-1);return r.length===0?u:C(m(r.at(-1).file),E(r)).end}                                                                

return{a:V,b:u,c:W,d:a,e:C,f:j,g:G,h:E}})