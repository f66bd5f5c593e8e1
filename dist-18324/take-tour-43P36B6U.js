(function(use,load,meta,require){"use strict";const {a:L,b:y}=use("chunk-J6PSGU7A.js");const {a:S,b:F}=use("chunk-54Y5BLQF.js");const {b:A}=use("chunk-6XIEUHDJ.js");use("chunk-WNNI7UKA.js");const {Ga:P,O:$,e:v,pa:T,ua:C}=use("chunk-AFUPYCZE.js");const {e:k,f:b}=use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                 
                                                                                                       var O,B=()=>O??=require                 ("node:path"),I=t=>B()[t];var x=I("join");var M="tour",q={columns:80,rows:24};async function X(t,{isPlain:r,isRestarted:i}){let e=x(C(t.variables),"tour");P(e);let m=x(e,"tour.json"),n=S(t,e,{state:M,settings:{afterEnd:"perp tour --restart",leverage:void 0,
marginMode:void 0,gapAllowanceBps:void 0,watchKeys:void 0,floorCheck:"refuse",unknownFloor:"warn",stops:"ask",requireStop:!1,confirmLive:"ask",yes:!1,fresh:!1}});try{if(i){let{resetState:o}=await load  ("./public-3YPP6MSK.js"),
{beginning:p}=t.outside;(await o({stateDir:e,state:M,beginning:p,onSetAside:c=>t.note(`The damaged tour was saved as ${c}.`)})).close(),new y(m,!0).restart()}await n.call("simSetClock",{body:{running:!0}}).
catch(o=>{let p=T(o);throw p.code!=="store_corrupt"?o:new v({...p,hint:"perp tour --restart sets it aside and begins again."})});let{io:s,variables:l}=t,a=!r&&s.stdoutIsTerminal&&l.TERM!=="dumb"?await s.
terminal?.():void 0,h=a!==void 0&&a.columns>=q.columns&&a.rows>=q.rows,d=new y(m,h),f;try{if(h){let[{openScreen:o},{TourGuide:p}]=await Promise.all([load  ("./open-screen-2JHPH2I7.js"),load  ("./tour-guide-5M6FSDT5.js")]),
g=new p(d);({exit:f}=await o(n,{markets:["BTC"],interval:"1m",forMs:void 0,guide:g}))}else await R(n,d)}finally{await n.call("simSetClock",{body:{running:!1}})}return{kind:"text",text:J(d),...f!==void 0&&
{exit:f}}}finally{await n.close()}}function J({isOver:t,place:r,step:i,problem:e}){return t?`The tour is done. perp tour --restart begins again; perp watch shows your own simulation.
`:e!==void 0?`Left at step ${r}, ${i.name}, which could not be kept (${e}): perp tour goes on at an earlier one.
`:`Left at step ${r}, ${i.name}. perp tour goes on there, and its market waits for you.
`}async function R(t,r){var a=[];try{let{io:i,signal:e}=t;let m=k(a,F(t));let n=async()=>{e.throwIfAborted(),i.out("> ");let o=await m.next();return e.throwIfAborted(),i.stdinIsTerminal||i.out(`${o??""}\

`),o};let s={place:"in the tour",columns:Math.min(i.columns,E),print:i.out,ask:async o=>(u(t,`${o}
Type: y   Anything else sends nothing.`),/^\s*y(es)?\s*$/i.test(await n()??"")),askLine:async o=>(u(t,o),await n()??"")};let l;for(;;){let o=await G(t);r.look(o);let{step:p,isOver:g}=r;if(l!==p&&j(t,r,
o),l=p,g)return;if(o.account.status!=="active"){u(t,"The account has ended. Begin again with: perp tour --restart");return}let c=p.task.kind==="command"?p.task.line:"";u(t,c===""?"Press: Enter":`Type:\
 ${c}`);let w=await n();if(w===void 0||/^\s*(q|quit|exit|leave)\s*$/i.test(w))return;/^\s*(\?|help)\s*$/i.test(w)?l=void 0:w.trim()!==""?await A(t,w,o.account.id,s):c===""?r.pass():u(t,`Nothing was ty\
ped. The tour waits for: ${c}`)}}catch(h){var d=h,f=!0}finally{b(a,d,f)}}var E=100;function u({io:t},r){t.out(`${$(r,Math.min(t.columns,E))}
`)}function j(t,{step:r,place:i,undone:e,isOver:m},n){let s=`Tour, ${m?"done":`step ${i}`}: ${r.name}`;u(t,["",s,...e===void 0?[]:[e],r.text(n)].join(`
`))}async function G(t){let{data:r}=await t.call("listAccounts",{}),i=r[0].id,[{data:e},{data:m},{data:n}]=await Promise.all([t.call("getAccount",{path:{account_id:i}}),t.call("listOpenPositions",{query:{
account_id:i}}),t.call("listOrders",{query:{account_id:i,status:"working",limit:100}})]);return L(e,m,n)}                      

return{takeTour:X}})