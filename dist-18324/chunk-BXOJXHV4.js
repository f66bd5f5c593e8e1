(function(use,load,meta,require){"use strict";const {a:v,c:p,g:y,h:d,j:x,l:g,m:B}=use("chunk-X7LU7ZOO.js");
                                                                                  var u=6e4,P=1440*u;function z(l,t){return"bars"in l?l:new w(l,t)}var w=class{#r;#t;#i;#e=new Map;constructor(t,n,s){this.#r=t,this.#t=n,this.#i=s}bars(t,n,s,o,e){let r=g(n,s,o),i=Math.min(r[o],e+1);this.#t??=
e-P,this.#u(t,r[0],i);let m,a=n==="1s"?this.#m(t,r[0],i):this.#l(t,i),M=[],h=d(a,r[0]);for(let c=0;c<o;c+=1){let[O,b]=[r[c],r[c+1]],f=null;for(;h<a.length&&a[h].time<b;h+=1)f=f===null?{...a[h]}:y(f,a[h]);
f!==null?m=f.close:m===void 0&&(m=T(this.#o(t,Math.min(r[0],i)))),M.push(x(O,b,f,m))}return M}*prepareBars(t,n,s,o,e){let r=g(n,s,o),i=Math.min(r[o],e+1);this.#t??=e-P,yield*this.#s(t,r[0],i),yield*this.#o(
t,Math.min(r[0],i))}#u(t,n,s){T(this.#s(t,n,s))}*#s(t,n,s){let o=S(Math.max(n,this.#t)),e=this.#e.get(t);e===void 0&&(e=this.#a(t)??{from:o,to:o,minutes:[]},this.#e.set(t,e));let r=new v(u);for(;s>e.to;){
let i=Math.min(s,e.to+r.start()),m=this.#n(t,e.to,i,u),a=e.minutes.at(-1);a!==void 0&&m[0]?.time===a.time&&y(a,m.shift());for(let M of m)e.minutes.push(M);e.to=i,r.end(),yield}for(;o<e.from;){let i=Math.
max(o,S(e.from-Math.max(u,r.start())));e.minutes=[...this.#n(t,i,e.from,u),...e.minutes],e.from=i,r.end(),yield}}#a(t){let n=this.#i?.(t);return n&&{from:S(this.#t),...n}}#l(t,n){let{minutes:s,from:o,
to:e}=this.#e.get(t);if(n>=e)return s;if(n<=o)return[];let r=p("1m",n-1);return[...s.slice(0,d(s,r)),...this.#n(t,r,n,u)]}#m(t,n,s){return this.#n(t,Math.max(n,this.#e.get(t).from),s,1e3)}*#o(t,n){let s=this.#e.
get(t),o=Math.max(s.from,p("1m",n)),e=this.#n(t,o,n,u).at(-1);if(e!==void 0)return e.close;for(let r=u;;r*=2){let i=s.minutes[d(s.minutes,o)-1];if(i!==void 0)return i.close;if(s.from<=this.#t)return null;
yield*this.#s(t,s.from-r,s.to)}}#n(t,n,s,o){if(s<=n)return[];let e=new B(o),r=this.#r.open(n-1);r.watch(t,!0);for(let i=r.next(s-1);i!==null;i=r.next(s-1))i.kind==="print"&&e.add(i.time,i.price,i.size);
return e.sums}};function T(l){for(;;){let{done:t,value:n}=l.next();if(t===!0)return n}}function S(l){return Math.floor(l/u)*u}                      

return{a:z,b:w}})