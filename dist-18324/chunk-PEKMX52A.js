(function(use,load,meta,require){"use strict";const {q:r}=use("chunk-BCETIKKZ.js");const {i:c}=use("chunk-MQL63B4K.js");const {ef:o}=use("chunk-AFUPYCZE.js");
                                                                                                                         var i,x=()=>i??=require                 ("node:fs"),s=e=>x()[e];var p=s("readdirSync");var a=s("statSync");function w(e){return S(e).flatMap(t=>t.endsWith(".db")?[t.slice(0,-3)]:[]).filter(o).sort().map(t=>y(e,t))}function y(e,n){let t=c(e,n).database;return{state:n,file:t,sizeBytes:l(t),...r(t)}}function S(e){
try{return p(e)}catch(n){let{code:t}=n;if(t==="ENOENT")return[];throw n}}function l(e){return["","-wal"].reduce((n,t)=>n+(a(e+t,{throwIfNoEntry:!1})?.size??0),0)}                      

return{a:w,b:y}})