(function(use,load,meta,require){"use strict";
async function*d(n){let i=0,r=[],e=0,o=t=>{e+=t.length,e>1048576?r=[]:t.length>0&&r.push(t)},s=()=>{let t=e>1048576?{problem:"The line is too long for a command."}:f(r,i===0);return r=[],e=0,{number:++i,
...t}};for await(let t of n){let a=0;for(let l=t.indexOf(10);l>=0;l=t.indexOf(10,a))o(t.subarray(a,l)),a=l+1,yield s();o(t.subarray(a))}e>0&&(yield s())}var u=new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0});
function f(n,i){let r=n.length===1?n[0]:Buffer.concat(n),e;try{e=u.decode(r)}catch{let o=new TextDecoder().decode(r);return c(o)?{text:o}:{problem:"The line is not UTF-8 text."}}return i&&(e=e.replace(
/^\ufeff/,"")),e.includes("\0")&&!c(e)?{problem:"The line contains a NUL character."}:{text:e}}function c(n){return n.trimStart().startsWith("#")}               

return{a:d}})