(function(use,load,meta,require){"use strict";const {Ul:c,ja:f,rd:g,sd:r,xl:h,yl:v}=use("chunk-KBEGXUNB.js");const {e:l,f:u}=use("chunk-SAQ7O7IP.js");
                                                                                                                                var A={summary:"Revoke the session and remove it from this machine",description:"Revokes the session (with a profile, only the profile's) before removing it, so no valid session is forgotten. If the s\
ession cannot be revoked, it is kept and the exit status reports the failure.",options:{force:{summary:"remove a session that can't be revoked; it stays valid until it expires"}},examples:[["perp logo\
ut","end the session on live"],["perp logout --force","when the host no longer exists"]],changesMore:!0};async function K(t,p){let o=h(t),{host:m,profile:e}=o;if(t.settings.dryRun){var a=[];try{let i=l(
a,await v(t,m),!0);return c([i.client.intend("revokeCliSession",{})])}catch(k){var R=k,x=!0}finally{var d=u(a,R,x);d&&await d}}let{logOut:y}=await load  ("./log-out-SDGIZRRL.js"),n=await y(t,o,p.force);
f(t.variables,"PERP_API_KEY")!==void 0&&t.note("PERP_API_KEY is still set and will be used.");let s=e===void 0?"":` as profile ${e}`,w=n.map(({name:i,place:$,outcome:b})=>({name:i,kept:$,outcome:b}));
return g({profile:e,host:m,sessions:w},()=>n.length===0?[r(`Not logged in to ${m}${s}.`)]:n.map(i=>E(i,s)))}function E({name:t,outcome:p},o){return p==="revoked"?r({text:`Logged out ${t}${o}; the sess\
ion is revoked.`,tone:"good"}):p==="was_invalid"?r(`Logged out ${t}${o}; the session was no longer valid.`):r({text:`Removed ${t}${o} without revoking it; the session stays valid until it expires.`,tone:"\
warn"})}                              

return{command:A,run:K}})