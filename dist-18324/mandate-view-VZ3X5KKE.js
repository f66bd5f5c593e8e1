(function(use,load,meta,require){"use strict";const {a:i,b:s,e:p}=use("chunk-RDG56SNA.js");const {K:m,Td:d}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                  function l(r){return d(...s.filter(t=>r[t]!==void 0).map(t=>[i[t].key,m(p(t,r[t]))]))}function y(r){return Object.fromEntries(s.map(t=>[i[t].key,c(r,t)]))}function c(r,t){let o=r[t];if(o===void 0)return null;
let{written:n}=i[t];return n(o)}function $(r,t,o,n){let{key:e}=i[r],a=m(p(r,n[r]));if(o===void 0)return`new        ${e.padEnd(22)} ${a}`;let u=m(p(r,o[r]));return t==="same"?`same       ${e.padEnd(22)}\
 ${a}`:`${t==="looser"?"LOOSENED  ":"tightened "} ${e.padEnd(22)} ${u} -> ${a}`}                                                         

return{changeText:$,termsBlock:l,termsRecord:y}})