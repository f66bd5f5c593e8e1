(function(use,load,meta,require){"use strict";const {b:d}=use("chunk-4ZMXDCCV.js");const {e:F,kk:S,zh:M}=use("chunk-KBEGXUNB.js");const {e:D,f:v}=use("chunk-SAQ7O7IP.js");
                                                                                                                                               function R(t){let r=()=>t.access(),i=new d,o;return{console:t,markets:i,mandate:void 0,terms:()=>{},access:r,async reopened(u,f){let{status:n,code:p}=f,s=n===401||n===409||p==="no_connection";return t.
settings.environment!=="sim"?!1:o===void 0&&await r()!==u?!0:o===void 0&&!s?!1:(o??=t.reopen().finally(()=>{o=void 0,i.forget()}),await o,!0)}}}async function j(t){let r=await t.access(),i=await r.credential?.();
if(i===void 0||!/^gate_(live|test)_/.test(i.text))throw I();await r.client.call("listAccounts",{});let o={...r,client:r.once};return{console:t,markets:new d,mandate:E,terms:()=>{},access:async()=>o}}var E="\
of the gate";function I(){return new F({code:"not_a_gate",message:"The credential is not the key of a gate, so nothing would limit an agent there.",hint:"Set the address of perp gate serve and a key o\
f perp gate key add, or use --mandate FILE."})}async function q(t,r){var h=[];try{let{Gate:i}=await load  ("./gate-RHDXIS2A.js");let{gateFolder:o}=await load  ("./bots-file-Y6TIVJQ4.js");let{
takeAccounts:u}=await load  ("./charge-FFN423V7.js");let{mandateText:f}=await load  ("./mandate-file-3UPI4UXN.js");let{MandateFiles:n}=await load  ("./mandate-files-LGF6CMGU.js");let{variables:p}=t;
let s=m=>t.note(m);let a=D(h,new AsyncDisposableStack,!0);let c=a.use(new n([r],p,s));let[[e,{accounts:x}]]=[...c.inForce];let g=await t.access();a.use(u(p,g.destination,x));let w=a.use(await i.open({
session:t,mandates:()=>c.inForce,folder:o(p),approvalHoldMs:0,note:s}));let y=w.transport(e);let{timeoutMs:C}=t.settings;let l=S({transport:y,retry:{attempts:1,arrivalMs:0},timeoutMs:C,keepsKeys:!0});
let k=(m,O)=>w.stream(e,m,O);let P={...g,carrier:{transport:y},client:l,urgent:l,once:l,isInProcess:!0,streams:async()=>({market:k,account:{transport:k,path:M.live}})};let T=a.move();return{console:t,
markets:new d,mandate:e,accounts:()=>c.inForce.get(e)?.accounts??[],terms(){let m=c.inForce.get(e);return m&&f(m).trimEnd().split(`
`)},access:async()=>P,[Symbol.asyncDispose]:()=>T.disposeAsync()}}catch(_){var b=_,G=!0}finally{var A=v(h,b,G);A&&await A}}                                                         

return{gatedDesk:j,readingDesk:R,tradingDesk:q}})