(function(use,load,meta,require){"use strict";const {Hd:a,Id:C,M:s,P:c,V:d,aa:g,g:f}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                 function x(t,r,i){let m=r.flatMap(p=>t.fields.find(e=>o(e)===o(p))??[]);if(i==="csv"){if(m.length<r.length)throw y(r,t.fields);return{...t,fields:m}}let n=r.flatMap(p=>{let e=t.columns.find(({header:u})=>o(
u)===o(p));if(e!==void 0)return[h(e)];let l=t.fields.find(u=>o(u)===o(p));return l===void 0?[]:[w(l)]});if(n.length===r.length)return{...t,columns:n};throw y(r,[...t.columns.map(({header:p})=>p.toLowerCase().
replaceAll(" ","-")),...t.fields])}function o(t){return t.toLowerCase().replaceAll(/[ _-]/g,"")}function h({header:t,cell:r,align:i}){return{header:t,cell:r,always:!0,...i!==void 0&&{align:i}}}function w(t){
return{header:t.toUpperCase(),always:!0,cell:r=>L(t,a(r,t))}}function L(t,r){return r==null?"":typeof r=="number"?C(t,r)?g(r):d(r):typeof r=="string"?r:s(r)}function y(t,r){let i=t.find(m=>r.every(n=>o(
n)!==o(m)));return f(`There is no column ${c(i)}.`,`Columns: ${[...new Set(r)].filter(m=>m!=="").join(", ")}.`)}                         

return{withColumns:x}})