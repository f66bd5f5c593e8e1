(function(use,load,meta,require){"use strict";const {Al:w,U:u,g:h,ja:g,rd:s,sd:a,td:c,xj:x,xl:v,zl:y}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                           var E,I=()=>E??=require                 ("node:os");var k=(...t)=>I().hostname(...t);var K={summary:"Log in to live through the browser",description:"Opens the approval page and stores the session in the keychain of this machine, only for the live host and the profile. If no browser c\
an be opened, perp prints the address and you can paste the code. A session can trade on every account you own until it expires or perp logout ends it.",options:{"no-browser":{summary:"print the addre\
ss instead of opening a browser"},name:{value:"DEVICE",kind:"text",summary:"name of the session (default: the name of this machine)"},"insecure-storage":{summary:"store the session in a file that only\
 you can read, for machines without a keychain"}},examples:[["perp login","approve in the browser"],["perp login --profile prop","the login of a profile (perp profile)"],["perp login --no-browser","on\
 a machine without a browser"],["perp login --insecure-storage","on a server without a keychain"]],changesMore:!0},L=10*6e4;async function S(t,o){let{variables:i,settings:r}=t,p=v(t),{host:e,profile:l}=p,
d=y(e,t),f=O(o.name??k());if(r.dryRun)return A(d,p,f);let m=o.insecureStorage?"file":"keychain",{logIn:b}=await load  ("./log-in-MLWDUKUS.js"),n=await b(t,{login:p,page:d,deviceName:f,opensBrowser:!o.
noBrowser,place:m,maxWaitMs:L});m==="file"&&t.note(`The credential is in ${x(i)}; anyone who can read your files can trade with it.`),g(i,"PERP_API_KEY")!==void 0&&t.note("PERP_API_KEY is set and take\
s precedence over this login."),r.environment!=="live"&&t.note(`The default environment is ${r.environment}: add --env live, or run perp config set env live.`);let P={environment:"live",profile:l,host:e,
name:n.name,expires_at:n.expiresAt,kept:m};return s(P,()=>[a({text:`Logged in as ${n.name}.`,tone:"good"}),c(["profile",l],["host",e],["expires",u(n.expiresAt)],["stored in",m])])}function O(t){let o=t.
trim();if(o!==""&&o.length<=64&&!new RegExp("\\p{C}","u").test(o))return o;throw h("--name must be 1 to 64 visible characters.")}function A(t,{host:o,profile:i},r){let e={login_url:w(t,{...{challenge:"\
CHALLENGE",redirectUri:"http://127.0.0.1:PORT/callback",state:"STATE"},deviceName:r}),profile:i,host:o,device_name:r};return s(e,()=>[c(["profile",i],["approval page",t],["token endpoint",`${o}/v1/aut\
h/cli/token`],["device",r]),a({text:"Dry run: nothing was opened or sent.",tone:"faint"})])}                              

return{command:K,run:S}})