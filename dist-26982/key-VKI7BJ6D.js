(function(use,load,meta,require){"use strict";const {Fl:O,K:k,U:d,g:f,h:g,qd:_,rd:c,sd:u,td:x,yd:R}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                         var C={summary:"List the bots' keys",examples:[["perp gate key","without the secrets, which are not kept"]]},E=[{header:"BOT",cell:({bot:t})=>t},{header:"STATE",cell:({is_valid:t,revoked_at:o})=>t?{text:"\
valid",tone:"good"}:{text:o===null?"expired":"revoked",tone:"warn"}},{header:"CREATED",cell:({created_at:t})=>d(t),keep:3},{header:"EXPIRES",cell:({expires_at:t})=>d(t),keep:1},{header:"REVOKED",cell:({
revoked_at:t})=>t===null?"":d(t),keep:4},{header:"ID",cell:({id:t})=>t,keep:0}];async function I({variables:t,machine:o}){let{BotsFile:e,gateFolder:r,isValid:m}=await load  ("./bots-file-Y6TIVJQ4.js"),
p=new e(r(t)).keys().map(({hash:n,environment:a,...i})=>({...i,is_valid:m(i,o.now())})).reverse();return _(p,{fields:["id","bot","created_at","expires_at","revoked_at","is_valid"],columns:E,empty:"No \
keys yet; perp gate key add BOT makes one."})}var S={summary:"Create a bot's key for the gate; it is shown only once",description:"A bot has one key; a new key replaces it from the next request of a r\
unning gate. Only its hash is stored.",args:[{name:"bot",kind:"word",summary:"the name in its mandate"}],options:{prefix:{value:"PREFIX",summary:"prefix of the key, for a bot that expects one (default\
 gate_live_, as perp mcp --gate requires)"},expires:{value:"DURATION",kind:"duration",summary:"how long it is valid (default 30d, at most 365d)"}},examples:[["perp gate key add scalper","valid for 30 \
days"],["perp gate key add scalper --expires 12h","for today"]],changesMore:!0},b=864e5,T=30*b,A=365*b;async function $(t,{bot:o,prefix:e,expires:r=T}){let{BotsFile:m,gateFolder:p}=await load  ("./bots-file-Y6TIVJQ4.js"),
{environmentOf:n}=await load  ("./serve-3JXT5S6T.js"),{isBotName:a}=await load  ("./mandate-file-3UPI4UXN.js"),{readSigned:i}=await load  ("./signed-GZWAKOKU.js"),{variables:s,settings:y,machine:F}=t;
if(!a(o))throw f(`A bot can't be named ${k(o)}.`,"Use up to 24 lowercase letters, digits and hyphens.");if(r>A)throw f("A key is valid for at most 365 days.","Make a new one later.");i(s,o)===void 0&&
t.note(`No mandate is signed for ${o} yet: perp mandate sign FILE. Until then, the key allows nothing.`);let h=F.now(),l=h+r;if(y.dryRun)return c({bot:o,expires_at:l},()=>[u(`Dry run: no key was made \
for ${o}.`)]);let{key:w,text:v}=new m(p(s)).add(o,n(t),h,l,e&&O(e));return c({api_key:v,id:w.id,bot:o,expires_at:l},()=>[u({text:v,tone:"strong"}),x(["for",o],["valid until",d(l)],["id",w.id]),R])}var B={
summary:"Revoke a bot's key and end its streams",args:[{name:"key",kind:"word",summary:"id of the key, or its bot"}],examples:[["perp gate key revoke scalper","the bot can no longer connect"]],changesMore:!0};
async function D({variables:t,settings:o,machine:e},{key:r}){let{BotsFile:m,gateFolder:p}=await load  ("./bots-file-Y6TIVJQ4.js"),n=new m(p(t)),a=o.dryRun?n.named(r):n.revoke(r,e.now());if(a===void 0)
throw g(`There is no key ${k(r)} to revoke.`,"perp gate key list shows keys and bots.");let{id:i,bot:s}=a,y=o.dryRun?"Dry run: would revoke":"Revoked";return c({id:i,bot:s,revoked:!o.dryRun},()=>[u(`${y}\
 the key of ${s} (${i}).`)])}var X={list:{command:C,run:I},add:{command:S,run:$},revoke:{command:B,run:D}};                      

return{commands:X}})