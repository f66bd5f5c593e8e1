(function(use,load,meta,require){"use strict";const {li:c,qi:s}=use("chunk-AFUPYCZE.js");
                                                 var a="more than 8 MiB are waiting to be read";var x,y=()=>x??=require                 ("node:crypto");var p=(...n)=>y().randomBytes(...n);var l=15e3,u=5e3;function k(n){let e=n.get("resume");return e===null?null:{streamId:e,lastSeq:h(n.get("last_seq"))??-1,since:h(n.get("since"))}}function h(n){return n!==null&&/^\d{1,16}$/.test(n)?Number(
n):null}function C(n,e){return{head:`{"type":"${n}","seq":`,tail:`,${JSON.stringify(e).slice(1)}`}}var d=class{id=`st_${p(12).toString("base64url")}`;#e=null;#a=()=>!0;#n=0;#p=0;#t=[];#o=0;#i=0;#c=null;#s=0;get isConnected(){
return this.#e!==null}begin(e,r,t,o){this.#l(e,r,o),this.#r(JSON.stringify({type:"hello",stream_id:this.id,resumed:!1}));for(let i of t)this.send(i,o);this.#t=[],this.#p=this.#n,this.#r('{"type":"snap\
shot_end"}')}resume(e,r,t,o){let i=t===this.#n||this.#t[0]!==void 0&&this.#t[0].seq<=t+1;if(t<this.#p||t>this.#n||!i)return!1;this.#e?.close(s.takenOver,"the stream was resumed by another connection"),
this.#l(e,r,o),this.#r(JSON.stringify({type:"hello",stream_id:this.id,resumed:!0}));for(let{seq:m,text:f}of this.#t)m>t&&this.#r(f);return!0}send({head:e,tail:r},t){this.#n+=1,this.#e===null&&(this.#s+=
1);let o=`${e}${this.#n}${r}`;this.#t.push({seq:this.#n,keptAt:t,text:o}),this.#t.length>u&&this.#t.splice(0,u/2),this.#o=t,this.#r(o)}pulse(e){let r=this.#t.findIndex(({keptAt:o})=>e-o<=c);if(r!==0&&
this.#t.splice(0,r<0?this.#t.length:r),this.#e===null)return e-this.#c>c;let t=e-this.#o>=l;return!t&&e-this.#i<l?!1:(this.#i=e,this.#a()?(t&&(this.#o=e,this.#r('{"type":"heartbeat"}')),!1):(this.#r(JSON.
stringify({type:"error",code:"unauthorized",message:"The credential was revoked or expired."})),this.#e.close(s.unauthorized,"the credential was revoked or expired"),!0))}takeUnseen(){let e=this.#s;return this.#s=
0,e}askToReconnect(){this.#r('{"type":"reconnect"}')}close(e,r){this.#e?.close(e,r)}retirement(e,r){let t=this.#e;return()=>{this.#e===t&&t?.close(e,r)}}disconnect(e,r){this.#e===e&&(this.#e=null,this.#c=
r)}#l(e,r,t){this.#e=e,this.#s=0,this.#a=r,this.#o=t,this.#i=t,this.#c=null}#r(e){this.#e!==null&&(this.#e.buffered>8388608?this.#e.close(s.tooSlow,a):this.#e.send(e))}};                          

return{a:a,b:k,c:C,d:d}})