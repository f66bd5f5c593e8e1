(function(use,load,meta,require){"use strict";const {Ya:n,qi:o}=use("chunk-AFUPYCZE.js");
                                                 var a=class{isOpen=!1;#s;#d;#t;#i;#e=!1;#r;#n=!1;#o=()=>{};constructor(e,s,i,t,d){this.#s=i,this.#d=t,this.#t=d,this.#r=i.uptime(),this.#m(t.staleMs),this.#i=e(s,{opened:r=>this.#l(r),text:r=>this.#c(
r),closed:r=>this.#a(r)})}send(e){this.#e||this.#i.send(JSON.stringify(e))}close(){this.#e||(this.#e=!0,this.#o(),this.#i.close())}#l(e){this.#e||(this.isOpen=!0,this.#r=this.#s.uptime(),this.#t.opened(
e))}#c(e){if(this.#e)return;this.#r=this.#s.uptime(),this.#n&&this.#t.revived(),this.#n=!1;let s=n(e);if(s===null)this.#h("it is not a JSON object, or nests too deeply");else{let i=this.#t.frame(s);i!==
void 0&&this.#h(i)}}#h(e){this.#e||(this.#i.close(),this.#a({code:o.malformed,reason:`a frame could not be read: ${e}`}))}#a(e){this.#e=!0,this.#o(),this.#t.lost(e)}#m(e){this.#o=this.#s.after(e,()=>{
let{staleMs:s,deadMs:i}=this.#d,t=this.#s.uptime()-this.#r;if(t>=i){this.#i.close(),this.#a({code:1006,reason:`nothing arrived for ${Math.round(t/1e3)} s`});return}t>=s&&!this.#n&&(this.#n=!0,this.#t.
stale(t)),this.#m(Math.max(1,(t<s?s:i)-t))})}};          

return{a:a}})