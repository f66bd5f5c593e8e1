(function(use,load,meta,require){"use strict";const {f:c,g:e,h:p,i:n,j:o,k:f,m:u,n:h,o:k,p:r}=use("chunk-WRXQZQCO.js");const {c:a}=use("chunk-AO6ZLXWG.js");const {a:i}=use("chunk-4GADUBZQ.js");
                                                                                                                                                                                       var m="The strategy can't start:",d={parameters:n,seed:u,run:e,signal:n,log:p},g={...d,books:e,from:o,to:o,plan:h("select","prime","none"),balance:k,thinkMs:f(0,864e5)},y={...d,client:n,simulation:n,account:e,
for:O};function C(t){r(m,t,g)}function B(t){r(m,t,y)}function O(t){if(c(t))return o(t);if(typeof t!="string"&&typeof t!="number")return"must be a duration such as 1h, ms or a Date";try{return a(t,"for"),
null}catch(s){if(!(s instanceof i))throw s;return`is ${JSON.stringify(t)}, not a duration`}}                      

return{a:C,b:B}})