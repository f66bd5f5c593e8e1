(function(use,load,meta,require){"use strict";const {C:f,E:l,v:s,w:n}=use("chunk-AFUPYCZE.js");
                                                             var o=5;function D(t,r){if(!Number.isSafeInteger(r))return!1;if(t.tick!==null)return r%t.tick===0;let{priceDecimals:e}=t,i=10**e;return r%i===0?!0:r%a(t)!==0?!1:f(n(r,e))<=o}function b(t){let{tick:r,priceDecimals:e}=t;
return r!==null?{tick:n(r,e)}:{significant_figures:o,price_decimals:6-u(t)}}function h(t){return t.tick??a(t)}function p(t,r,e){let i=t.tick??m(t,r);return e==="down"?Math.floor(r/i)*i:Math.ceil(r/i)*
i}function m(t,r){let e=Math.max(1,Math.floor(r)).toString().length,i=10**Math.max(0,e-o);return Math.max(a(t),Math.min(i,10**t.priceDecimals))}function a(t){return 10**Math.max(0,t.priceDecimals-(6-u(
t)))}function u({lotDecimals:t,sizeDecimals:r}){return t??r}function x(t){return 10**(t.sizeDecimals-u(t))}function c(t,r,e){return l(r*5,t.priceDecimals+1,e)}function M(t,r){let{units:e}=s(r,t.priceDecimals+
1);if(e>Number.MAX_SAFE_INTEGER)return Math.min(Math.ceil(e/5),Number.MAX_SAFE_INTEGER);let i=Math.ceil(e/5);for(;c(t,i,r)<0;)i+=1;for(;c(t,i-1,r)>=0;)i-=1;return i}function g(t,r){let e=M(t,r);return e*
5>Number.MAX_SAFE_INTEGER?e-1:c(t,e,r)===0?e:e-1}                                                                  

return{a:D,b:b,c:h,d:p,e:u,f:x,g:c,h:M,i:g}})