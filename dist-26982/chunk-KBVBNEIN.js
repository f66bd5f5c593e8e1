(function(use,load,meta,require){"use strict";
function i({what:n,rows:r,example:e}){return`${n}: ${r===1?e:`${r} markets, such as ${e}`}`}var a=class extends Error{name="VenueError";venue;status;constructor(r,e,t,o){super(t,o),this.venue=r,this.status=
e}};function d(n,r){let e=n.indexOf("?"),[t,o]=e<0?[n,""]:[n.slice(0,e),n.slice(e+1)],s=`${t.endsWith("/")?t.slice(0,-1):t}${r}`;return o===""?s:`${s}${s.includes("?")?"&":"?"}${o}`}                             

return{a:i,b:a,c:d}})