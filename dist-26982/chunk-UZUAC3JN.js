(function(use,load,meta,require){"use strict";
var f=.5772156649015329;function y(e){return 31536e6/e}function I(e){let r=e.length,t=0;for(let m=0;m<r;m+=1)t+=e[m];let n=t/r,[o,a,s]=[0,0,0];for(let m=0;m<r;m+=1){let u=e[m]-n;o+=u*u,a+=u*u*u,s+=u*u*
u*u}let b=Math.sqrt(o/r),i=b>Math.abs(n)*1e-12;return{count:r,mean:n,deviation:i&&r>1?Math.sqrt(o/(r-1)):0,skew:i?a/r/b**3:Number.NaN,kurtosis:i?s/r/b**4:Number.NaN}}function E({count:e,mean:r,deviation:t}){
return e<2||t===0?null:r/t}function M({sharpe:e,count:r,skew:t,kurtosis:n}){let o=1-t*e+(n-1)/4*e*e;return Math.sqrt(Math.max(o,Number.EPSILON)/(r-1))}function h(e,r){return p((e.sharpe-r)/M(e))}function x(e,r){
if(e<2)return 0;let t=c(1-1/e),n=c(1-1/(e*Math.E));return Math.sqrt(r)*((1-f)*t+f*n)}function k(e,r,t){return h(e,x(r,t))}var l=e=>Math.exp(-e*e/2)/Math.sqrt(2*Math.PI),N=5;function p(e){if(Number.isNaN(
e))return Number.NaN;if(e<-N)return d(-e);if(e>N)return 1-d(e);let[r,t]=[e,e];for(let n=3;Math.abs(r)>Math.abs(t)*1e-17;n+=2)r*=e*e/n,t+=r;return .5+t*l(e)}function d(e){let r=e;for(let t=60;t>=1;t-=1)
r=e+t/r;return l(e)/r}function c(e){if(!(e>=0&&e<=1))return Number.NaN;if(e===0)return Number.NEGATIVE_INFINITY;if(e===1)return Number.POSITIVE_INFINITY;if(e>.5)return-c(1-e);let r=Math.sqrt(-2*Math.log(
e)),t=2.515517+r*(.802853+r*.010328),n=1+r*(1.432788+r*(.189269+r*.001308)),o=t/n-r;for(let a=0;a<3;a+=1){let s=(p(o)-e)/l(o);o-=s/(1+o*s/2)}return o}                                                                

return{a:y,b:I,c:E,d:M,e:h,f:x,g:k,h:p}})