(function(use,load,meta,require){"use strict";const {$l:$,Ee:k,Mj:S,Od:h,Vc:l,Wc:c,am:x,d:n,g:s,qd:u,ra:a,rd:f,sd:y,td:g,te:w,ze:R}=use("chunk-KBEGXUNB.js");
                                                                                                                                                               function A(t){let[o,i]=d[t.outcome],r="what"in t?`: ${t.what}`:"",e="computed"in t?t.computed.destination:void 0,p={text:o.charAt(0).toUpperCase()+o.slice(1),tone:i};return f(t,()=>[y(p,r),g(["why",t.
reason],["key",t.key],["on",e])],b([t]))}function D(t){return{...u(t,{fields:P,columns:I,empty:"Every write is settled."}),exit:b(t)}}var d={done:["happened","good"],not_done:["did not happen","strong"],
unknown:["still unknown","warn"],under_way:["under way","warn"],forgotten:["forgotten","faint"],damaged:["damaged","bad"]},I=[{header:"WHAT",cell:t=>"what"in t?t.what:""},{header:"OUTCOME",cell:({outcome:t})=>({
text:d[t][0],tone:d[t][1]})},{header:"WHY",cell:({reason:t})=>t},{header:"WHERE",cell:t=>"computed"in t?t.computed.destination:"",keep:2},{header:"KEY",cell:({key:t})=>t,keep:1}],P=["key","outcome","r\
eason","operation","what","environment","profile","base_url","state","account_id","computed.destination"];function b(t){let o=["unknown","under_way","damaged"];return t.some(({outcome:i})=>o.includes(
i))?n.outcomeUnknown:n.done}async function J(t,o){if(t.settings.yes)throw c(o.note);await t.person.confirm(`${l(o.note)} Settle it instead of sending a new one?`);let i=_(t);try{return A(await t.person.
during("Looking up the outcome",()=>i.settle(o)))}finally{await i.close()}}function _(t){let{outside:o,registry:i}=t;return new S(t,{async connect(r){let e=K(r,t),{openAccess:p}=await load  ("./open-access-75TRHWR3.js");
return p({settings:e,outside:o,version:i.version,note:m=>t.note(m)})},ask:(r,e)=>h(t,r,e),isUnattended:!t.person.isInteractive&&!t.settings.yes})}function K(t,{settings:o,variables:i}){let r=t.state===
void 0?{}:{state:t.state},e={env:t.environment,profile:t.profile??w,...r},p=R(i);if(t.profile!==void 0&&!k(p).has(t.profile))throw L(t,t.profile);let m=$(e,i,p);if(!a(m.baseUrl,t.baseUrl)){let F=x[t.environment],
T=`The write was sent to ${t.baseUrl}, but the ${t.environment} API is now ${m.baseUrl??"not set"}.`;throw s(T,`To settle it there, set ${F}=${t.baseUrl}.`)}let C={...m.simulation,books:void 0,clock:void 0,
speed:void 0},{environment:v,profile:W,profileKeyFile:U,baseUrl:O,streams:E}=m;return{...o,environment:v,profile:W,profileKeyFile:U,baseUrl:O,streams:E,simulation:C}}function L({environment:t,baseUrl:o,
state:i},r){let e=o===void 0?"":` --base-url ${o}`,p=i===void 0?"":` --state ${i}`;return s(`The profile ${r}, which sent it, is gone.`,`Add it again, with its API key file if it had one: perp profile\
 add ${r} --env ${t}${e}${p}`)}                                    

return{a:A,b:D,c:J,d:_}})