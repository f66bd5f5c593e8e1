(function(use,load,meta,require){"use strict";const {d:m,g:s}=use("chunk-I2IHME74.js");
                                               var x,y=()=>x??=require                 ("node:fs"),d=t=>y()[t];var a=d("readFileSync");function*h({folder:t},{since:r,bot:p}={}){for(let{file:e}of s(t).reverse()){let i=a(e),o=i.lastIndexOf(10);for(;o>=0;){let c=o===0?0:i.lastIndexOf(10,o-1)+1,n=S(i,c,o,r);n!==void 0&&(p===void 0||n.bot===
p)&&(yield n),o=c-1}}}function S(t,r,p,e=Number.NEGATIVE_INFINITY){if(!((m(t,r)?.time??Number.NEGATIVE_INFINITY)<e))try{return JSON.parse(t.toString("utf8",r,p))}catch{return}}               

return{a:h}})