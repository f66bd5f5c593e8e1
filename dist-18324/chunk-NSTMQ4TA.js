(function(use,load,meta,require){"use strict";const {a:g}=use("chunk-EEBSBY3J.js");
                                        var S=[[1,2,4,64],[8,16,32,128]],b=4,v=[" ",...Array.from({length:8},(t,e)=>String.fromCodePoint(9601+e))];function E(t,{width:e,height:o,isUnicode:a,label:n,places:r}){let l=t.map(({value:s})=>s),[i,
m]=[Math.min(...l),Math.max(...l)],f=[n(m),n(i)],d=Math.max(...f.map(s=>s.length))+1,c=e-d;if(c<8||t.length<2)return[];let[p,y]=a?[2*c,b*o]:[c,o],h=x(t,p).map(s=>m===i?y>>1:Math.round((m-s)/(m-i)*(y-1))),
w=(a?_(h,c,o):L(h,c,o)).map((s,u)=>[{text:`${(u===0?f[0]:u===o-1&&m!==i?f[1]:"").padStart(d-1)} `,tone:"faint"},s]),M=(t.at(-1).time-t[0].time)/c,C=Array.from({length:c},(s,u)=>({openTime:t[0].time+u*
M})),A=r===void 0?g(C,s=>s,c):j(t,c,r);return[...w,[{text:`${" ".repeat(d)}${A}`.trimEnd(),tone:"faint"}]]}function R(t,e,o){let a=o?v:" .:-=+*#@",n=x(t,e),r=Math.max(...n);return n.map(l=>a[r>0?Math.
ceil(l/r*(a.length-1)):0]).join("")}function x(t,e){let[o,a]=[t[0].time,t.at(-1).time],n=0;return Array.from({length:e},(r,l)=>{let i=o+(a-o)*l/(e-1);for(;n+1<t.length&&t[n+1].time<=i;)n+=1;return t[n].
value})}function _(t,e,o){let a=new Uint8Array(e*o);for(let[n,r]of t.entries()){let l=t[n-1]??r;for(let i=Math.min(r,l);i<=Math.max(r,l);i++){let m=Math.floor(i/b)*e+(n>>1);a[m]|=S[n&1][i%b]}}return Array.
from({length:o},(n,r)=>Array.from({length:e},(l,i)=>{let m=a[r*e+i];return m===0?" ":String.fromCodePoint(10240+m)}).join(""))}function L(t,e,o){let a=Array.from({length:o},()=>Array.from({length:e},()=>"\
 "));for(let[n,r]of t.entries())a[r][n]="*";return a.map(n=>n.join(""))}function j(t,e,o){let[a,n]=[t[0].time,t.at(-1).time],r="";for(let{time:l}of t){let i=o(l),m=Math.round((l-a)/(n-a)*(e-i.length));
m>=r.length+(r===""?0:2)&&(r=r.padEnd(m)+i)}return r}                      

return{a:E,b:R}})