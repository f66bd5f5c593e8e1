(function(use,load,meta,require){"use strict";const {Da:x,Ya:u,fg:f}=use("chunk-KBEGXUNB.js");
                                                         var F,b=()=>F??=require                 ("node:fs"),v=t=>b()[t];var h=v("readFileSync");function y(t){try{let o=JSON.parse(h(t,"utf8"));return Array.isArray(o)?o.filter(P):[]}catch{return[]}}function P(t){let{position_id:o,symbol:r,text:e,size:n,targets:i,trail:p,unseen:c}=t??{};return[o,
r,e].every(s=>typeof s=="string")&&Number.isFinite(n)&&Array.isArray(i)&&i.every(Number.isFinite)&&(c===void 0||Array.isArray(c)&&c.every(Number.isFinite))&&(p===void 0||Number.isFinite(p.amount)&&p.amount>
0)}function D(t,o){x({file:t},r=>r(JSON.stringify([...k(t,o.position_id),o])))}function R(t,o){x({file:t},r=>r(JSON.stringify(k(t,o))))}function k(t,o){return y(t).filter(({position_id:r,unseen:e})=>r!==
o||e===void 0)}function W(t,o){for(let r of y(t)){let{position_id:e,targets:n,unseen:i,...p}=r;if(i===void 0)continue;let c=o.filter(({target_position_id:m,mode:a})=>m===e&&u(a)==="tp"),s=(m,a)=>c.some(
l=>(l.initial_size??l.size)===m&&f(l)===i[a]);n.every(s)&&A(t,e,{position_id:e,targets:n,...p})}return y(t).filter(({unseen:r})=>r===void 0)}function A(t,o,r){let e=({position_id:n})=>n===o;r===null&&
!y(t).some(e)||x({file:t},n=>{let i=y(t).filter(p=>!e(p));n(JSON.stringify(r===null?i:[...i,r]))})}var K=1e-9;function U(t,o,r){let{size:e,targets:n,breakEven:i,trail:p}=t,c=e*K;if(o.size>e+c)return;let s=r.
filter(({target_position_id:d,mode:S})=>d===o.id&&u(S)==="tp").length,m=d=>{let S=n.slice(0,d).reduce((w,g)=>w+g,0);return s<=n.length-d&&o.size<=e-S+c},a=i&&n.length>0&&m(1),l=p!==void 0&&m(n.length);
return a||l?{breakEven:a,trail:l?p:void 0}:void 0}function J({position:t},o,r){let{breakEven:e,trail:n,text:i}=r;if(!e&&n===void 0)return null;let{id:p,symbol:c,size:s}=t;return{position_id:p,symbol:c,
text:i,size:s,targets:o.map(m=>m.size),breakEven:e,trail:n}}                                                         

return{a:y,b:D,c:R,d:W,e:A,f:U,g:J}})