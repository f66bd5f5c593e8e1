(function(use,load,meta,require){"use strict";const {b:x}=use("chunk-I2IHME74.js");const {Ia:S,sa:y}=use("chunk-KBEGXUNB.js");
                                                                                         var v,E=()=>v??=require                 ("node:fs"),r=c=>E()[c];var s=r("closeSync");var l=r("fdatasync"),m=r("fdatasyncSync");var i=r("openSync");var h=r("readSync");var f=r("writeSync");var a=256,u=class{#t;#n;#e=new Map;constructor(t,n){this.#t=t,this.#n=n}read(){try{return g(this.#o())??"unsigned"}catch(t){if(t.code==="ENOENT")return"missing";throw t}}get isWhole(){let t=()=>this.#o().
every(n=>n!==void 0);return t()||t()}begin(){y(this.#t,this.#c(x).repeat(2))}advance(t){let n=this.#o();if((g(n)?.seq??-1)>=t.seq)return;let e=(n[0]?.seq??-1)<=(n[1]?.seq??-1)?0:1,o=i(this.#t,"r+");try{
f(o,this.#c(t),e*a)}finally{s(o)}}async syncBeside(){let t=i(this.#t,"r+");try{await new Promise((n,e)=>l(t,o=>o===null?n():e(o)))}finally{s(t)}}syncNow(){let t=i(this.#t,"r+");try{m(t)}finally{s(t)}}#o(){
let t=Buffer.alloc(2*a),n=i(this.#t,"r");try{h(n,t,0,t.length,0)}finally{s(n)}let[e,o]=[t.toString("latin1",0,a),t.toString("latin1",a)],p=[this.#e.get(e)??this.#r(e),this.#e.get(o)??this.#r(o)],k=[[e,
p[0]],[o,p[1]]];return this.#e=new Map(k.flatMap(([F,d])=>d===void 0?[]:[[F,d]])),[...p]}#c(t){return`${JSON.stringify({records:t.seq,hash:t.hash,mac:this.#n.sign("audit head",w(t))}).padEnd(a-1)}
`}#r(t){let n;try{n=JSON.parse(t)}catch{return}if(!S(n)||typeof n.records!="number"||typeof n.hash!="string")return;let e={seq:n.records,hash:n.hash};return this.#n.isSigned("audit head",w(e),n.mac)?e:
void 0}};function w({seq:c,hash:t}){return`${c} ${t}`}function g([c,t]){return(c?.seq??-1)>(t?.seq??-1)?c:t??c}               

return{a:u}})