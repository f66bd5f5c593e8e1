(function(use,load,meta,require){"use strict";const {Cl:L,Dl:T,El:G,G:k,K:x,Lc:O,Nc:P,Nj:R,Oj:S,Pj:F,Zi:C,bm:A,d:g,e:w,g:v,la:$,rd:I,sd:h,td:U}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                var ot={summary:"Serve the simulation over HTTP for any client",description:"Runs until Ctrl-C and listens only on this machine. perp sim key add issues API keys for other clients.",options:{port:{value:"\
PORT",kind:"port",summary:"port of the main address (default 7400)"},"sandbox-port":{value:"PORT",kind:"port",summary:"port of the sandbox address (default 7401)"},venue:S,...C,blind:{summary:"hide ev\
erything after the current time of a recording, including its end"},use:{summary:"put it in use while it runs, for commands on a terminal; without this, asks on a terminal"},"allow-origin":{value:"ORI\
GIN",repeat:!0,summary:"let web pages of this origin use the API and the streams, such as https://app.example.com"}},examples:[["perp sim serve","on ports 7400 and 7401"],["perp sim serve --state frid\
ay --books friday.jsonl.gz --clock manual","a recording, advanced by perp sim advance"],["perp sim serve --books live","trade today's market and record it"],["perp sim serve --books day.jsonl.gz --spe\
ed 10 --from 14:00 --blind","practice on a recorded day"],["perp sim serve --rate-limit off --debug","log every request"]],simulationOnly:!0};async function et(t,i){let{settings:r,signal:m,io:p}=t;if(r.
dryRun)throw v("perp sim serve can't be combined with --dry-run.","Omit --dry-run.");let{pageOrigin:a,serve:e}=await load  ("./public-JEEFC6HQ.js"),o=await Promise.all(i.allowOrigin.map(s=>E(s,a)));
R(i.venue,r.simulation.books);let{state:d,books:n,clock:u,speed:l}=r.simulation,b=s=>p.err(`${k(s)}
`),c=await e({stateDir:$(t.variables),state:d,books:n,clock:u,speed:l,beginning:t.outside.beginning,live:F(t.variables,i.venue.length>0?i.venue:void 0),from:i.from,blind:i.blind||void 0,asNow:i.asNow||
void 0,weather:await T(i.weather),port:i.port,sandboxPort:i.sandboxPort,rateLimit:L(i.rateLimit),allowedOrigins:o,probesLocks:!0,...r.debug?{log:({environment:s,method:f,path:N,status:j,durationMs:q,requestId:_})=>b(
`${s} ${f} ${N} ${j} ${q.toFixed(1)} ms ${_}`)}:{},...G(b)});try{let s=await z(t,c,i.use);await t.show(W(c,s));for(let{problem:f}of c.simulation.facts.live?.status().feeds??[])f!==null&&t.note(`${f}.`);
await H(m)}finally{await c.stop()}t.note("Stopped.");let{reason:y}=m;return{kind:"text",text:"",exit:y instanceof w&&y.facts.code==="terminated"?g.done:g.interrupted}}async function z(t,i,r){let{variables:m,
person:p,settings:a}=t,{state:e}=i,o=await A(m,!0),d=!["perp sim use","perp sim serve","default"].includes(o.plainFrom);if(o.plain===e&&!r)return{isInUse:!0,reach:void 0};let n=`perp --state ${e} ...,\
 or perp sim use ${e}`;if(d)return r&&t.note(`${o.plainFrom} names ${o.plain}, which takes precedence.`),{isInUse:!1,reach:n};let u=`Use ${e} while it runs? Commands on a terminal will then use it ins\
tead of ${o.plain}.`,l=r||p.isInteractive&&(a.yes||await t.outside.prompts.confirm(u));return l&&i.putInUse(),{isInUse:l,reach:l?"commands on a terminal use it while it runs":n}}function W(t,{isInUse:i,
reach:r}){let{state:m,baseUrl:p,sandboxUrl:a,pid:e,source:o,firstTime:d}=t,n=P({environment:"sim",state:m,prices:O(o,d)});return I({...{state:m,base_url:p,sandbox_url:a,pid:e,in_use:i},computed:{destination:n}},
()=>[h({text:n,tone:"strong"}," is being served."),U(["address",p],["sandbox",a],["use",r],["prices",D(t.simulation.facts)],["documents",`${p}/openapi.json`],["keys","perp sim key add"]),h({text:"Ctrl\
-C stops it.",tone:"faint"})])}function D({source:t,books:i,blind:r}){return i===void 0?t.name:`${t.name}${r===void 0?"":", blind"}, ${i}`}async function E(t,i){let r=await i(t);if(r!==null)return r;throw v(
`--allow-origin is ${x(t)}, not the origin of a page.`,"Give scheme and host, and any unusual port: https://app.example.com, http://localhost:3000.")}function H(t){return t.aborted?Promise.resolve():new Promise(
i=>t.addEventListener("abort",()=>i(),{once:!0}))}                                

return{command:ot,run:et}})