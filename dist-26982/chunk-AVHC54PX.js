(function(use,load,meta,require){"use strict";const {lj:p}=use("chunk-KBEGXUNB.js");
                                         var m,s=()=>m??=require                 ("node:child_process");var n=(...t)=>s().spawnSync(...t);var a,l=()=>a??=require                 ("node:fs"),x=t=>l()[t];var i=x("existsSync");var c;function w(){return c??=process.allowedNodeEnvironmentFlags.has("--allow-net")?{kind:"permission",prefix:[]}:d()??{kind:"realm",prefix:[]},c}function d(){if(process.platform!=="linux")return;let t=[
"/usr/bin/unshare","/bin/unshare"].find(r=>i(r));if(t===void 0)return;let o=[t,...process.getuid?.()===0?[]:["--user"],"--net","--"];return n(o[0],[...o.slice(1),...p()],{stdio:"ignore"}).status===0?{
kind:"namespace",prefix:o}:void 0}function k(){let t=["getBuiltinModule","binding","_linkedBinding","dlopen","mainModule","report","execve"],o=["_getActiveHandles","_getActiveRequests","openStdin","st\
din"],e=["kill","_kill","_debugProcess","_debugEnd","abort","chdir","loadEnvFile"];for(let r of[...t,...o,...e])Reflect.deleteProperty(process,r);for(let r of["fetch","WebSocket","EventSource","CloseE\
vent","MessageEvent","navigator","localStorage"])Reflect.deleteProperty(globalThis,r)}                      

return{a:w,b:k}})