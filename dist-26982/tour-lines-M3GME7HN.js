(function(use,load,meta,require){"use strict";const {a:g}=use("chunk-QEJJES6R.js");const {a:w}=use("chunk-HPUAVCAK.js");use("chunk-6VWBVBFC.js");const {J:y}=use("chunk-KBEGXUNB.js");const {e:f,f:h}=use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                   var $,C=()=>$??=require                 ("node:readline");var v=(...t)=>C().createInterface(...t);async function A(t,i){var e=[];try{let r=f(e,new l(t));let m={place:"in the tour",columns:Math.min(t.io.columns,x),print:o=>t.io.out(o),ask:async o=>(s(t,`${o}
Type: y   Anything else sends nothing.`),/^\s*y(es)?\s*$/i.test(await r.next()??"")),askLine:async o=>(s(t,o),await r.next()??"")};let p;for(;;){let o=await P(t);i.look(o);let{step:u,isOver:k}=i;if(p!==
u&&I(t,i,o),p=u,k)return;if(o.account.status!=="active"){s(t,"The account has ended. Begin again with: perp tour --restart");return}let d=u.task.kind==="command"?u.task.line:"";s(t,d===""?"Press: Ente\
r":`Type: ${d}`);let a=await r.next();if(a===void 0||/^\s*(q|quit|exit|leave)\s*$/i.test(a))return;/^\s*(\?|help)\s*$/i.test(a)?p=void 0:a.trim()!==""?await w(t,a,o.account.id,m):d===""?i.pass():s(t,`\
Nothing was typed. The tour waits for: ${d}`)}}catch(n){var c=n,T=!0}finally{h(e,c,T)}}var x=100;function s({io:t},i){t.out(`${y(i,Math.min(t.columns,x))}
`)}function I(t,{step:i,place:r,undone:m,isOver:p},e){let n=`Tour, ${p?"done":`step ${r}`}: ${i.name}`;s(t,["",n,...m===void 0?[]:[m],i.text(e)].join(`
`))}async function P(t){let{data:i}=await t.call("listAccounts",{}),r=i[0].id,[{data:m},{data:p},{data:e}]=await Promise.all([t.call("getAccount",{path:{account_id:r}}),t.call("listOpenPositions",{query:{
account_id:r}}),t.call("listOrders",{query:{account_id:r,status:"working",limit:100}})]);return g(m,p,e)}var l=class{#t;#p;#i=[];#r;#m=!1;constructor(i){this.#p=i,this.#t=v({input:i.io.input()}),this.#t.
on("line",r=>this.#o(r)),this.#t.on("close",()=>{this.#m=!0,this.#o(void 0)})}async next(){let{io:i,signal:r}=this.#p;r.throwIfAborted(),i.out("> ");let{promise:m,resolve:p,reject:e}=Promise.withResolvers(),
n=()=>e(r.reason);r.addEventListener("abort",n,{once:!0}),this.#r=p,(this.#i.length>0||this.#m)&&this.#o(void 0);let c=await m.finally(()=>r.removeEventListener("abort",n));return i.stdinIsTerminal||i.
out(`${c??""}
`),c}#o(i){i!==void 0&&this.#i.push(i);let r=this.#r;this.#r=void 0,r?.(this.#i.shift())}[Symbol.dispose](){this.#t.close()}};                       

return{tourLines:A}})