(function(use,load,meta,require){"use strict";const {Di:b,He:w,U:e,Ul:$,W:u,X:l,Zc:h,ba:c,g:f,ga:y,ji:O,lk:x,mk:R,rd:g,sd:n,ud:v}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                         var N={summary:"Advance the manual clock and play everything in between",args:[{name:"duration",kind:"duration",optional:!0,summary:"how far, such as 30s or 5m"}],options:{to:{value:"TIME",kind:"time",
summary:"advance to this time"},end:{summary:"advance to the end of the recording"}},examples:[["perp sim advance 30s --state friday","half a minute"],["perp sim advance --to 2024-08-08T00:05Z","to a \
given time"],["perp sim advance --end","to the end of the recording"]],simulationOnly:!0};async function U(t,o){if([o.duration!==void 0,o.to!==void 0,o.end].filter(a=>a).length!==1)throw f("Give exact\
ly one of DURATION, --to and --end.","For example: perp sim advance 30s");let m=o.end?{end:!0}:o.to!==void 0?{to:await O(t,o.to)}:{duration_ms:o.duration};if(t.settings.dryRun){let{client:a}=await t.access();
return $([a.intend("simAdvance",{body:m})])}let{data:r}=await t.person.during("Playing",()=>t.call("simAdvance",{body:m})),i=t.settings.output==="table"?await T(t,r.from,r.to):[],p=t.settings.output===
"table"?await A(t):void 0;return w(t,void 0,g(r,()=>[n(`${e(r.from)} to ${e(r.to)} (${u(r.to-r.from)})`),...i.length===0?[]:[n(`${l(i.length,"fill")}${i.length===d?", or more":""}:`),v(i,b)],...p===void 0?
[]:[n({text:`The recording ended at ${e(p)}: ${c(x,t.settings)}.`,tone:"warn"})]]))}async function A(t){try{let{data:o}=await t.call("simStatus",{});return R(o)?o.last_time??void 0:void 0}catch{return}}
var d=20;async function T(t,o,s){let m=[];try{for(let{id:r}of await h(t)){let{data:i}=await t.call("listFills",{query:{account_id:r,limit:d}});m.push(...i.filter(({settled_at:p=0})=>p>o&&p<=s))}}catch(r){
t.note(`Some fills can't be shown: ${y(r).message}`)}return m.sort((r,i)=>(r.settled_at??0)-(i.settled_at??0)).slice(-d)}                              

return{command:N,run:U}})