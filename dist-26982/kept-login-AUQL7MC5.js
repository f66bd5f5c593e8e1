(function(use,load,meta,require){"use strict";use("chunk-YY2WGIUL.js");const {Aj:l,d:a,e:p,tj:c,vj:f,xj:d,zj:u}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                               async function b(r,t,m){let i=new l({host:u(r),profile:t},m),e=await i.find().catch(o=>{throw o instanceof c?k(o,i):o});if(e===void 0){let o=i.record();if(o?.place==="keychain")throw w(o.name);return}
let{apiKey:h,name:y,expiresAt:g,place:n}=e,s={text:h,source:n,session:{name:y,expiresAt:g}};return n==="keychain"?{...s,from:"the keychain"}:{...s,from:d(m)}}function k(r,t){let m=t.profile===void 0?"\
live":`profile ${t.profile} on live`,i=f(r,"return the login");return t.record()!==void 0?i:new p({...i.facts,exit:a.notAllowed,code:"unauthorized",message:`No API key for ${m}, and no login was found\
. ${i.message}`})}function w(r){return new p({code:"unauthorized",message:`The login ${r} is not in the keychain: it was removed, or the keychain is locked.`,hint:"Unlock the keychain and try again, o\
r run perp login."})}                       

return{keptLogin:b}})