(function(use,load,meta,require){"use strict";const {b:i,c:o}=use("chunk-JBSX55FX.js");const {Ia:a,Ka:d}=use("chunk-KBEGXUNB.js");
                                                                                                var u=class{dropped=new Map;noticed=new Map;moved={events:0,mostMs:0};notes=[];add(e,n=1){n>0&&this.dropped.set(e,(this.dropped.get(e)??0)+n)}notice(e,n=1){n>0&&this.noticed.set(e,(this.noticed.get(e)??
0)+n)}move(e){this.moved.events+=1,this.moved.mostMs=Math.max(this.moved.mostMs,e)}note(e){this.notes.length<20&&this.notes.push(e)}},c=4096;function h(t){let e;try{e=t.length<=c?JSON.parse(t):d(t)}catch(n){
throw new i(`is not JSON: ${o(t)}${m(n)}`)}if(!a(e))throw new i(`is not a JSON object: ${o(t)}`);return e}function m(t){let{message:e}=t;return e.startsWith("it nests")?`; ${e}`:""}function f(t,e){let n=t[e];
if(!Number.isSafeInteger(n))throw new i(`${e} must be a whole number, not ${o(n)}`);return n}function x(t,e){let n=t[e];if(typeof n!="string")throw new i(`${e} must be text, not ${o(n)}`);return n}function w(t,e){
let n=t[e];if(!(Array.isArray(n)&&n.every(r=>Array.isArray(r)&&r.length>=2)))throw new i(`${e} must be a list of [price, size], not ${o(n)}`);let s=n;return s.every(({length:r})=>r===2)?s:s.map(([r,l])=>[
r,l])}var p={kind:"base"},S={kind:"unknown"},g={asOf:"November 2026",sizes:{"BTC-USDT-SWAP":"0.01","ETH-USDT-SWAP":"0.1"}},y={binance:/USD_(PERP|\d{6})$/,bybit:/USD([FGHJKMNQUVXZ]\d\d)?$/,okx:/-USD-/,
kraken:/^[FP]I_/};function F(t,e){return y[t]?.test(e)===!0?{kind:"inverse"}:t==="okx"?{kind:"contracts",size:g.sizes[e]??null}:p}                                                                       

return{a:u,b:h,c:f,d:x,e:w,f:p,g:S,h:g,i:F}})