(function(use,load,meta,require){"use strict";const {$g:w,Qd:y,Qg:v,Rd:c,Sd:s,h:f}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                            var g={summary:"Set a position's targets and stop moves as one plan",description:"Targets are SHARE@PRICE, in the order in which the price reaches them: 1/3@1R, 25%@105000, rest@3R. They are reduce-on\
ly orders and replace the position's targets; its stops stay. Two parts need a running perp guard with a [plans] rule: be moves the stop to the entry after the first target, and rest trail 1% makes it\
 follow the price after the last. Without a guard, they are shown as not active. They never count as protection.",args:[{name:"position",kind:"position",summary:"position id or market"},{name:"plan",summary:'\
such as "1/3@1R 1/3@2R be rest trail 1%", or the name of a saved one'}],options:{},examples:[['perp plan BTC "50%@1% rest@2%"',"half at 1% from the entry, the rest at 2%"],['perp plan BTC "1/3@1% 1/3@\
2% be rest trail 1%"',"the rest trails; the stop moves to the entry after 1%"]],async run(i,r){let{applyPlan:n}=await load  ("./apply-plan-7AVBA3TC.js");return n(i,r)}},b={summary:"Explain an exit pl\
an: saved, typed, or of a position",args:[{name:"plan",summary:"name, plan, or position"}],examples:[['perp plan show "1/3@1R be rest trail 1%"',"what each part does"]],async run(i,{plan:r}){let{savedPlans:n}=await load  ("./plans-F76P3L4N.js"),
{planInPlace:l,planWords:d}=await load  ("./apply-plan-7AVBA3TC.js"),{parseExitPlan:m}=await load  ("./exit-plans-ZRTUKELO.js"),p=n(i.variables),a=Object.hasOwn(p,r),e=a||/[@\s]/.test(r)?void 0:await l(
i,r),t=m(a?p[r]:e?.plan.text??r,"PLAN"),o=e?.plan.unseen===void 0,u={name:a?r:null,position_id:e?.plan.position_id??null,plan:t.text,needs_guard:t.breakEven||t.trail!==void 0,active:e===void 0?null:e.
isActive&&o,confirmed:e===void 0?null:o};return c(u,()=>[s({text:t.text,tone:"strong"}),...d(t).map(h=>s(h)),...o?[]:[s({text:"NOT ACTIVE: its targets never appeared. Apply it again.",tone:"warn"})],...e===
void 0||e.isActive?[]:[s({text:"NOT ACTIVE: no guard runs plans.",tone:"warn"})]])}},T={summary:"List saved plans and those a guard is running",examples:[["perp plan list","the account in use"]],async run(i){
let{savedPlans:r}=await load  ("./plans-F76P3L4N.js"),{plansInPlace:n}=await load  ("./apply-plan-7AVBA3TC.js"),{plans:l,isActive:d}=await n(i),m=await w(i,"The open positions",v(i),void 0),p=t=>m===
void 0||m.some(o=>o.id===t),a=l.filter(({position_id:t})=>p(t)),e=[...Object.entries(r(i.variables)).map(([t,o])=>({name:t,plan:o,position_id:null,symbol:null,active:null,confirmed:null})),...a.map(({
position_id:t,symbol:o,text:u,unseen:h})=>({name:null,position_id:t,symbol:o,plan:u,active:d&&h===void 0,confirmed:h===void 0}))];return y(e,{fields:["name","position_id","symbol","plan","active","con\
firmed"],columns:[{header:"NAME",cell:({name:t})=>t??""},{header:"POSITION",cell:({symbol:t})=>t??""},{header:"PLAN",cell:({plan:t})=>t},{header:"GUARD",cell:({active:t,confirmed:o})=>t===null?"":t?"a\
ctive":{text:o?"NOT ACTIVE":"NOT ACTIVE: its targets never appeared",tone:"warn"}},{header:"ID",cell:({position_id:t})=>t??"",keep:1}],empty:'No plans. perp plan set NAME "1/3@1R rest@2R" saves one.'})}},
P={summary:"Save an exit plan under a name",args:[{name:"name",summary:"such as scalp"},{name:"plan",summary:'such as "1/3@1R 1/3@2R rest trail 1%"'}],examples:[['perp plan set scalp "50%@1R be rest t\
rail 0.5%"',"then: perp plan BTC scalp"]],changesMore:!0,async run(i,{name:r,plan:n}){let{savePlan:l}=await load  ("./plans-F76P3L4N.js"),{parseExitPlan:d}=await load  ("./exit-plans-ZRTUKELO.js");
if(i.settings.dryRun){let{text:a}=d(n,"PLAN");return c({name:r,plan:a,before:null},()=>[s(`Dry run: ${r} would be ${a}`)])}let{plan:m,before:p}=l(i.variables,r,n);return c({name:r,plan:m.text,before:p},
()=>[s({text:r,tone:"strong"},`  ${m.text}`),...p===null?[]:[s(`It was ${p}`)]])}},R={summary:"Remove a saved plan, or a position's plan from its guard",description:"The position's targets are orders \
and stay; cancel them with perp target POSITION none.",args:[{name:"plan",summary:"name, or position"}],examples:[["perp plan rm BTC","the stop stays where it is"]],changesMore:!0,async run(i,{plan:r}){
let{keepPlan:n,removePlan:l,savedPlans:d}=await load  ("./plans-F76P3L4N.js"),{planInPlace:m}=await load  ("./apply-plan-7AVBA3TC.js"),{dryRun:p}=i.settings,a=Object.hasOwn(d(i.variables),r),e=(o,u)=>c(
{name:o,position_id:u,removed:!p},()=>[s(`${p?"Dry run: would remove":"Removed"} ${o??`the plan of ${u}`}`)]);if(a)return p||l(i.variables,r),e(r,null);let t=await m(i,r);if(t===void 0)throw f(`There \
is no plan of ${r}.`,"perp plan list shows them.");return p||n(t.file,t.plan.position_id,null),e(null,t.plan.position_id)}},C={apply:g,show:b,list:T,set:P,rm:R};                      

return{commands:C}})