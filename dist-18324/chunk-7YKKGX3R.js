(function(use,load,meta,require){"use strict";const {c:S}=use("chunk-7BGPGM3K.js");const {Aa:a,Bl:x,Cl:$,Qd:u,Rd:f,Sd:y,Td:g,We:h,af:R,d:n,g:s,gf:k,ne:w,od:l,pd:c}=use("chunk-AFUPYCZE.js");
                                                                                                                                                                                               function A(t){let[o,e]=d[t.outcome],i="what"in t?`: ${t.what}`:"",r="computed"in t?t.computed.destination:void 0,p={text:o.charAt(0).toUpperCase()+o.slice(1),tone:e};return f(t,()=>[y(p,i),g(["why",t.
reason],["key",t.key],["on",r])],b([t]))}function J(t){return{...u(t,{fields:_,columns:I,empty:"Every write is settled."}),exit:b(t)}}var d={done:["happened","good"],not_done:["did not happen","strong"],
unknown:["still unknown","warn"],under_way:["under way","warn"],forgotten:["forgotten","faint"],damaged:["damaged","bad"]},I=[{header:"WHAT",cell:t=>"what"in t?t.what:""},{header:"OUTCOME",cell:({outcome:t})=>({
text:d[t][0],tone:d[t][1]})},{header:"WHY",cell:({reason:t})=>t},{header:"WHERE",cell:t=>"computed"in t?t.computed.destination:"",keep:2},{header:"KEY",cell:({key:t})=>t,keep:1}],P=["operation","what",
"environment","profile","base_url","state","account_id"],_=["key","outcome","reason",...P,"computed.destination"];function b(t){let o=["unknown","under_way","damaged"];return t.some(({outcome:e})=>o.includes(
e))?n.outcomeUnknown:n.done}async function Q(t,o){if(t.settings.yes)throw c(o.note);await t.person.confirm(`${l(o.note)} Settle it instead of sending a new one?`);let e=K(t);try{return A(await t.person.
during("Looking up the outcome",()=>e.settle(o)))}finally{await e.close()}}function K(t){let{outside:o,registry:e}=t;return new S(t,{async connect(i){let r=L(i,t),{openAccess:p}=await load  ("./open-access-LKQTCBFJ.js");
return p({settings:r,outside:o,version:e.version,note:m=>t.note(m)})},ask:(i,r)=>w(t,i,r),isUnattended:!t.person.isInteractive&&!t.settings.yes})}function L(t,{settings:o,variables:e}){let i=t.state===
void 0?{}:{state:t.state},r={env:t.environment,profile:t.profile??h,...i},p=R(e);if(t.profile!==void 0&&!k(p).has(t.profile))throw H(t,t.profile);let m=x(r,e,p);if(!a(m.baseUrl,t.baseUrl)){let E=$[t.environment],
T=`The write was sent to ${t.baseUrl}, but the ${t.environment} API is now ${m.baseUrl??"not set"}.`;throw s(T,`To settle it there, set ${E}=${t.baseUrl}.`)}let C={...m.simulation,books:void 0,clock:void 0,
speed:void 0},{environment:v,profile:W,profileKeyFile:U,baseUrl:O,streams:F}=m;return{...o,environment:v,profile:W,profileKeyFile:U,baseUrl:O,streams:F,simulation:C}}function H({environment:t,baseUrl:o,
state:e},i){let r=o===void 0?"":` --base-url ${o}`,p=e===void 0?"":` --state ${e}`;return s(`The profile ${i}, which sent it, is gone.`,`Add it again, with its API key file if it had one: perp profile\
 add ${i} --env ${t}${r}${p}`)}                                           

return{a:A,b:J,c:P,d:Q,e:K}})