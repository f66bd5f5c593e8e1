(function(use,load,meta,require){"use strict";const {a:A,c:x,i:f}=use("chunk-GRSZAO2T.js");const {a:G,b:N}=use("chunk-MZNKVIN5.js");const {a:L}=use("chunk-EEBSBY3J.js");const {Id:_,Jd:F,Kd:T,Ld:R,Md:$,P:w,Sa:O,Z:k}=use("chunk-KBEGXUNB.js");
                                                                                                                                                                                            
                                                var j=.5,V=4,H=5;function S(t,e,o){let{width:r,height:i}=e,p=i>=H,m=p?i-1:i;if(m<1||r<1)return[];let n=E(t,m),s=r-n>=8?r-n:r,l=t.candles.length*2<=s?2:1,a=t.candles.slice(-Math.floor(s/l));if(a.length===
0)return Array.from({length:i},()=>[]);let c=new P(a,t,m),y=new C(s,m),u=b=>s-(a.length-b)*l;for(let[b,d]of a.entries())I(y,u(b),d,c,o);D(y,t,c,o),J(y,t,a,u,c,o);let h=s<r?Q(t,c,m):[],g=Array.from({length:m},
(b,d)=>[...y.row(d),...h[d]??[]]);return p?[...g,[f(L(a,u,s),"faint")]]:g}function it(t,{width:e,rows:o},r,i){let p=E(t,o-1),m=e-p>=8?e-p:e,n=t.candles.length*2<=m?2:1,s=t.candles.slice(-Math.floor(m/
n)),l=Math.max(...s.map(({volume:u=0})=>u)),a=new C(m,r),{heights:c}=i;if(!(l>0))return Array.from({length:r},()=>[]);for(let[u,{volume:h=0,open:g,close:b}]of s.entries()){let d=Math.round(h/l*r*c.length),
v=m-(s.length-u)*n,q=b>=g?"good":"bad";for(let M=r-1;M>=0&&d>0;M--,d-=c.length)a.set(v,M,{text:c[Math.min(d,c.length)-1],tone:q})}let y=f(` volume ${w(Number(l.toPrecision(3)))}`,"faint");return Array.
from({length:r},(u,h)=>h===0?x([...a.row(h),y],e):a.row(h))}function B(t,{levels:e,decimals:o}){let r=Math.max(...t.map(({high:n})=>n)),i=Math.min(...t.map(({low:n})=>n)),p=Math.max((r-i)*j,10**-o),m=e.
map(({price:n})=>n).filter(n=>n<r+p&&n>i-p);return{top:Math.max(r,...m),bottom:Math.min(i,...m)}}var P=class{#t;#r;#o;constructor(e,o,r){let{top:i,bottom:p}=B(e,o),m=r*10**-o.decimals,n=Math.max(0,m-(i-
p));this.#t=i+n/2,this.#r=i-p+n,this.#o=r*2}half(e){let o=Math.round((this.#t-e)/this.#r*(this.#o-1));return o>=0&&o<this.#o?o:void 0}row(e){let o=this.half(e);return o===void 0?void 0:o>>1}price(e){return this.#t-
(e*2+.5)/(this.#o-1)*this.#r}},C=class{width;#t;constructor(e,o){this.width=e,this.#t=Array.from({length:o},()=>new Array(e).fill(void 0))}set(e,o,r){e>=0&&e<this.width&&(this.#t[o][e]=r)}isFree(e,o){
return this.#t[o][e]===void 0}row(e){let o=[],r="",i;for(let p of this.#t[e]){let[m,n]=typeof p=="object"?[p.text,p.tone]:[p??" ",void 0];n!==i&&r!==""&&(o.push(f(r,i)),r=""),i=n,r+=m}return r!==""&&o.
push(f(r,i)),o}};function I(t,e,o,r,i){let{open:p,high:m,low:n,close:s}=o,l=s>=p,a=l?i.rising:i.falling,c=l?"good":"bad",y=r.half(m),u=r.half(n),h=r.half(Math.max(p,s)),g=r.half(Math.min(p,s)),b=d=>d>=
h&&d<=g?"body":d>=y&&d<=u?"wick":"none";for(let d=y>>1;d<=u>>1;d++){let v=K(a,b(d*2),b(d*2+1));t.set(e,d,{text:v,tone:c})}}function K(t,e,o){return e==="body"?o==="body"?t.body:o==="wick"?t.bodyWick:t.
bodyTop:o==="body"?e==="wick"?t.wickBody:t.bodyBottom:e==="none"?t.wickBottom:o==="none"?t.wickTop:t.wick}function D(t,{levels:e},o,r){for(let{price:i,tone:p}of e){let m=o.row(i);if(m!==void 0)for(let n=0;n<
t.width;n++)t.isFree(n,m)&&t.set(n,m,f(r.level,p??"faint"))}}function J(t,{fills:e},o,r,i,p){for(let{time:m,price:n,side:s}of e){let l=o.findLastIndex(({openTime:c})=>c<=m),a=i.row(n);l<0||a===void 0||
t.set(r(l),a,{text:s==="buy"?p.buy:p.sell,tone:"strong"})}}function Q({levels:t,candles:e,decimals:o},r,i){let p=new Array(i).fill(void 0),m=e.at(-1).close;for(let{price:n,label:s,tone:l}of[...t,{price:m,
label:"last",tone:"strong"}]){let a=r.row(n);a!==void 0&&(p[a]??=[f(` ${n.toFixed(o)} ${s}`,l)])}for(let n=0;n<i;n+=V)p[n]??=[f(` ${r.price(n).toFixed(o)}`,"faint")];return p.map(n=>n??[])}function E(t,e){
let{levels:o,candles:r,decimals:i}=t;if(r.length===0)return 0;let{top:p,bottom:m}=B(r,t),n=e*10**-i;return 1+Math.max(...[p+n,m-n].map(l=>l.toFixed(i).length))+1+Math.max(...[...o.map(({label:l})=>l),
"last"].map(A))}function U(t){return t.map(({openTime:e,open:o,high:r,low:i,close:p,volume:m})=>({openTime:e,open:Number(o),high:Number(r),low:Number(i),close:Number(p),volume:Number(m)}))}function X(t){return t.at(-1)?.
close.split(".")[1]?.length??0}function Y(t,e){let o=[];t!==void 0&&(o.push({price:t.entry_price,label:"entry",tone:W(t.side)}),t.liquidation_price!==void 0&&o.push({price:t.liquidation_price,label:"l\
iq",tone:"warn"}));for(let r of e){let i=r.trigger_price??r.limit_price;i!==void 0&&o.push({price:i,label:Z(r,t),tone:W(r.side)})}return o}function Z(t,e){let o=t.target_position_id!==void 0||t.reduce_only,
{fires:r}=O(t.mode)??{};return o&&t.trigger_price!==void 0&&r&&r!=="directed"?r==="against"?"stop":"target":o&&e!==void 0&&t.limit_price!==void 0&&t.limit_price>e.entry_price==(e.side==="long")?"targe\
t":t.side}function z(t){return t.flatMap(({settled_at:e,fill_price:o,side:r})=>e===void 0||o===void 0?[]:[{time:e,price:o,side:r}])}function tt(t,e,o=!1){let[r,i]=[e[0],e.at(-1)];if(r===void 0||i===void 0)
return[f(t.symbol,"strong")];let p=o?`${k(t.market_id)}  `:"",m=(Number(i.close)/Number(r.open)-1)*100,n=Math.max(...e.map(l=>Number(l.high))),s=Math.min(...e.map(l=>Number(l.low)));return[f(t.symbol,
"strong"),` ${p}${i.interval}  `,f(i.close,"strong"),"  ",f(`${m>0?"+":""}${m.toFixed(2)}%`,m<0?"bad":"good"),`  high ${w(n)}  low ${w(s)}`]}function W(t){return t==="buy"||t==="long"?"good":"bad"}async function ct({
palette:t,settings:e,variables:o},r,{candles:i,position:p,orders:m,fills:n},s){let l=$(t),a=_(e.theme,void 0,o),c=l?F(a,T(o)):R,y={candles:U(i),levels:Y(p??void 0,m),fills:z(n),decimals:X(i)},u=x(tt(r,
i,!0),s.width),h=N(o,l);return[u,...S(y,s,h)].map(b=>`${b.map(c).join("").trimEnd().replaceAll(G,h.cut)}
`).join("")}                                                                   

return{a:S,b:it,c:U,d:X,e:Y,f:z,g:tt,h:ct}})