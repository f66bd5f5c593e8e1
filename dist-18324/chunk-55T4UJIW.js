(function(use,load,meta,require){"use strict";
function o(e,n,t){return a(`${e}/${n}/${t}`)/2**53}function h(e,n,t,r,u){return r+Math.floor(o(e,n,t)*(u-r+1))}function a(e,n=0){let t=3735928559^n,r=1103547991^n;for(let u=0;u<e.length;u+=1){let i=e.
charCodeAt(u);t=Math.imul(t^i,2654435761),r=Math.imul(r^i,1597334677)}return t=Math.imul(t^t>>>16,2246822507)^Math.imul(r^r>>>13,3266489909),r=Math.imul(r^r>>>16,2246822507)^Math.imul(t^t>>>13,3266489909),
(r&2097151)*2**32+(t>>>0)}                             

return{a:o,b:h,c:a}})