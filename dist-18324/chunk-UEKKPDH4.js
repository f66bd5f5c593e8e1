(function(use,load,meta,require){"use strict";
var o={uptime:()=>performance.now(),random:Math.random,after(t,i){let r,m=e=>{r=setTimeout(()=>e>n?m(e-n):i(),Math.min(e,n))};return m(t),()=>clearTimeout(r)}},n=2**31-1;               

return{a:o}})