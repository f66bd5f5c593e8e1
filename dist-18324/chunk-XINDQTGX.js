(function(use,load,meta,require){"use strict";const {a:d}=use("chunk-ZMUQWSVE.js");const {a:c}=use("chunk-XTPMZJJM.js");const {Qe:n,qi:a}=use("chunk-AFUPYCZE.js");
                                                                                                                                 var u=16*1024*1024;function b(e,t={}){let r=n(e);return(i,o)=>new p(r+i,t,o)}var p=class{#r;#i=null;#o=null;#t=!1;constructor(t,r,i){this.#r=i,this.#e(t,r).catch(o=>this.#m({code:1006,reason:o.message}))}send(t){
this.#i?.send(t)}close(){this.#t||(this.#t=!0,this.#p())}async#e(t,{credential:r,connectTimeoutMs:i=1e4}){let{default:{WebSocket:o}}=await load  ("./undici-FK7DVPMS.js"),s=await r?.();if(this.#t)
return;this.#o=c(t,{connectTimeoutMs:i,maxFrameBytes:u});let h=s===void 0?{}:{authorization:`Bearer ${s}`};this.#i=d(t,{WebSocket:o,dispatcher:this.#o,headers:h},{opened:m=>this.#r.opened(m),text:m=>this.#r.
text(m),binary:()=>this.#m({code:a.malformed,reason:"the service sent a binary frame"}),closed:m=>this.#m(m)})}#m(t){this.#t||(this.#t=!0,this.#p(),this.#r.closed(t))}#p(){this.#i?.abandon();let t=this.#o;
t!==null&&setTimeout(()=>t.destroy().catch(()=>{}),500).unref()}};               

return{a:b}})