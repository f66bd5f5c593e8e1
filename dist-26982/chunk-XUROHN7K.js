(function(use,load,meta,require){"use strict";const {Ba:c,Ca:m,c:i,sa:p}=use("chunk-KBEGXUNB.js");
                                                                var d,y=()=>d??=require                 ("node:fs"),S=t=>y()[t];var s=S("readFileSync");var a={format:1,time:null,day:0,dayEquity:null,fired:[],holding:{},best:{},fills:null,tasks:[]};function w(t,o,r="durable"){p(t,c(JSON.stringify(o)),r)}function l(t){let o;try{o=s(t,"utf8").trimEnd()}catch(n){
return["ENOENT","ENOTDIR"].includes(n.code??"")?void 0:"damaged"}let r=m(o),e=r===void 0?void 0:u(r);return e?.format===1?{...e,tasks:e.tasks.map(x)}:"damaged"}function F(t,o){let r=l(t)??a;if(r!=="da\
maged")return r;let e=`${t}.damaged`;try{i(t,e),o(e)}catch{o(t)}return a}function x(t){let o=({kind:n})=>n==="close"&&!t.key.startsWith("trail@"),r=t.steps.find(o);if(r===void 0)return t;let e=t.steps.
filter(n=>!o(n)&&n.kind!=="cancel");return{...t,steps:[{nth:r.nth,kind:"flatten"},...e]}}function u(t){try{return JSON.parse(t)}catch{return}}                               

return{a:a,b:w,c:l,d:F}})