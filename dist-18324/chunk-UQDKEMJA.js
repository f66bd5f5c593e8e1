(function(use,load,meta,require){"use strict";const {Ca:s,Na:m,Oa:a,c:p}=use("chunk-AFUPYCZE.js");
                                                                var h,k=()=>h??=require                 ("node:fs"),g=o=>k()[o];var d=g("statSync");var l={format:1,time:null,day:0,dayEquity:null,fired:[],holding:{},best:{},fills:null,tasks:[]};function G(o,t,r="durable"){s(o,m(JSON.stringify(t)),r)}function w(o){let t=a(o);return t===void 0||t===
"damaged"?t:t.format===1?{...t,tasks:t.tasks.map(b)}:"damaged"}function A(o,t){let r=w(o)??l;if(r!=="damaged")return r;let e=`${o}.damaged`;try{p(o,e),t(e)}catch{t(o)}return l}function b(o){let t=({kind:n})=>n===
"close"&&!o.key.startsWith("trail@"),r=o.steps.find(t);if(r===void 0)return o;let e=o.steps.filter(n=>!t(n)&&n.kind!=="cancel");return{...o,steps:[{nth:r.nth,kind:"flatten"},...e]}}var y=class{#r;#o;#t=new Map;constructor(t,r,e){
this.#r=[...new Set(t)],this.#o=e;let[n,i]=[e.monotonic(),e.uptime()];for(let[S,{touched:u,silentMs:x,at:c}]of Object.entries(r)){let f=i>=c?i-c:i;this.#t.set(S,{touched:u,since:n-x-f})}}silences(){let t=this.#o.
monotonic();return new Map(this.#r.map(r=>{let e=F(r),n=this.#t.get(r);return(n===void 0||e!==null&&e!==n.touched)&&this.#t.set(r,{touched:e,since:t}),[r,t-this.#t.get(r).since]}))}get kept(){let[t,r]=[
this.#o.monotonic(),this.#o.uptime()],e=this.#r.flatMap(n=>{let i=this.#t.get(n);return i===void 0?[]:[[n,{touched:i.touched,silentMs:t-i.since,at:r}]]});return Object.fromEntries(e)}};function F(o){try{
return d(o).mtimeMs}catch{return null}}                                           

return{a:l,b:G,c:w,d:A,e:y}})