(function(use,load,meta,require){"use strict";const {Ag:v,h:h,pg:w,qd:y,rd:d,sd:s}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                       var g={summary:"Set a position's targets and stop moves as one plan",description:"Targets are SHARE@PRICE, in the order in which the price reaches them: 1/3@1R, 25%@105000, rest@3R. They are reduce-on\
ly orders and replace the position's targets; its stops stay. Two parts need a running perp guard with a [plans] rule: be moves the stop to the entry after the first target, and rest trail 1% makes it\
 follow the price after the last. Without a guard, they are shown as not active. They never count as protection.",args:[{name:"position",kind:"position",summary:"position id or market"},{name:"plan",summary:'\
such as "1/3@1R 1/3@2R be rest trail 1%", or the name of a saved one'}],options:{},examples:[['perp plan BTC "50%@1% rest@2%"',"half at 1% from the entry, the rest at 2%"],['perp plan BTC "1/3@1% 1/3@\
2% be rest trail 1%"',"the rest trails; the stop moves to the entry after 1%"]]};async function R(r,o){let{applyPlan:n}=await load  ("./apply-plan-OB5FAKUW.js");return n(r,o)}var P={summary:"Explain \
an exit plan: saved, typed, or of a position",args:[{name:"plan",summary:"name, plan, or position"}],examples:[['perp plan show "1/3@1R be rest trail 1%"',"what each part does"]]};async function b(r,{
plan:o}){let{savedPlans:n}=await load  ("./saved-plans-T6754V4E.js"),{planInPlace:l}=await load  ("./apply-plan-OB5FAKUW.js"),{parseExitPlan:u}=await load  ("./exit-plans-47YZGU7L.js"),{planWords:a}=await load  ("./apply-plan-OB5FAKUW.js"),
p=n(r.variables),m=Object.hasOwn(p,o),e=m||/[@\s]/.test(o)?void 0:await l(r,o),t=u(m?p[o]:e?.plan.text??o,"PLAN"),i=e?.plan.unseen===void 0,c={name:m?o:null,position_id:e?.plan.position_id??null,plan:t.
text,needs_guard:t.breakEven||t.trail!==void 0,active:e===void 0?null:e.isActive&&i,confirmed:e===void 0?null:i};return d(c,()=>[s({text:t.text,tone:"strong"}),...a(t).map(f=>s(f)),...i?[]:[s({text:"N\
OT ACTIVE: its targets never appeared. Apply it again.",tone:"warn"})],...e===void 0||e.isActive?[]:[s({text:"NOT ACTIVE: no guard runs plans.",tone:"warn"})]])}var O={summary:"List saved plans and th\
ose a guard is running",examples:[["perp plan list","the account in use"]]};async function T(r){let{savedPlans:o}=await load  ("./saved-plans-T6754V4E.js"),{plansInPlace:n}=await load  ("./apply-plan-OB5FAKUW.js"),
{plans:l,isActive:u}=await n(r),a=await v(r,"The open positions",w(r),void 0),p=t=>a===void 0||a.some(i=>i.id===t),m=l.filter(({position_id:t})=>p(t)),e=[...Object.entries(o(r.variables)).map(([t,i])=>({
name:t,plan:i,position_id:null,symbol:null,active:null,confirmed:null})),...m.map(({position_id:t,symbol:i,text:c,unseen:f})=>({name:null,position_id:t,symbol:i,plan:c,active:u&&f===void 0,confirmed:f===
void 0}))];return y(e,{fields:["name","position_id","symbol","plan","active","confirmed"],columns:[{header:"NAME",cell:({name:t})=>t??""},{header:"POSITION",cell:({symbol:t})=>t??""},{header:"PLAN",cell:({
plan:t})=>t},{header:"GUARD",cell:({active:t,confirmed:i})=>t===null?"":t?"active":{text:i?"NOT ACTIVE":"NOT ACTIVE: its targets never appeared",tone:"warn"}},{header:"ID",cell:({position_id:t})=>t??"",
keep:1}],empty:'No plans. perp plan set NAME "1/3@1R rest@2R" saves one.'})}var I={summary:"Save an exit plan under a name",args:[{name:"name",summary:"such as scalp"},{name:"plan",summary:'such as "1\
/3@1R 1/3@2R rest trail 1%"'}],examples:[['perp plan set scalp "50%@1R be rest trail 0.5%"',"then: perp plan BTC scalp"]],changesMore:!0};async function S(r,{name:o,plan:n}){let{savePlan:l}=await load  ("./saved-plans-T6754V4E.js"),
{parseExitPlan:u}=await load  ("./exit-plans-47YZGU7L.js");if(r.settings.dryRun){let{text:m}=u(n,"PLAN");return d({name:o,plan:m,before:null},()=>[s(`Dry run: ${o} would be ${m}`)])}let{plan:a,before:p}=l(
r.variables,o,n);return d({name:o,plan:a.text,before:p},()=>[s({text:o,tone:"strong"},`  ${a.text}`),...p===null?[]:[s(`It was ${p}`)]])}var A={summary:"Remove a saved plan, or a position's plan from \
its guard",description:"The position's targets are orders and stay; cancel them with perp target POSITION none.",args:[{name:"plan",summary:"name, or position"}],examples:[["perp plan rm BTC","the sto\
p stays where it is"]],changesMore:!0};async function C(r,{plan:o}){let{removePlan:n,savedPlans:l}=await load  ("./saved-plans-T6754V4E.js"),{planInPlace:u}=await load  ("./apply-plan-OB5FAKUW.js"),{
keepPlan:a}=await load  ("./plans-IO57VOMD.js"),{dryRun:p}=r.settings,m=Object.hasOwn(l(r.variables),o),e=(i,c)=>d({name:i,position_id:c,removed:!p},()=>[s(`${p?"Dry run: would remove":"Removed"}\
 ${i??`the plan of ${c}`}`)]);if(m)return p||n(r.variables,o),e(o,null);let t=await u(r,o);if(t===void 0)throw h(`There is no plan of ${o}.`,"perp plan list shows them.");return p||a(t.file,t.plan.position_id,
null),e(null,t.plan.position_id)}var L={apply:{command:g,run:R},show:{command:P,run:b},list:{command:O,run:T},set:{command:I,run:S},rm:{command:A,run:C}};                      

return{commands:L}})