(function(use,load,meta,require){"use strict";const {a:l}=use("chunk-VD26NHFK.js");const {a:a}=use("chunk-2TS42H2I.js");const {Md:c}=use("chunk-AFUPYCZE.js");
                                                                                                                    function m(n){return b(n)?n.length:a(n)}function p(n){return n.reduce((e,r)=>e+m(c(r)),0)}function i(n,e){let r=p(n)>e&&m(n.map(c).join("").trimEnd())>e,t=[],o=r?e-1:e;for(let u of n){let f=c(u),s=g(f,
o);if(s!==""&&t.push(typeof u=="string"?s:{text:s,tone:u.tone}),o-=m(s),o<=0||s!==f)break}return r&&e>0&&t.push(l),o>0&&t.push(" ".repeat(o)),t}function w(n,e){return m(n)<=e?n:e<1?"":`${g(n,e-1)}${l}`}
function x(n,e,r){if(e<1)return i(n,r);let t=` +${e}`;return i([...i(n,Math.max(0,r-t.length)),d(t,"warn")],r)}var R=20;function C(n,e,r){let t=n.findLastIndex(f=>f.some(s=>c(s).trim()!==""))+1,o=Array.
from({length:Math.max(0,e)},(f,s)=>i(n[s]??[],r)),u=t-e;return u>0&&e>0&&r>=R?[...o.slice(0,-1),x(o.at(-1),u,r)]:o}function $(n,e,r){let t=r-p(n)-p(e);return t<1?i(n,r):[...n," ".repeat(t),...e]}function O(n,e,r){
let t=Math.max(n.length,r.length);return Array.from({length:t},(o,u)=>[...i(n[u]??[],e),...r[u]??[]])}function d(n,e){return e===void 0?n:{text:n,tone:e}}function g(n,e){if(b(n))return n.slice(0,Math.
max(0,e));let r="",t=e;for(let{segment:o}of y.segment(n)){if(t-=a(o),t<0)break;r+=o}return r}var y=new Intl.Segmenter("en",{granularity:"grapheme"});function b(n){return/^[\x20-\x7e\u2022\u2026\u203a\u2190-\u2193\u2500-\u259f\u25b2\u25bc]*$/.
test(n)}                                                                       

return{a:m,b:p,c:i,d:w,e:x,f:C,g:$,h:O,i:d}})