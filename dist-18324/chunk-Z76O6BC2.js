(function(use,load,meta,require){"use strict";const {b:c,c:h,d:p,e:g,i:d,k:b,m:w,q:y}=use("chunk-QKS5RODF.js");const {e:f}=use("chunk-HDEVVJVD.js");
                                                                                                                                 function A(t){let[n,e,o,r]=[0,0,0,0],[s,i,m,u]=[0,0,0,0];for(let a of t)s=a>0?s+1:0,i=a<0?i+1:0,m=Math.max(m,s),u=Math.max(u,i),a>0?n+=a:e-=a,o+=a>0?1:0,r+=a<0?1:0;let l=t.length;return{count:l,won:o,
lost:r,winRate:l===0?null:{value:o/l,...y(o,l,x)},profitFactor:r===0?null:n/e,payoff:o===0||r===0?null:n/o/(e/r),longestWon:m,longestLost:u}}var x=1.959963984540054,M=30,O=365,v=2e3;function D(t){let n=t.
length,e=c(t),o=h(e),r={...e,sharpe:o??0},s=Math.sqrt(t.reduce((l,a)=>l+Math.min(a,0)**2,0)/n),i=n>1&&s>0?e.mean/s:null,m=l=>l===null?null:l*Math.sqrt(O),u=t.reduce((l,a)=>l*(1+a),1);return{days:n,mean:n===
0?null:e.mean,deviation:n<2?null:e.deviation,sharpe:o===null?null:{value:o,error:p(r),aboveZero:g(r,0)},sortino:i,annual:n<M||u<=0?null:{sharpe:m(o),sortino:m(i),gain:u**(O/n)-1}}}function I(t){let{length:n}=t;
if(n<2)return null;let e=new d(n,Math.round(w(t)));e.begin(f(1,"desk","mean"));let o=Array.from({length:v},()=>{e.begin(e.hash);let r=0;for(let s=0;s<n;s+=1)r+=t[e.next()];return r/n});return b(c(t).mean,
o,.95)}                                    

return{a:A,b:M,c:D,d:I}})