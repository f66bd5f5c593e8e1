(function(use,load,meta,require){"use strict";const {a:v,b:w}=use("chunk-NELMPA2W.js");const {Gh:g,Kh:y,X:d,vf:c,wf:s,xf:u,yf:f}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                   async function L(t,i){let{settings:o}=t,{endings:r}=t.memory;if(o.quiet||o.dryRun)return;if(r===void 0){if(i&&o.environment!=="sim")for(let n of t.memory.accounts)await x(t,n);return}let m=(await t.access()).
state??"",p=u(t.variables)[m];if(p?.mark===r&&!i)return;let{data:a}=await t.call("listAccounts",{}),e=[...(await s(t,a)).values()],$=p?.ended??[];for(let n of e)(i&&(o.account===void 0||o.account===n.
account_id)||!$.includes(k(n)))&&E(t,n);f(t.variables,m,{mark:r,ended:e.map(k)})}async function x(t,i){let o=await w(t,i),r=t.settings.environment!=="sim"||t.memory.endings!==void 0;if(!o&&!r)return;let{
data:m}=await t.call("getAccount",{path:{account_id:i}}),p=await c(t,m);p!==void 0&&E(t,p);let a=o?await v(t,m):void 0;a!==void 0&&t.note(`Locked by the guard ${y(a)}`)}function E(t,i){t.memory.saidEndings.
has(i.account_id)||(t.memory.saidEndings.add(i.account_id),t.note(`${g(i)} (${d(i.name)}, ${i.account_id})
Next: ${i.next}.`))}function k({account_id:t,ended_at:i}){return`${t}@${i??""}`}                                                  

return{announceAccount:x,announceEndings:L}})