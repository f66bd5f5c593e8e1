(function(use,load,meta,require){"use strict";const {a:T}=use("chunk-QEJJES6R.js");const {b:k}=use("chunk-ARGFLILH.js");const {i:u}=use("chunk-GRSZAO2T.js");use("chunk-MZNKVIN5.js");use("chunk-2TS42H2I.js");const {I:g}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                
                                                                    var P={return:"Enter",enter:"Enter",escape:"Escape"," ":"Space"},E=class{#t;#r;#i;constructor(t){this.#t=t}look({account:t},r){if(t===void 0)return;this.#r=T(t.account,[...t.positions.values()],[...t.
orders.values()]);let{task:o}=this.#t.step;o.kind==="key"&&o.isDone(r)&&this.#t.pass(),r.dialog===void 0&&this.#t.look(this.#r)}admits(t,r,{view:o,action:s}){if(this.#i=void 0,t.ctrl||r.dialog!==void 0||
r.mode==="help")return!0;let{what:p}=this.#o(r),e=P[t.name]??t.name,{step:i,isOver:a}=this.#t;if(e===p)return i.task.kind!=="read"||a||this.#r===void 0?!0:(this.#t.pass(),!1);let d=s?.kind==="trade",h=s!==
void 0||o.isTrading!==r.isTrading||o.mode!==r.mode;if(a||h&&!d||o.selected!==r.selected||o.ladder!==r.ladder)return!0;let c=k(t.name,d);return this.#i=`${e}${c===void 0?" does nothing here":`: ${c}`}.\
 Not now: the tour waits for ${p}.`,!1}rows(t,{columns:r,rows:o},{level:s}){let{step:p,place:e,undone:i,isOver:a}=this.#t,{act:d,what:h,remark:c}=this.#o(t),f=m=>g(m,r,"").split(`
`),l=f(`${d}: ${h}${c===""?"":`   ${c}`}`).map(m=>[u(m,"warn")]),S=this.#i===void 0?[]:f(this.#i).map(m=>[u(m,"bad")]),y=[[u(s.repeat(r),"faint")]],w=[...l,...S,...y];if(t.dialog!==void 0)return[...l,
...y];let R=[...i===void 0?[]:f(i),...this.#r===void 0?["Waiting for the simulation."]:f(p.text(this.#r))],$=[u(`Tour, ${a?"done":e}: ${p.name}`,"strong")],v=Math.max(0,o-w.length-1);return[$,...R.slice(
0,v).map(m=>[m]),...w]}#o({dialog:t,isTrading:r,mode:o}){let{step:s,isOver:p}=this.#t,{task:e}=s,i=(a,d="")=>({act:"Press",what:a,remark:d});return this.#r?.account.status!=="active"&&this.#r!==void 0?
i("q","The account has ended: leave, and begin again with perp tour --restart."):t?.stage==="running"?{act:"Press",what:"nothing",remark:"The answer is on its way."}:t?.stage==="asking"?i("y","Read th\
e preview first; any other key sends nothing."):t?.stage==="done"?i("Enter","Read the outcome."):t!==void 0?I(e,t.text):o==="help"?i("Enter","It closes this page."):p?i("q","It leaves the tour. Until \
then, every key works."):e.kind==="read"?i("Enter"):e.kind==="key"||r?i(e.key):i("t","The trading keys are off.")}};function I(n,t){if(n.kind!=="command")return{act:"Press",what:"Escape",remark:"This \
step needs no command."};let r=t.slice(t.lastIndexOf(" ")+1);return r===n.typed?{act:"Press",what:"Enter",remark:"It shows the preview; nothing is sent yet."}:n.typed.startsWith(r)?{act:"Type",what:n.
typed,remark:""}:{act:"Type",what:n.typed,remark:`In place of ${r}: Backspace deletes, Escape starts over.`}}                       

return{TourGuide:E}})