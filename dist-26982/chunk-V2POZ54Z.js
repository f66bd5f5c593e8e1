(function(use,load,meta,require){"use strict";const {d:w}=use("chunk-DBDQOOMZ.js");const {a:p,c:g,e:h}=use("chunk-6IH3AF5M.js");const {b:d,c:c,d:b,e:f}=use("chunk-UZUAC3JN.js");const {e:y}=use("chunk-HDEVVJVD.js");
                                                                                                                                                                                              function W(o){let[n,e,r,l]=[0,0,0,0],[u,s,m,i]=[0,0,0,0];for(let a of o)u=a>0?u+1:0,s=a<0?s+1:0,m=Math.max(m,u),i=Math.max(i,s),a>0?n+=a:e-=a,r+=a>0?1:0,l+=a<0?1:0;let t=o.length;return{count:t,won:r,
lost:l,winRate:t===0?null:{value:r/t,...w(r,t,x)},profitFactor:l===0?null:n/e,payoff:r===0||l===0?null:n/r/(e/l),longestWon:m,longestLost:i}}var x=1.959963984540054,O=30,v=365,F=2e3;function I(o){let n=o.
length,e=d(o),r=c(e),l={...e,sharpe:r??0},u=Math.sqrt(o.reduce((t,a)=>t+Math.min(a,0)**2,0)/n),s=n>1&&u>0?e.mean/u:null,m=t=>t===null?null:t*Math.sqrt(v),i=o.reduce((t,a)=>t*(1+a),1);return{days:n,mean:n===
0?null:e.mean,deviation:n<2?null:e.deviation,sharpe:r===null?null:{value:r,error:b(l),aboveZero:f(l,0)},sortino:s,annual:n<O||i<=0?null:{sharpe:m(r),sortino:m(s),gain:i**(v/n)-1}}}function q(o){let{length:n}=o;
if(n<2)return null;let e=new p(n,Math.round(h(o)));e.begin(y(1,"desk","mean"));let r=Array.from({length:F},()=>{e.begin(e.hash);let l=0;for(let u=0;u<n;u+=1)l+=o[e.next()];return l/n});return g(d(o).mean,
r,.95)}                                    

return{a:W,b:O,c:I,d:q}})