(function(use,load,meta,require){"use strict";const {Aj:b,Bl:$,Hj:E,Ij:S,U:w,d:y,e:c,ga:v,tj:g,vj:k,yl:K}=use("chunk-KBEGXUNB.js");const {e:f,f:h}=use("chunk-SAQ7O7IP.js");
                                                                                                                                                                     async function j(o,r,t){var d=[];try{let i=f(d,$(o.variables));let e=new b(r,o.variables);let m=[];for(let s of["file","keychain"]){let a=await e.in(s).catch(p=>{if(!(p instanceof g))throw p;if(U(p,e,
m))throw C(p,e)});if(a===void 0)continue;let x=await F(o,e,a,t);await e.remove(s).catch(p=>{throw p instanceof g?k(p,"remove the login, which is revoked"):p}),m.push({name:a.name,place:s,outcome:x})}P(
e,m,t);e.remember(void 0);return m}catch(l){var u=l,n=!0}finally{h(d,u,n)}}async function F(o,r,t,i){try{return await T(o,r.host,t)?"revoked":"was_invalid"}catch(e){if(i)return"forgotten";let m=v(e);throw m.
exit===y.outcomeUnknown?O(r.host,t,m):new c({...m,message:`The session ${t.name} could not be revoked, so it is kept. ${m.message}`,hint:`Try again when ${r.host} can be reached. perp logout --force r\
emoves it here; it then stays valid until ${w(t.expiresAt)}.`})}}function O(o,r,t){return new c({...t,message:`It is unknown whether the session ${r.name} was revoked, so it is kept. ${t.message}`,hint:`\
Run perp logout again when ${o} can be reached; it revokes the session if needed and removes it.`})}function U({problem:o},r,t){let i=r.record();return i!==void 0?i.place==="keychain":o!=="missing"&&t.
length===0}function C(o,r){let t=r.record(),i=k(o,t?.place==="keychain"?`return the stored session ${t.name}`:"be checked for a stored login").facts;return new c(i,{cause:o})}function P(o,r,t){let i=o.
record();if(!(t||i===void 0||r.some(({place:e})=>e===i.place)))throw new c({code:"session_missing",message:`The session ${i.name} was stored in the ${i.place}, but is not there now (is the keychain lo\
cked?), so it can't be revoked.`,hint:`Unlock the keychain and try again. perp logout --force removes it here; it then stays valid until ${w(i.expiresAt)}.`})}async function T(o,r,{apiKey:t}){var e=[];
try{let i=f(e,await K(o,r,t),!0);try{return(await i.client.call("revokeCliSession",{})).data.revoked}catch(n){if(A(n))return!1;if(!_(n))throw n;let{timeoutMs:s}=o.settings,a=await E(i.client,n,{timeoutMs:s,
arrivalMs:1e3,signal:o.signal});return S(a,void 0),!0}}catch(m){var d=m,l=!0}finally{var u=h(e,d,l);u&&await u}}function _(o){return o instanceof Error&&o.name==="OutcomeUnknownError"}function A(o){if(!(o instanceof
Error)||o.name!=="ApiError")return!1;let{status:r,requestId:t}=o;return r===401&&t!==void 0}                             

return{a:j,b:T,c:_}})