(function(use,load,meta,require){"use strict";const {e:m}=use("chunk-UZISWDBB.js");
                                        var w,F=()=>w??=require                 ("node:fs"),n=t=>F()[t];var y=n("cpSync");var S=n("existsSync");var d=n("lstatSync");var u=n("mkdtempSync");var f=n("readdirSync");var a=n("rmSync");var b,v=()=>b??=require                 ("node:path"),h=t=>v()[t];var c=h("join");var k=h("basename");var x="process.lock",g=6e4;function M(t,o,i){for(let e of f(t)){let l=e.startsWith(o)&&/^(\d{1,10})-/.exec(e.slice(o.length))?.[1];l&&R(c(t,e),Number(l))}let r=u(c(t,`${o}${process.pid}-`));i!==void 0&&
y(i,r,{recursive:!0,filter:e=>k(e)!==x});let s=m.acquire(c(r,x)),p=()=>{s?.release(),s=null};return{folder:r,unlock:p,remove(){p(),a(r,{recursive:!0,force:!0})}}}function R(t,o){try{let{uid:i,mtimeMs:r}=d(
t);if(!(process.getuid===void 0||i===process.getuid())||D(o))return;let p=c(t,x);(S(p)?!m.isHeld(p):Date.now()-r>g)&&a(t,{recursive:!0,force:!0})}catch{}}function D(t){try{return process.kill(t,0),!0}catch(o){
return o.code!=="ESRCH"}}               

return{a:M}})