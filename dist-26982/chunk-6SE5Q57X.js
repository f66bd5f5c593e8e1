(function(use,load,meta,require){"use strict";const {Gd:b,Hd:y,k:f,n:l,o:h,p:g}=use("chunk-KBEGXUNB.js");
                                                                             var w=50,I=65536,T=256,a="\x1B[201~",d=class{#r;#t="";#o;#i;constructor(r){this.#r=r}take(r){clearTimeout(this.#i),this.#t+=r,this.#e(this.#n(!1));let t=this.#t.startsWith(b);this.#t!==""&&!t&&(this.#i=
setTimeout(()=>this.#s(),w))}close(){clearTimeout(this.#i)}#s(){this.#e(this.#n(!0))}#e(r){let t=r.filter(M).length>1;for(let i of r)i.kind==="key"?this.#r.key(t?{...i.key,isInBurst:t}:i.key):i.kind===
"mouse"?this.#r.mouse?.({...i.press,isInBurst:t}):i.kind==="focus"?this.#r.focus?.(i.hasFocus):this.#r.background?.(i.color)}#n(r){let t=[];for(;this.#t!=="";){if(this.#o!==void 0){if(!this.#m(t))break;
continue}let i=this.#t.startsWith("\x1B")?P(this.#t):1;if(i===void 0&&!r&&this.#t.length<T)break;let[e=""]=i===1?this.#t:[this.#t.slice(0,i??1)];this.#t=this.#t.slice(e.length),e==="\x1B[200~"?this.#o=
"":t.push(...E(e))}return t}#m(r){let t=this.#t.indexOf(a),i=t<0?Math.max(0,this.#t.length-a.length+1):t;return this.#o=`${this.#o}${this.#t.slice(0,i)}`.slice(0,I),this.#t=this.#t.slice(t<0?i:t+a.length),
t<0?!1:(r.push({kind:"key",key:{name:"paste",text:this.#o,ctrl:!1}}),this.#o=void 0,!0)}};function P(o){let[,r]=o;if(r!==void 0){if(r==="["){for(let t=2;t<o.length;t++){let i=o.charCodeAt(t);if(i>=64&&
i<=126)return t+1;if(i<32)return t}return}if(r==="O")return o.length<3?void 0:3;if(r==="]"||r==="P"){let t=["\x07","\x1B\\"].flatMap(i=>{let e=o.indexOf(i,2);return e<0?[]:[e+i.length]});return t.length===
0?void 0:Math.min(...t)}return r==="\x1B"?1:1+String.fromCodePoint(o.codePointAt(1)).length}}function E(o){if(!o.startsWith("\x1B"))return[N(o)];if(o==="\x1B")return[u("escape")];if(o==="\x1B[I"||o===
"\x1B[O")return[{kind:"focus",hasFocus:o.endsWith("I")}];if(o.startsWith("\x1B[<"))return z(o);let r=y(o);if(r!==void 0)return[{kind:"background",color:r}];let[,t="",i,e=""]=/^\u001b(?:\[|O)(\d{0,3})(?:;(\d{1,3}))?([A-Za-z~])$/.
exec(o)??[],n=e==="~"?S[t]:O[e];return n===void 0?[]:i!==void 0&&i!=="1"&&i!=="2"?[]:[u(n)]}function M(o){return o.kind==="mouse"?o.press.button!=="drag"&&o.press.button!=="release":o.kind==="key"}var O={
A:"up",B:"down",C:"right",D:"left",H:"home",F:"end",Z:"backtab"},S={1:"home",2:"insert",3:"delete",4:"end",5:"pageup",6:"pagedown",7:"home",8:"end"},x={"\r":"return","\n":"enter","	":"tab","\b":"backs\
pace","\x7F":"backspace"};function N(o){let r=x[o];if(r!==void 0)return u(r);let t=o.codePointAt(0);return t<32?u(String.fromCharCode(t+96),!0):{kind:"key",key:{name:o,text:o,ctrl:!1}}}function u(o,r=!1){
return{kind:"key",key:{name:o,text:"",ctrl:r}}}var C={0:"left",1:"middle",2:"right",32:"drag",64:"up",65:"down"};function z(o){let[,r,t,i,e]=/^\u001b\[<(\d{1,4});(\d{1,5});(\d{1,5})([Mm])$/.exec(o)??[],
n=e==="m"&&Number(r)===0,s=e==="M"?C[Number(r)]:n?"release":void 0;return s===void 0?[]:[{kind:"mouse",press:{button:s,column:Number(t),row:Number(i)}}]}var F=[["SIGHUP",129],["SIGQUIT",131]];function W(o){return{get columns(){return Number.isFinite(o.columns)?o.columns:80},get rows(){return o.rows??24},write:r=>o.out(r),listen(r){let{stdin:t,stdout:i}=process,
e=()=>r.resized(),n=()=>{p(!0),r.resumed()},s=new d(r),c=m=>s.take(m);if(t.isTTY){t.setEncoding("utf8").on("data",c);for(let m of k)t.on(m,v);p(!0),t.resume()}return i.on("resize",e),process.on("SIGCO\
NT",n),()=>{t.off("data",c);for(let m of k)t.off(m,v);s.close(),i.off("resize",e),process.off("SIGCONT",n),p(!1),t.isTTY&&t.pause()}},onExit(r){let t=()=>{p(!1),r()},i=F.map(([e,n])=>[e,()=>R(e,n)]);process.
on("exit",t);for(let[e,n]of i)process.on(e,n);return()=>{process.off("exit",t);for(let[e,n]of i)process.off(e,n)}},suspend(){p(!1),g()}}}var k=["end","error"];function v(){h()||R("SIGHUP",129)}function R(o,r){
o==="SIGHUP"&&f(o),l(r)}function p(o){try{process.stdin.isTTY&&process.stdin.setRawMode(o)}catch{}}               

return{a:W}})