(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-V2POZ54Z.js");const {b:n,c:s}=use("chunk-UZUAC3JN.js");const {Wf:e}=use("chunk-KBEGXUNB.js");
                                                                                                                           function T(r,{balance:t},f){let{status:c,equity:i,drawdown:o,trips:l}=f;if(c==="failed")return null;let p=(i.at(-1)-t)/t;if(r==="return")return p;if(r==="return-per-drawdown")return o===0?null:p/o;if(r===
"sharpe"){let d=i.slice(1).map((w,m)=>i[m]>0?w/i[m]-1:0);return s(n(d))}return a(l.map(e)).profitFactor}var u=new Intl.NumberFormat("en-US",{maximumSignificantDigits:4});function h(r,t){return r==="re\
turn"?`return ${u.format(t*100)}%`:`${O[r]} ${u.format(t)}`}var O={sharpe:"Sharpe ratio of a period","return-per-drawdown":"return per drawdown","profit-factor":"profit factor"};                      

return{a:T,b:h}})