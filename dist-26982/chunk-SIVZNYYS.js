(function(use,load,meta,require){"use strict";
var i,y=()=>i??=require                 ("node:crypto");var t=(...e)=>y().hash(...e);var x=50,f=15*6e4,g=2*6e4,m=5e3;function u(e){let{bot:r,account:o,operation:n,method:c,target:s,body:a,key:p}=e;return t("sha256",JSON.stringify([r,o,n,c,s,a,p]),"hex")}                                           

return{a:x,b:f,c:g,d:m,e:u}})