(function(use,load,meta,require){"use strict";const {a:n,sa:m}=use("chunk-AFUPYCZE.js");
                                                var l,u=()=>l??=require                 ("node:child_process");var s=(...t)=>u().spawn(...t);function b(t,o=process.platform){let r=i=>m(t,i)!==void 0;return r("BROWSER")?!/^none$/i.test(m(t,"BROWSER")):r("SSH_CONNECTION")||r("SSH_TTY")?!1:o==="darwin"||n({platform:o})?!0:r("DISPLAY")||r("WAY\
LAND_DISPLAY")||r("WSL_DISTRO_NAME")}async function P(t,o){for(let r of f(o))if(await w(r,t))return!0;try{let{default:r}=await load  ("./open-4F3V53KK.js");return(await c(()=>r(t))).on("error",
()=>{}),!0}catch{return!1}}function f(t){let o=m(t,"BROWSER")??"";return(n()?[o]:o.split(":")).map(i=>i.trim()).filter(i=>i!=="")}async function w(t,o){let[r="",...i]=t.split(/\s+/),a=i.some(p=>p.includes(
"%s"))?i.map(p=>p.replaceAll("%s",()=>o)):[...i,o],e=await c(async()=>s(r,a,{detached:!0,stdio:"ignore",windowsHide:!0}));return new Promise(p=>{e.once("error",()=>p(!1)),e.once("spawn",()=>{e.unref(),
p(!0)})})}async function c(t){let o=Object.entries(process.env).filter(([r])=>/^PERP_/i.test(r));for(let[r]of o)delete process.env[r];try{return await t()}finally{Object.assign(process.env,Object.fromEntries(
o))}}                      

return{a:b,b:P}})