(function(use,load,meta,require){"use strict";const {fe:b,ge:y,k:f,n:l,o:h,p:g}=use("chunk-AFUPYCZE.js");
                                                                             var w=50,I=65536,T=256,a="\x1B[201~",d=class{#e;#t="";#o;#r;constructor(e){this.#e=e}take(e){clearTimeout(this.#r),this.#t+=e,this.#i(this.#n(!1));let t=this.#t.startsWith(b);this.#t!==""&&!t&&(this.#r=
setTimeout(()=>this.#s(),w))}close(){clearTimeout(this.#r)}#s(){this.#i(this.#n(!0))}#i(e){let t=e.filter(M).length>1;for(let r of e)r.kind==="key"?this.#e.key(t?{...r.key,isInBurst:t}:r.key):r.kind===
"mouse"?this.#e.mouse?.({...r.press,isInBurst:t}):r.kind==="focus"?this.#e.focus?.(r.hasFocus):this.#e.background?.(r.color)}#n(e){let t=[];for(;this.#t!=="";){if(this.#o!==void 0){if(!this.#m(t))break;
continue}let r=this.#t.startsWith("\x1B")?P(this.#t):1;if(r===void 0&&!e&&this.#t.length<T)break;let[i=""]=r===1?this.#t:[this.#t.slice(0,r??1)];this.#t=this.#t.slice(i.length),i==="\x1B[200~"?this.#o=
"":t.push(...E(i))}return t}#m(e){let t=this.#t.indexOf(a),r=t<0?Math.max(0,this.#t.length-a.length+1):t;return this.#o=`${this.#o}${this.#t.slice(0,r)}`.slice(0,I),this.#t=this.#t.slice(t<0?r:t+a.length),
t<0?!1:(e.push({kind:"key",key:{name:"paste",text:this.#o,ctrl:!1}}),this.#o=void 0,!0)}};function P(o){let[,e]=o;if(e!==void 0){if(e==="["){for(let t=2;t<o.length;t++){let r=o.charCodeAt(t);if(r>=64&&
r<=126)return t+1;if(r<32)return t}return}if(e==="O")return o.length<3?void 0:3;if(e==="]"||e==="P"){let t=["\x07","\x1B\\"].flatMap(r=>{let i=o.indexOf(r,2);return i<0?[]:[i+r.length]});return t.length===
0?void 0:Math.min(...t)}return e==="\x1B"?1:1+String.fromCodePoint(o.codePointAt(1)).length}}function E(o){if(!o.startsWith("\x1B"))return[N(o)];if(o==="\x1B")return[u("escape")];if(o==="\x1B[I"||o===
"\x1B[O")return[{kind:"focus",hasFocus:o.endsWith("I")}];if(o.startsWith("\x1B[<"))return z(o);let e=y(o);if(e!==void 0)return[{kind:"background",color:e}];let[,t="",r,i=""]=/^\u001b(?:\[|O)(\d{0,3})(?:;(\d{1,3}))?([A-Za-z~])$/.
exec(o)??[],n=i==="~"?S[t]:O[i];return n===void 0?[]:r!==void 0&&r!=="1"&&r!=="2"?[]:[u(n)]}function M(o){return o.kind==="mouse"?o.press.button!=="drag"&&o.press.button!=="release":o.kind==="key"}var O={
A:"up",B:"down",C:"right",D:"left",H:"home",F:"end",Z:"backtab"},S={1:"home",2:"insert",3:"delete",4:"end",5:"pageup",6:"pagedown",7:"home",8:"end"},x={"\r":"return","\n":"enter","	":"tab","\b":"backs\
pace","\x7F":"backspace"};function N(o){let e=x[o];if(e!==void 0)return u(e);let t=o.codePointAt(0);return t<32?u(String.fromCharCode(t+96),!0):{kind:"key",key:{name:o,text:o,ctrl:!1}}}function u(o,e=!1){
return{kind:"key",key:{name:o,text:"",ctrl:e}}}var C={0:"left",1:"middle",2:"right",32:"drag",64:"up",65:"down"};function z(o){let[,e,t,r,i]=/^\u001b\[<(\d{1,4});(\d{1,5});(\d{1,5})([Mm])$/.exec(o)??[],
n=i==="m"&&Number(e)===0,s=i==="M"?C[Number(e)]:n?"release":void 0;return s===void 0?[]:[{kind:"mouse",press:{button:s,column:Number(t),row:Number(r)}}]}var F=[["SIGHUP",129],["SIGQUIT",131]];function W(o){return{get columns(){return Number.isFinite(o.columns)?o.columns:80},get rows(){return o.rows??24},write:e=>o.out(e),listen(e){let{stdin:t,stdout:r}=process,
i=()=>e.resized(),n=()=>{p(!0),e.resumed()},s=new d(e),c=m=>s.take(m);if(t.isTTY){t.setEncoding("utf8").on("data",c);for(let m of k)t.on(m,v);p(!0),t.resume()}return r.on("resize",i),process.on("SIGCO\
NT",n),()=>{t.off("data",c);for(let m of k)t.off(m,v);s.close(),r.off("resize",i),process.off("SIGCONT",n),p(!1),t.isTTY&&t.pause()}},onExit(e){let t=()=>{p(!1),e()},r=F.map(([i,n])=>[i,()=>R(i,n)]);process.
on("exit",t);for(let[i,n]of r)process.on(i,n);return()=>{process.off("exit",t);for(let[i,n]of r)process.off(i,n)}},suspend(){p(!1),g()}}}var k=["end","error"];function v(){h()||R("SIGHUP",129)}function R(o,e){
o==="SIGHUP"&&f(o),l(e)}function p(o){try{process.stdin.isTTY&&process.stdin.setRawMode(o)}catch{}}               

return{a:W}})