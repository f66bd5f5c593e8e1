(function(use,load,meta,require){"use strict";const {$k:b,P:h,Qd:_,Rd:c,Sd:y,Td:x,Yd:R,aa:d,g:k,h:v}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                          var O={summary:"List the bots' keys",examples:[["perp gate key","without the secrets, which are not kept"]],async run({variables:t,machine:o}){let{BotsFile:i,gateFolder:r,isValid:m}=await load  ("./bots-file-ATW3ZN3R.js"),
p=new i(r(t)).keys().map(({hash:a,environment:n,...e})=>({...e,is_valid:m(e,o.now())})).reverse();return _(p,{fields:["id","bot","created_at","expires_at","revoked_at","is_valid"],columns:T,empty:"No \
keys yet; perp gate key add BOT makes one."})}},T=[{header:"BOT",cell:({bot:t})=>t},{header:"STATE",cell:({is_valid:t,revoked_at:o})=>t?{text:"valid",tone:"good"}:{text:o===null?"expired":"revoked",tone:"\
warn"}},{header:"CREATED",cell:({created_at:t})=>d(t),keep:3},{header:"EXPIRES",cell:({expires_at:t})=>d(t),keep:1},{header:"REVOKED",cell:({revoked_at:t})=>t===null?"":d(t),keep:4},{header:"ID",cell:({
id:t})=>t,keep:0}],$={summary:"Create a bot's key for the gate; it is shown only once",description:"A bot has one key; a new key replaces it from the next request of a running gate. Only its hash is s\
tored.",args:[{name:"bot",kind:"word",summary:"the name in its mandate"}],options:{prefix:{value:"PREFIX",summary:"prefix of the key, for a bot that expects one (default gate_live_, as perp mcp --gate\
 requires)"},expires:{value:"DURATION",kind:"duration",summary:"how long it is valid (default 30d, at most 365d)"}},examples:[["perp gate key add scalper","valid for 30 days"],["perp gate key add scal\
per --expires 12h","for today"]],changesMore:!0,async run(t,{bot:o,prefix:i,expires:r=A}){let{BotsFile:m,gateFolder:p}=await load  ("./bots-file-ATW3ZN3R.js"),{environmentOf:a}=await load  ("./serve-EOJVFPEV.js"),
{isBotName:n}=await load  ("./mandate-file-M4FEMV65.js"),{readSigned:e}=await load  ("./signed-LTAHPWBX.js"),{variables:s,settings:u,machine:E}=t;if(!n(o))throw k(`A bot can't be named ${h(o)}.`,"\
Use up to 24 lowercase letters, digits and hyphens.");if(r>B)throw k("A key is valid for at most 365 days.","Make a new one later.");e(s,o)===void 0&&t.note(`No mandate is signed for ${o} yet: perp ma\
ndate sign FILE. Until then, the key allows nothing.`);let f=E.now(),l=f+r;if(u.dryRun)return c({bot:o,expires_at:l},()=>[y(`Dry run: no key was made for ${o}.`)]);let{key:w,text:g}=new m(p(s)).add(o,
a(t),f,l,i&&b(i));return c({api_key:g,id:w.id,bot:o,expires_at:l},()=>[y({text:g,tone:"strong"}),x(["for",o],["valid until",d(l)],["id",w.id]),R])}},F=864e5,A=30*F,B=365*F,D={summary:"Revoke a bot's k\
ey and end its streams",args:[{name:"key",kind:"word",summary:"id of the key, or its bot"}],examples:[["perp gate key revoke scalper","the bot can no longer connect"]],changesMore:!0,async run({variables:t,
settings:o,machine:i},{key:r}){let{BotsFile:m,gateFolder:p}=await load  ("./bots-file-ATW3ZN3R.js"),a=new m(p(t)),n=o.dryRun?a.named(r):a.revoke(r,i.now());if(n===void 0)throw v(`There is no key ${h(
r)} to revoke.`,"perp gate key list shows keys and bots.");let{id:e,bot:s}=n,u=o.dryRun?"Dry run: would revoke":"Revoked";return c({id:e,bot:s,revoked:!o.dryRun},()=>[y(`${u} the key of ${s} (${e}).`)])}},
L={list:O,add:$,revoke:D};                      

return{commands:L}})