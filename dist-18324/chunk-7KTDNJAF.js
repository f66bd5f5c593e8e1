(function(use,load,meta,require){"use strict";const {b:K,e:$}=use("chunk-MCA5GUH3.js");const {a:k,c:y,h:S}=use("chunk-FGCUC6Y6.js");const {b:b,c:E}=use("chunk-QOBZWUIP.js");const {aa:w,d:g,e:c,pa:v}=use("chunk-AFUPYCZE.js");const {e:f,f:h}=use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                              
                                               async function j(o,r,t){var d=[];try{let i=f(d,$(o.variables));let e=new S(r,o.variables);let n=[];for(let s of["file","keychain"]){let a=await e.in(s).catch(m=>{if(!(m instanceof k))throw m;if(U(m,e,
n))throw C(m,e)});if(a===void 0)continue;let x=await F(o,e,a,t);await e.remove(s).catch(m=>{throw m instanceof k?y(m,"remove the login, which is revoked"):m}),n.push({name:a.name,place:s,outcome:x})}P(
e,n,t);e.remember(void 0);return n}catch(l){var u=l,p=!0}finally{h(d,u,p)}}async function F(o,r,t,i){try{return await T(o,r.host,t)?"revoked":"was_invalid"}catch(e){if(i)return"forgotten";let n=v(e);throw n.
exit===g.outcomeUnknown?O(r.host,t,n):new c({...n,message:`The session ${t.name} could not be revoked, so it is kept. ${n.message}`,hint:`Try again when ${r.host} can be reached. perp logout --force r\
emoves it here; it then stays valid until ${w(t.expiresAt)}.`})}}function O(o,r,t){return new c({...t,message:`It is unknown whether the session ${r.name} was revoked, so it is kept. ${t.message}`,hint:`\
Run perp logout again when ${o} can be reached; it revokes the session if needed and removes it.`})}function U({problem:o},r,t){let i=r.record();return i!==void 0?i.place==="keychain":o!=="missing"&&t.
length===0}function C(o,r){let t=r.record(),i=y(o,t?.place==="keychain"?`return the stored session ${t.name}`:"be checked for a stored login").facts;return new c(i,{cause:o})}function P(o,r,t){let i=o.
record();if(!(t||i===void 0||r.some(({place:e})=>e===i.place)))throw new c({code:"session_missing",message:`The session ${i.name} was stored in the ${i.place}, but is not there now (is the keychain lo\
cked?), so it can't be revoked.`,hint:`Unlock the keychain and try again. perp logout --force removes it here; it then stays valid until ${w(i.expiresAt)}.`})}async function T(o,r,{apiKey:t}){var e=[];
try{let i=f(e,await K(o,r,t),!0);try{return(await i.client.call("revokeCliSession",{})).data.revoked}catch(p){if(A(p))return!1;if(!_(p))throw p;let{timeoutMs:s}=o.settings,a=await b(i.client,p,{timeoutMs:s,
arrivalMs:1e3,signal:o.signal});return E(a,void 0),!0}}catch(n){var d=n,l=!0}finally{var u=h(e,d,l);u&&await u}}function _(o){return o instanceof Error&&o.name==="OutcomeUnknownError"}function A(o){if(!(o instanceof
Error)||o.name!=="ApiError")return!1;let{status:r,requestId:t}=o;return r===401&&t!==void 0}                             

return{a:j,b:T,c:_}})