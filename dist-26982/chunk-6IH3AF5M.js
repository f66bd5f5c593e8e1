(function(use,load,meta,require){"use strict";const {b:A,c:L}=use("chunk-UZUAC3JN.js");const {b:g,c:x,e:I}=use("chunk-HDEVVJVD.js");
                                                                                                     var w=class{places;hash=0;#t=-1;#n;constructor(t,s){this.places=Int32Array.from({length:t},(e,a)=>a),this.#n=1/s}begin(t){this.hash=t,this.#t=-1}next(){let{places:t}=this;return this.hash=g(this.hash),
this.#t<0||x(this.hash)<this.#n?(this.hash=g(this.hash),this.#t=Math.floor(x(this.hash)*t.length)):this.#t=this.#t+1===t.length?0:this.#t+1,t[this.#t]}chance(){return this.hash=g(this.hash),x(this.hash)}};
function _(r,t,s=2e3){let e=r.length,a=Math.max(1,Math.round(Math.cbrt(e))),i=n=>A(n).mean,l=n=>L(A(n)),[M,m]=[new Float64Array(e),new Float64Array(e)],[b,c]=[[],[]],u=new w(e,a),f=I(1,"lab","bootstra\
p");for(let n=0;n<s;n+=1){u.begin(f);for(let d=0;d<e;d+=1){let k=u.next();M[d]=r[k],m[d]=t[k]}f=u.hash,b.push(i(M)-i(m));let[h,o]=[l(M),l(m)];h!==null&&o!==null&&c.push(h-o)}let[p,y]=[l(r),l(t)];return{
mean:O(i(r)-i(t),b,.95),sharpe:p===null||y===null?null:O(p-y,c,.95),draws:s,block:a}}function O(r,t,s){let e=Float64Array.from(t).sort(),a=(1-s)/2;return{value:r,low:q(e,a),high:q(e,1-a)}}function q(r,t){
let s=(r.length-1)*t,e=Math.floor(s),a=r[Math.min(e+1,r.length-1)];return r[e]+(a-r[e])*(s-e)}function C(r){let t=r.length,{mean:s,deviation:e}=A(r);if(t<10||e===0)return 1;let a=n=>{let h=0;for(let o=n;o<
t;o+=1)h+=(r[o]-s)*(r[o-n]-s);return h/t},i=Math.max(5,Math.ceil(Math.sqrt(Math.log10(t)))),l=Math.ceil(Math.sqrt(t))+i,M=2*Math.sqrt(Math.log10(t)/t),m=a(0),b=Array.from({length:l+i},(n,h)=>h+1<t&&Math.
abs(a(h+1)/m)>=M),c=b.findIndex((n,h)=>h<l&&!b.slice(h,h+i).includes(!0));if(c<0&&(c=b.lastIndexOf(!0)+1),c===0)return 1;let u=Math.min(2*c,l),[f,p]=[m,0];for(let n=1;n<=u&&n<t;n+=1){let o=2*(n/u<=.5?
1:2*(1-n/u))*a(n);f+=o,p+=o*n}let y=Math.cbrt(p*p/(f*f))*Math.cbrt(t);return Math.max(1,Math.min(y,Math.ceil(Math.min(3*Math.sqrt(t),t/3))))}                                           

return{a:w,b:_,c:O,d:q,e:C}})