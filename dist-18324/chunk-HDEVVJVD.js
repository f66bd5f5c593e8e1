(function(use,load,meta,require){"use strict";
var m=23283064365386963e-26;function i(n,e,b){let t=n^Math.imul(e,2654435761);return t=Math.imul(t^t>>>15,2246822507),t^=Math.imul(b,3266489909),t=Math.imul(t^t>>>13,668265263),t=Math.imul(t^t>>>16,374761393),
t^t>>>15}function h(n){let e=n+1831565813|0;return e=Math.imul(e^e>>>15,739982445),e=Math.imul(e^e>>>12,695872825),e^e>>>15}function a(n){return(n>>>0)*m}function x(n){return(n|0)*(m*2)}function c(n,e,b){
let t=Math.trunc(n),r=i(1374496523,t%2**32,Math.floor(t/2**32));for(let o of[e,b]){for(let u=0;u<o.length;u+=1)r=i(r,o.charCodeAt(u),u);r=i(r,o.length,-1)}return r}                                           

return{a:i,b:h,c:a,d:x,e:c}})