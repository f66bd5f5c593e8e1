(function(use,load,meta,require){"use strict";
function a({what:n,rows:r,example:e}){return`${n}: ${r===1?e:`${r} markets, such as ${e}`}`}var i=class extends Error{name="VenueError";venue;status;constructor(r,e,t,s){super(t,s),this.venue=r,this.status=
e}};function d(n,r){let e=n.indexOf("?"),[t,s]=e<0?[n,""]:[n.slice(0,e),n.slice(e+1)],o=`${t.endsWith("/")?t.slice(0,-1):t}${r}`;return s===""?o:`${o}${o.includes("?")?"&":"?"}${s}`}                        

return{a:a,b:i,c:d}})