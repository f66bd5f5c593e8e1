(function(use,load,meta,require){"use strict";
function o(r,i){let[e,l]=[0,r];for(;e<l;){let n=e+l>>1;i(n)?e=n+1:l=n}return e}               

return{a:o}})