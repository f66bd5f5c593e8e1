(function(use,load,meta,require){"use strict";
var[i,u]=[4,5];function l(t,a,s){let e=a.trim().toLowerCase();if(e==="")return t;let n=t.map(r=>({item:r,rank:f(s(r),e)})).filter(({rank:r})=>r<u).sort((r,c)=>r.rank-c.rank),d=n.some(({rank:r})=>r<i);
return n.filter(({rank:r})=>!d||r<i).map(({item:r})=>r)}function f({name:t,id:a,all:s=""},e){let[o,n]=[t.toLowerCase(),a.toLowerCase()];return o===e||n===e?0:o.startsWith(e)?1:n.split(/[:|]/).at(-1).startsWith(
e)?2:o.includes(e)?3:`${s} ${n}`.toLowerCase().includes(e)?i:u}               

return{a:l}})