(function(use,load,meta,require){"use strict";const {a:c,c:d,e:f,g:u,h:l}=use("chunk-FGCUC6Y6.js");use("chunk-7GNMLSFZ.js");use("chunk-B76R5DZG.js");use("chunk-QOBZWUIP.js");use("chunk-VA6MFGRR.js");const {d:a,e:m}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                    
                                                                           async function $(p,r,t){let i=new l({host:u(p),profile:r},t),e=await i.find().catch(o=>{throw o instanceof c?g(o,i):o});if(e===void 0){let o=i.record();if(o?.place==="keychain")throw new m({code:"unau\
thorized",message:`The login ${o.name} is not in the keychain: it was removed, or the keychain is locked.`,hint:"Unlock the keychain and try again, or run perp login."});return}let{apiKey:h,name:y,expiresAt:k,
place:n}=e,s={text:h,source:n,session:{name:y,expiresAt:k}};return n==="keychain"?{...s,from:"the keychain"}:{...s,from:f(t)}}function g(p,r){let t=r.profile===void 0?"live":`profile ${r.profile} on l\
ive`,i=d(p,"return the login");return r.record()!==void 0?i:new m({...i.facts,exit:a.notAllowed,code:"unauthorized",message:`No API key for ${t}, and no login was found. ${i.message}`})}                       

return{keptLogin:$}})