(function(use,load,meta,require){"use strict";const {Ae:y,Bj:I,Ee:v,Fe:w,Ge:F,K:_,Vj:x,Wj:L,X:b,Xj:R,bf:O,cf:U,e:k,g:P,h:h,qd:C,rd:d,sd:u,se:N,te:g,xd:E,xe:S,ye:A,ze:c}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                       
                            var j,V=()=>j??=require                 ("node:path"),W=t=>V()[t],M=W("resolve");var $="No profile is in use.",K={summary:"List the profiles; * marks the one in use",examples:[["perp profile","all of them"]],ignoresProfile:!0};async function B(t){let e=c(t.variables),p=[...v(e).values()].
map(o=>x(t,o,e)),r=t.outside.now();return C(p,{fields:["name","environment","host","account","api_key_file","state","login.name","in_use"],columns:[{header:"NAME",cell:({name:o,in_use:i})=>`${i?"* ":"\
  "}${o}`},{header:"ENV",cell:({environment:o})=>o},{header:"WHERE",cell:({host:o,state:i})=>o??i??""},{header:"ACCOUNT",cell:({account:o})=>o??""},{header:"CREDENTIAL",cell:o=>L(o,r),keep:1}],empty:"\
No profiles. perp profile add NAME --env live --base-url URL adds one."})}var D={summary:"Show one profile and its settings",args:[{name:"name",kind:"profile",optional:!0,summary:"default: the one in \
use"}],examples:[["perp profile show","the one in use"]],ignoresProfile:!0};async function G(t,e){let p=c(t.variables),r=e.name??t.settings.lookup.value("profile");if(r===void 0||r===g)throw h($,"perp\
 profile list shows the profiles.");let o=w(p,String(r),(n,s)=>h(`${n}.`,s)),i=x(t,o,p);return d(i,()=>[u({text:o.name,tone:"strong"},i.in_use?"  in use":""),...R(i,t.outside.now())])}var z={summary:"\
Add a profile: an environment and a login",description:"Takes the environment from --env, and --account, --api-key-file and, in the simulation, --state from this line. Without --base-url it uses the a\
ddress of the environment. Each profile has its own login: perp login --profile NAME. Give it its own trade settings with perp config set profiles.NAME.trade.leverage 3 and the like.",args:[{name:"nam\
e",kind:"profile",summary:"lower-case letters, digits, - and _"}],options:{"base-url":{value:"URL",kind:"text",summary:"address of its API (default: that of the environment)"},"login-url":{value:"URL",
kind:"text",summary:"address of its approval page"},"market-stream-url":{value:"URL",kind:"text",summary:"address of its market-data stream, wss://..."},"account-stream-url":{value:"URL",kind:"text",summary:"\
address of its account stream, wss://..."}},examples:[["perp profile add prop --env live --base-url https://api.example.com --account acc_1","with its own login"],["perp profile add bot --env live --a\
pi-key-file bot.key","another credential at the same host"],["perp profile add paper --env sim --state friday","a simulation"]],ignoresProfile:!0,changesMore:!0};async function q(t,e){let{variables:p,
settings:r}=t,{name:o}=e;if(!N(o))throw P(`${_(o)} can't name a profile.`,"A name has 1 to 32 lower-case letters, digits, dashes or underscores, and is not none.");let i=c(p);if(v(i).has(o))throw new k(
{code:"profile_exists",message:`The profile ${o} already exists.`,hint:`perp profile show ${o} shows it, and perp config set profiles.${o}.base_url URL changes it.`});let n=H(t,e);r.dryRun||y(p,n);let s={
...i,...n},l=v(s).get(o),f=x(t,l,s);return r.environment==="live"&&f.api_key_file===null&&t.note(`perp login --profile ${o} logs in as this profile.`),d(f,()=>[u(`${r.dryRun?"Dry run: would add":"Adde\
d"} profile ${o} (${A(p)}).`),...R(f)])}function H({settings:t},e){let{environment:p,account:r,accountFrom:o,apiKeyFile:i,simulation:n}=t,s={base_url:e.baseUrl,login_url:e.loginUrl,market_stream_url:e.
marketStreamUrl,account_stream_url:e.accountStreamUrl,account:o==="--account"?r:void 0,api_key_file:i===void 0?void 0:M(i),state:n.plainFrom==="--state"?n.plain:void 0},l=Object.entries(s).filter(([,m])=>m!==
void 0);F(p,l.map(([m])=>m));let f=m=>`profiles.${e.name}.${m}`,a=l.map(([m,T])=>[f(m),S(f(m),T,`--${m.replaceAll("_","-")}`)]);return{[f("env")]:p,...Object.fromEntries(a)}}var J={summary:"Set the pr\
ofile that commands use without --profile",description:"A command uses the profile of --profile, else of PERP_PROFILE, else the one in use. With another environment in --env or PERP_ENV, the one in us\
e is ignored. perp profile use none ends its use. Without NAME, shows the profile in use.",args:[{name:"name",kind:"profile",optional:!0,summary:"profile to use, or none"}],examples:[["perp profile us\
e","which one commands use, and why"],["perp profile use none","use no profile again"]],ignoresProfile:!0,changesMore:!0};async function Q(t,{name:e}){let{settings:p,variables:r}=t,o=p.lookup.find("pr\
ofile");if(e===void 0){let s=o===void 0||o.value===g?null:String(o.value);return d({profile:s,from:o?.from??"default"},()=>[s===null?u($):u({text:s,tone:"strong"},`  by ${o.from}`)])}let i=e===g,n=i?null:
w(c(r),e,(s,l)=>h(`${s}.`,l)).name;return p.dryRun?d({profile:n},()=>[E(i?"no profile":e)]):(y(r,{profile:n}),o!==void 0&&o.from!=="the config file"&&o.value!==e&&t.note(`${o.from} names ${o.value}, w\
hich takes precedence.`),d({profile:n},()=>[i?u($):u({text:e,tone:"strong"}," is in use.")]))}var X={summary:"Remove a profile",description:"Keeps a profile that is in use, is logged in, or has writes\
 with unknown outcomes, so that commands don't go elsewhere and no valid session is forgotten.",args:[{name:"name",kind:"profile",summary:"profile to remove"}],examples:[["perp profile rm prop","after\
 perp logout --profile prop"]],ignoresProfile:!0,changesMore:!0};async function Y(t,{name:e}){let{settings:p,variables:r}=t,o=c(r),i=w(o,e,(a,m)=>h(`${a}.`,m)),n=(a,m)=>new k({code:"profile_needed",message:`${a}\
 It was not removed.`,hint:m});if(o.profile===e)throw n(`The profile ${e} is in use.`,"Run perp profile use none first, or use another one.");let[s]=I(r,e);if(s!==void 0){let[a,{name:m}]=s;throw n(`Th\
e profile ${e} is logged in at ${a} (${m}).`,`PERP_BASE_URL=${a} perp logout --profile ${e} ends that session; --force forgets it even if its host does not answer.`)}let l=U(O(r)).writes.filter(({note:a})=>a.
profile===e);if(l.length>0)throw n(`The outcome of ${b(l.length,"write")} of the profile ${e} is unknown.`,"perp pending resume settles them with its credential.");let f=Object.fromEntries([...i.keys.
values()].map(a=>[a,null]));return p.dryRun||y(r,f),d({name:e,removed:!p.dryRun},()=>[u(`${p.dryRun?"Dry run: would remove":"Removed"} profile ${e}.`)])}var co={list:{command:K,run:B},show:{command:D,
run:G},add:{command:z,run:q},use:{command:J,run:Q},rm:{command:X,run:Y}};                       

return{commands:co}})