(function(use,load,meta,require){"use strict";const {Ec:x,Ua:f,Vc:I,xc:$}=use("chunk-AFUPYCZE.js");
                                                                 function sn(n){if(typeof n.op!="string")return"op must be text";let e=g(D,n.op);if(e!==void 0)return w(e,n,"")??(n.op==="events"?k(Q,n.events,"events"):void 0)}function rn(n){if(typeof n.type!="string")
return"type must be text";let e=g(q,n.type);return e===void 0?void 0:w(e,n,"")??X(n)}function on({op:n,events:e}){let t=r=>f(r)&&g(P,String(r.type))!==void 0;return g(D,String(n))!==void 0&&(!Array.isArray(
e)||e.every(t))}function un(n){return g(q,n)!==void 0}function dn(n,e){return n==="ping"?z(e)?void 0:"the answer to ping must be a time":n==="candles.history"?k(E,e,"result"):void 0}var H=864e13,L=1e15,
S=n=>typeof n=="string",J=n=>typeof n=="number"&&Math.abs(n)<=L,N=n=>Number.isSafeInteger(n)&&n>=0,z=n=>N(n)&&n<=H,W=n=>typeof n=="boolean",K=n=>typeof n=="string"&&n.length<=40&&/^-?\d+(\.\d+)?$/.test(
n),G=n=>f(n)&&K(n.px)&&K(n.sz),s=[S,"text"],c=[K,"a decimal"],a=[z,"a time in Unix milliseconds"],l=[N,"a whole number"],F=[W,"true or false"],O=[Array.isArray,"a list"],A=[n=>Array.isArray(n)&&n.every(
G),"a list of levels with px and sz"],C=[n=>S(n)||f(n),"an error"],u=([n,e])=>[t=>t===void 0||n(t),e],j=([n,e])=>[t=>t==null||n(t),`${e} or null`],D={sub_ok:{id:l,sub:s,snapshotBoundary:u(F)},sub_err:{
id:l,error:C},events:{sub:s,events:O},snapshot_end:{id:l},res:{id:l},err:{id:u(l),error:C},end:{id:l},draining:{}},p=j([J,"a number"]),h={provider:s,symbol:s},M={...h,interval:s,openTime:a,closeTime:a,
open:c,high:c,low:c,close:c,volume:c,quoteVolume:j(c),trades:j(l),isFinal:F},P={tick:{...h,kind:s,price:c,time:a},book:{...h,bids:A,asks:A,time:u(a)},trade:{...h,tradeId:s,side:s,price:c,size:c,time:a},
candle:M,marketStats:{...h,markPx:p,change24hPct:p,fundingRate:p,fundingIntervalHours:p,openInterestUsd:p,dayNtlVlm:p,time:u(a)},status:{provider:s,symbol:u(s),status:s,time:u(a)}},y={seq:u(l),time:u(
a)},q={hello:{stream_id:s,resumed:u(F)},snapshot:{...y,account_id:u(s),positions:O,orders:O},account:{...y,account_id:s,event:s},position:{...y,account_id:s,event:s},order:{...y,account_id:s,event:s},
fill:{...y,account_id:s},snapshot_end:{},heartbeat:{},reconnect:{},error:{code:u(s),message:u(s)}};function g(n,e){return Object.hasOwn(n,e)?n[e]:void 0}function w(n,e,t){for(let r in n){let[o,i]=n[r];
if(!o(e[r]))return`${t}${r} must be ${i}`}}function k(n,e,t){if(!Array.isArray(e))return`${t} must be a list`;for(let[r,o]of e.entries()){let i=n(o,`${t}[${r}]`);if(i!==void 0)return i}}function Q(n,e){
if(!f(n))return`${e} must be an object`;if(typeof n.type!="string")return`${e}.type must be text`;if(n.type==="candle")return E(n,e);let t=g(P,n.type);return t===void 0?void 0:w(t,n,`${e}.`)}function E(n,e){
if(!f(n))return`${e} must be an object`;let t=w(M,n,`${e}.`);return t!==void 0||n.closeTime>=n.openTime?t:`${e}.closeTime must not be before openTime`}function X(n){let{type:e}=n;return e==="snapshot"?
b(x,n.account,"account")??k((t,r)=>b(I,t,r),n.positions,"positions")??k((t,r)=>b($,t,r),n.orders,"orders"):e==="account"?n.event==="removed"?void 0:b(x,n.account,e):e==="position"?b(I,n.position,e):e===
"order"?b($,n.order,e):e==="fill"?b($,n.fill,e):void 0}function b(n,e,t){return f(e)?typeof e.id!="string"||e.id===""?`${t}.id must be text`:U(n,e,t):`${t} must be an object`}function U({properties:n={},
required:e=[]},t,r){for(let o in n){let i=t[o];if(i===void 0)continue;if(i===null&&!e.includes(o)){delete t[o];continue}let d=V(n[o],i,`${r}.${o}`,o);if(d!==void 0)return d}}function V({type:n,items:e,
properties:t,required:r,enum:o},i,d,T){let R=typeof n=="string"?[n]:n??[],m=R.find(_=>_!=="null");return i===null?R.includes("null")||m===void 0?void 0:`${d} must not be null`:m==="string"&&typeof i!=
"string"?`${d} must be text`:(m==="number"||m==="integer")&&!J(i)?`${d} must be a number`:m==="boolean"&&typeof i!="boolean"?`${d} must be true or false`:m==="array"?k((v,B)=>V(e??{},v,B,T),i,d):m==="\
object"?f(i)?U({properties:t,required:r},i,d):`${d} must be an object`:T==="side"&&o!==void 0&&!o.includes(i)?`${d} must be ${o.join(" or ")}`:void 0}                                                

return{a:sn,b:rn,c:on,d:un,e:dn}})