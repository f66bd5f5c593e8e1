(function(use,load,meta,require){"use strict";const {Cl:W,Dl:q,El:D,Fl:I,G:b,H:R,K:g,Nj:E,Oj:T,Pj:N,S:F,V:P,W:O,X:x,Xi:_,Zi:A,cm:L,g:l,la:f,ll:j}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                     var K,V=()=>K??=require                 ("node:fs"),Y=e=>V()[e];var B=Y("statSync");var H,X=()=>H??=require                 ("node:path"),Z=e=>X()[e];var v=Z("join");var bt={summary:"Run any program against a simulation of its service",description:"Serves a simulation as long as the program runs. The program gets a key and the addresses in variables (PERP_API_KEY,\
 PERP_BASE_URL, ...). Name its built-in hosts with --as: for this program only, they then mean the simulation, with certificates for this run only. Standard output belongs to the program, and perp exi\
ts with its status. Without --state, the simulation is new, and deleted at the end.",args:[{name:"command",kind:"word",repeat:!0,summary:"the program and its arguments, after --"}],options:{as:{value:"\
HOST[:PORT]",repeat:!0,summary:"a host name built into the program, such as api.example.com (port 443)"},sandbox:{summary:"serve it the sandbox instead of live: key, hosts and the sandbox's variables"},
"key-variable":{value:"NAME",repeat:!0,summary:"another variable that gets the key"},"url-variable":{value:"NAME",repeat:!0,summary:"another variable that gets the base URL"},preset:{value:"NAME",choices:[
"observed","default"],summary:"policy of its accounts: all observed behaviors of the live service, or none (perp sim policy)"},prefix:{value:"PREFIX",summary:"prefix of the key, for a program that exp\
ects one (default sim_live_)"},network:{value:"KIND",choices:["own","shared"],summary:"own: only this program has these hosts (Linux); shared: by HTTPS_PROXY (default own where possible)"},...A,venue:T,
..._},examples:[["perp sim run -- python bot.py","a program that reads PERP_BASE_URL and PERP_API_KEY"],["perp sim run --as api.example.com --key-variable BOT_KEY -- python bot.py","one with a built-i\
n host"],["perp sim run --books day.jsonl.gz --as-now --as api.example.com -- ./bot","on a recorded day, as if it were now"],["perp sim run --state friday --plan prime -- node bot.js","keep the simula\
tion: perp --state friday pnl"]],simulationOnly:!0};async function gt(e,t){let{settings:o,variables:r}=e;if(o.dryRun)throw l("perp sim run can't be combined with --dry-run.","Omit --dry-run.");let{simulation:n}=o;
E(t.venue,n.books);let{seed:i,plan:p,balance:m,accounts:c}=t,a=n.plainFrom==="--state"?n.plain:void 0;a!==void 0&&ot(e,a,{seed:i,plan:p,balance:m,accounts:c});let d=t.sandbox?"test":"live",{runProgram:h}=await load  ("./run-program-PZUQU7TN.js"),
{beginTally:u,presetAccounts:M}=await load  ("./public-JEEFC6HQ.js"),k=s=>e.io.err(`perp: ${b(s)}
`),S=o.quiet?()=>{}:k,{result:w,tally:$,weather:y}=await h({command:t.command,environment:d,hosts:rt(t),keyPrefix:t.prefix===void 0?void 0:I(t.prefix),keyVariables:t.keyVariable.map(s=>C("--key-variab\
le",s)),urlVariables:t.urlVariable.map(s=>C("--url-variable",s)),network:t.network,state:a===void 0?void 0:{name:a,folder:f(r)},variables:r,note:S},{recordingsDir:v(f(r),"recordings"),books:n.books,clock:n.
clock,speed:n.speed,asNow:t.asNow||void 0,weather:await q(t.weather),from:t.from,seed:i,plan:p,startingBalance:m,accounts:c,beginning:e.outside.beginning,live:N(r,t.venue.length>0?t.venue:void 0),rateLimit:W(
t.rateLimit),probesLocks:a!==void 0,...D(k)},async({simulation:s})=>{t.preset!==void 0&&await M(s,d,t.preset);let z=await u(s,d);return U=>({result:U,tally:z(),weather:s.weather?.survival.report()})});
if(L(o))e.io.err(`${R({...J(w,$,a),...y&&{weather:y}})}
`);else{if(y!==void 0)for(let s of j(y))S(s);S(Q(w,$,a))}return{kind:"text",text:"",exit:w.exit}}function J(e,t,o){let{exit:r,signal:n,requests:i,refused:p,firstRequestAt:m,startedAt:c}=e;return{exit:r,
signal:n,first_request_ms:m===void 0?null:m-c,requests:i,refused:p,...t,state:o??null}}function Q(e,t,o){let{requests:r,refused:n,firstRequestAt:i,startedAt:p}=e,m=i===void 0?"no request arrived":`${x(
r,"request")}, the first after ${O(Math.max(1,i-p))}${tt(n)}`,c=t.rejected===0?"":` (${t.rejected} rejected)`,a=t.accounts.length>1,d=t.accounts.map(u=>`${a?`${u.account_id} `:""}${et(u)}`),h=o===void 0?
"journal not kept (--state NAME keeps it)":`journal in --state ${o}`;return`${m}; ${x(t.orders,"order")}${c}, ${x(t.fills,"fill")}, equity ${d.join(", ")}; ${h}.`}var G=5;function tt(e){let t=e.slice(
0,G).map(({status:r,reason:n,count:i})=>`${i===1?"":`${i} x `}${r} ${b(n)}`),o=e.length>G?", and more":"";return t.length===0?"":`, refused: ${t.join(", ")}${o}`}function et({equity:e,breach:t,status:o}){
let r=e===null?"not known":`${F(e)} USD`;if(t===null)return`${r}, ${o==="passed"?"passed":"no breach"}`;let n=t.at===null?"":` at ${P(t.at)}`;return`${r}, breach: ${t.rule_id??"unknown"}${n}`}function ot(e,t,o){
let r=Object.entries(o).find(([,i])=>i!==void 0),n=B(v(f(e.variables),`${t}.db`),{throwIfNoEntry:!1})!==void 0;if(!(r===void 0||!n))throw l(`The simulation ${t} exists, and its ${r[0]} can't change.`,
`Omit --${r[0]}, name another --state, or reset it: perp sim reset --state ${t}.`)}function rt({as:e,network:t}){if(t!==void 0&&e.length===0)throw l(`--network ${t} needs hosts, but --as names none.`,
"Name the hosts that are built into the program, as in --as api.example.com, or omit --network.");return e.map(nt)}function nt(e){let[t="",o="443",...r]=e.toLowerCase().split(":"),n=t.split(".").every(
m=>/^[a-z0-9_-]{1,63}$/.test(m))&&t.length<=253,i=/^[\d.]+$/.test(t)||t==="localhost",p=/^\d{1,5}$/.test(o)&&Number(o)>0&&Number(o)<=65535;if(n&&!i&&p&&r.length===0)return{name:t,port:Number(o)};throw l(
`--as is ${g(e)}, not a host name.`,"Write the name as in the program, without scheme and path: --as api.example.com")}function C(e,t){if(/^[A-Za-z_][A-Za-z0-9_]*$/.test(t))return t;throw l(`${e} is ${g(
t)}, not the name of a variable.`,`Write it as ${e} BOT_KEY.`)}                                

return{command:bt,run:gt}})