(function(use,load,meta,require){"use strict";const {Te:d,Ue:c,Ve:s,We:u,dh:y,gh:v,rf:f,sf:g}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                             async function x(t,i){let{settings:o}=t,{endings:r}=t.memory;if(o.quiet||o.dryRun)return;if(r===void 0){if(i&&o.environment!=="sim")for(let n of t.memory.accounts)await b(t,n);return}let m=(await t.access()).
state??"",p=s(t.variables)[m];if(p?.mark===r&&!i)return;let{data:e}=await t.call("listAccounts",{}),a=[...(await c(t,e)).values()],E=p?.ended??[];for(let n of a)(i&&(o.account===void 0||o.account===n.
account_id)||!E.includes(k(n)))&&w(t,n);u(t.variables,m,{mark:r,ended:a.map(k)})}async function b(t,i){let o=await g(t,i),r=t.settings.environment!=="sim"||t.memory.endings!==void 0;if(!o&&!r)return;let{
data:m}=await t.call("getAccount",{path:{account_id:i}}),p=await d(t,m);p!==void 0&&w(t,p);let e=o?await f(t,m):void 0;e!==void 0&&t.note(`Locked by the guard ${v(e)}`)}function w(t,i){t.memory.saidEndings.
has(i.account_id)||(t.memory.saidEndings.add(i.account_id),t.note(y(i)))}function k({account_id:t,ended_at:i}){return`${t}@${i??""}`}                                                  

return{announceAccount:b,announceEndings:x}})