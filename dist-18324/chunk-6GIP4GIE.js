(function(use,load,meta,require){"use strict";const {a:A,c:x,i:f}=use("chunk-4YYIE5FR.js");const {a:G,b:N}=use("chunk-VD26NHFK.js");const {a:L}=use("chunk-EEBSBY3J.js");const {V:w,cb:O,fa:k,he:_,ie:F,je:T,ke:R,le:$}=use("chunk-AFUPYCZE.js");
                                                                                                                                                                                           
                                                  var j=.5,V=4,H=5;function S(t,r,o){let{width:e,height:n}=r,l=n>=H,m=l?n-1:n;if(m<1||e<1)return[];let i=E(t,m),s=e-i>=8?e-i:e,p=t.candles.length*2<=s?2:1,a=t.candles.slice(-Math.floor(s/p));if(a.length===
0)return Array.from({length:n},()=>[]);let c=new P(a,t,m),y=new C(s,m),u=b=>s-(a.length-b)*p;for(let[b,d]of a.entries())I(y,u(b),d,c,o);D(y,t,c,o),J(y,t,a,u,c,o);let h=s<e?Q(t,c,m):[],g=Array.from({length:m},
(b,d)=>[...y.row(d),...h[d]??[]]);return l?[...g,[f(L(a,u,s),"faint")]]:g}function nt(t,{width:r,rows:o},e,n){let l=E(t,o-1),m=r-l>=8?r-l:r,i=t.candles.length*2<=m?2:1,s=t.candles.slice(-Math.floor(m/
i)),p=Math.max(...s.map(({volume:u=0})=>u)),a=new C(m,e),{heights:c}=n;if(!(p>0))return Array.from({length:e},()=>[]);for(let[u,{volume:h=0,open:g,close:b}]of s.entries()){let d=Math.round(h/p*e*c.length),
v=m-(s.length-u)*i,q=b>=g?"good":"bad";for(let M=e-1;M>=0&&d>0;M--,d-=c.length)a.set(v,M,{text:c[Math.min(d,c.length)-1],tone:q})}let y=f(` volume ${w(Number(p.toPrecision(3)))}`,"faint");return Array.
from({length:e},(u,h)=>h===0?x([...a.row(h),y],r):a.row(h))}function B(t,{levels:r,decimals:o}){let e=Math.max(...t.map(({high:i})=>i)),n=Math.min(...t.map(({low:i})=>i)),l=Math.max((e-n)*j,10**-o),m=r.
map(({price:i})=>i).filter(i=>i<e+l&&i>n-l);return{top:Math.max(e,...m),bottom:Math.min(n,...m)}}var P=class{#t;#e;#o;constructor(r,o,e){let{top:n,bottom:l}=B(r,o),m=Math.max(0,e*10**-o.decimals-(n-l));
this.#t=n+m/2,this.#e=n-l+m,this.#o=e*2}half(r){let o=Math.round((this.#t-r)/this.#e*(this.#o-1));return o>=0&&o<this.#o?o:void 0}row(r){let o=this.half(r);return o===void 0?void 0:o>>1}price(r){return this.#t-
(r*2+.5)/(this.#o-1)*this.#e}},C=class{width;#t;constructor(r,o){this.width=r,this.#t=Array.from({length:o},()=>new Array(r).fill(void 0))}set(r,o,e){r>=0&&r<this.width&&(this.#t[o][r]=e)}isFree(r,o){
return this.#t[o][r]===void 0}row(r){let o=[],e="",n;for(let l of this.#t[r]){let[m,i]=typeof l=="object"?[l.text,l.tone]:[l??" ",void 0];i!==n&&e!==""&&(o.push(f(e,n)),e=""),n=i,e+=m}return e!==""&&o.
push(f(e,n)),o}};function I(t,r,o,e,n){let{open:l,high:m,low:i,close:s}=o,p=s>=l,a=p?n.rising:n.falling,c=p?"good":"bad",y=e.half(m),u=e.half(i),h=e.half(Math.max(l,s)),g=e.half(Math.min(l,s)),b=d=>d>=
h&&d<=g?"body":d>=y&&d<=u?"wick":"none";for(let d=y>>1;d<=u>>1;d++){let v=K(a,b(d*2),b(d*2+1));t.set(r,d,{text:v,tone:c})}}function K(t,r,o){return r==="body"?o==="body"?t.body:o==="wick"?t.bodyWick:t.
bodyTop:o==="body"?r==="wick"?t.wickBody:t.bodyBottom:r==="none"?t.wickBottom:o==="none"?t.wickTop:t.wick}function D(t,{levels:r},o,e){for(let{price:n,tone:l}of r){let m=o.row(n);if(m!==void 0)for(let i=0;i<
t.width;i++)t.isFree(i,m)&&t.set(i,m,f(e.level,l??"faint"))}}function J(t,{fills:r},o,e,n,l){for(let{time:m,price:i,side:s}of r){let p=o.findLastIndex(({openTime:c})=>c<=m),a=n.row(i);p<0||a===void 0||
t.set(e(p),a,{text:s==="buy"?l.buy:l.sell,tone:"strong"})}}function Q({levels:t,candles:r,decimals:o},e,n){let l=new Array(n).fill(void 0),m=r.at(-1).close;for(let{price:i,label:s,tone:p}of[...t,{price:m,
label:"last",tone:"strong"}]){let a=e.row(i);a!==void 0&&(l[a]??=[f(` ${i.toFixed(o)} ${s}`,p)])}for(let i=0;i<n;i+=V)l[i]??=[f(` ${e.price(i).toFixed(o)}`,"faint")];return l.map(i=>i??[])}function E(t,r){
let{levels:o,candles:e,decimals:n}=t;if(e.length===0)return 0;let{top:l,bottom:m}=B(e,t),i=r*10**-n;return 1+Math.max(...[l+i,m-i].map(p=>p.toFixed(n).length))+1+Math.max(...[...o.map(({label:p})=>p),
"last"].map(A))}function U(t){return t.map(({openTime:r,open:o,high:e,low:n,close:l,volume:m})=>({openTime:r,open:Number(o),high:Number(e),low:Number(n),close:Number(l),volume:Number(m)}))}function X(t){return t.at(-1)?.
close.split(".")[1]?.length??0}function Y(t,r){let o=[];t!==void 0&&(o.push({price:t.entry_price,label:"entry",tone:W(t.side)}),t.liquidation_price!==void 0&&o.push({price:t.liquidation_price,label:"l\
iq",tone:"warn"}));for(let e of r){let n=e.trigger_price??e.limit_price;n!==void 0&&o.push({price:n,label:Z(e,t),tone:W(e.side)})}return o}function Z(t,r){let o=t.target_position_id!==void 0||t.reduce_only,
{fires:e}=O(t.mode)??{};return o&&t.trigger_price!==void 0&&e&&e!=="directed"?e==="against"?"stop":"target":o&&r!==void 0&&t.limit_price!==void 0&&t.limit_price>r.entry_price==(r.side==="long")?"targe\
t":t.side}function z(t){return t.flatMap(({settled_at:r,fill_price:o,side:e})=>r===void 0||o===void 0?[]:[{time:r,price:o,side:e}])}function tt(t,r,o=!1){let[e,n]=[r[0],r.at(-1)];if(e===void 0||n===void 0)
return[f(t.symbol,"strong")];let l=o?`${k(t.market_id)}  `:"",m=(Number(n.close)/Number(e.open)-1)*100,i=Math.max(...r.map(p=>Number(p.high))),s=Math.min(...r.map(p=>Number(p.low)));return[f(t.symbol,
"strong"),` ${l}${n.interval}  `,f(n.close,"strong"),"  ",f(`${m>0?"+":""}${m.toFixed(2)}%`,m<0?"bad":"good"),`  high ${w(i)}  low ${w(s)}`]}function W(t){return t==="buy"||t==="long"?"good":"bad"}async function ct({
palette:t,settings:r,variables:o},e,{candles:n,position:l,orders:m,fills:i},s){let p=$(t),a=_(r.theme,void 0,o),c=p?F(a,T(o)):R,y={candles:U(n),levels:Y(l??void 0,m),fills:z(i),decimals:X(n)},u=x(tt(e,
n,!0),s.width),h=N(o,p);return[u,...S(y,s,h)].map(b=>`${b.map(c).join("").trimEnd().replaceAll(G,h.cut)}
`).join("")}                                                                   

return{a:S,b:nt,c:U,d:X,e:Y,f:z,g:tt,h:ct}})