(function(use,load,meta,require){"use strict";const {xj:s}=use("chunk-AFUPYCZE.js");
                                         var S,f=()=>S??=require                 ("node:child_process");var m=(...o)=>f().spawnSync(...o);var u,h=()=>u??=require                 ("node:fs"),w=o=>h()[o];var a=w("existsSync");var l;function R(){return l??=process.allowedNodeEnvironmentFlags.has("--allow-net")?{kind:"permission",prefix:[]}:g()??{kind:"realm",prefix:[]},l}function g(){if(process.platform!=="linux")return;let o=[
"/usr/bin/unshare","/bin/unshare"].find(r=>a(r));if(o===void 0)return;let e=[o,...process.getuid?.()===0?[]:["--user"],"--net","--"];return m(e[0],[...e.slice(1),...s()],{stdio:"ignore"}).status===0?{
kind:"namespace",prefix:e}:void 0}function E(){let o=["getBuiltinModule","binding","_linkedBinding","dlopen","mainModule","report","execve"],e=["_getActiveHandles","_getActiveRequests","openStdin","st\
din"],n=["kill","_kill","_debugProcess","_debugEnd","abort","chdir","loadEnvFile"];for(let r of[...o,...e,...n])Reflect.deleteProperty(process,r);for(let r of["fetch","WebSocket","EventSource","CloseE\
vent","MessageEvent","navigator","localStorage"])Reflect.deleteProperty(globalThis,r)}function D(o){let e=[()=>{},function*(){},async()=>{},async function*(){}],n=[Object.getPrototypeOf([][Symbol.iterator]()),
Object.getPrototypeOf(""[Symbol.iterator]()),Object.getPrototypeOf(new Map().entries()),Object.getPrototypeOf(new Set().values()),Object.getPrototypeOf("".matchAll(/./g)),Object.getPrototypeOf([].values().
take(0)),Object.getPrototypeOf(Iterator.from({next:()=>({done:!0,value:void 0})})),Object.getPrototypeOf(Int8Array),...Object.values(Object.getOwnPropertyDescriptor(new Error,"stack")),...e.map(t=>Object.
getPrototypeOf(t))];for(let t of e)Object.defineProperty(Object.getPrototypeOf(t),"constructor",{value:k});for(let t of o)/Error$/.test(t)&&O(t);Error.prepareStackTrace=(t,i)=>[`${t}`,...i.map(b)].join(
`
    at `);let r=new Set,c=t=>{if(!(!(typeof t=="object"&&t!==null||typeof t=="function")||r.has(t)||t===globalThis)){r.add(t),c(Object.getPrototypeOf(t));for(let y of Reflect.ownKeys(t)){let p=Object.
getOwnPropertyDescriptor(t,y);for(let x of[p.value,p.get,p.set])c(x)}Object.freeze(t)}},d=globalThis;for(let t of o)t!=="globalThis"&&t!=="console"&&c(d[t]);for(let t of n)c(t)}function b(o){let e=o.getFileName()??
"";return`${o}`.replace(e.slice(0,e.lastIndexOf("/")+1),"")}function k(){throw new TypeError("code can't be generated from strings here")}function O(o){let{prototype:e}=globalThis[o]??{};if(e!==void 0)
for(let n of["name","message"]){let{value:r}=Object.getOwnPropertyDescriptor(e,n)??{};Object.defineProperty(e,n,{get:()=>r,set(c){Object.defineProperty(this,n,{value:c,writable:!0,configurable:!0,enumerable:!1})}})}}                             

return{a:R,b:E,c:D}})