(function(use,load,meta,require){"use strict";const {Ci:c,Qd:n,Rd:p,Sd:s,Td:d,Yd:l,aa:m,ce:y,jf:u,ml:a,sl:k}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                     var f={summary:"List issued API keys and sessions",examples:[["perp sim key","without the secrets"]],simulationOnly:!0,async run(r){let{data:t}=await r.call("simListKeys",{});return n(t,{fields:y(c),columns:h,
empty:"No keys yet; create one with perp sim key add."})}},h=[{header:"NAME",cell:r=>r.name},{header:"KIND",cell:r=>r.kind,keep:2},{header:"FOR",cell:r=>r.environment==="live"?"main":"sandbox"},{header:"\
SCOPE",cell:r=>r.scope},{header:"CREATED",cell:r=>m(r.created_at),keep:3},{header:"EXPIRES",cell:r=>r.expires_at===null?"":m(r.expires_at),keep:1},{header:"REVOKED",cell:r=>r.revoked_at===null?"":{text:m(
r.revoked_at),tone:"warn"},keep:4},{header:"ID",cell:r=>r.id,keep:0}],x={summary:"Create an API key for a client; it is shown only once",options:{scope:{value:"SCOPE",choices:["read","trade"],summary:"\
scope of the key (default trade)"},sandbox:{summary:"for the sandbox address instead of the main one"},prefix:{value:"TEXT",summary:"prefix for clients that require one other than sim_live_ or sim_tes\
t_"},name:{value:"TEXT",summary:"a label"}},examples:[["perp sim key add","a key with trade scope"],["perp sim key add --scope read --name dashboard","a read-only key"]],simulationOnly:!0,async run(r,t){
let e={name:t.name,environment:t.sandbox?"test":"live",scope:t.scope,prefix:t.prefix};if(r.settings.dryRun)return k(r,"simCreateKey",{body:e});let{data:i}=await r.call("simCreateKey",{body:e}),o=p(i,()=>[
s({text:i.api_key,tone:"strong"}),d(["for",t.sandbox?"the sandbox address":"the main address"],["scope",i.key.scope],["name",i.key.name]),l]);return u(r,void 0,o)}},v={summary:"Expire an API key or se\
ssion, now or later",args:[{name:"id",summary:"id, from perp sim key"}],options:{in:{value:"DURATION",kind:"duration",summary:"how long it is still valid (default: not at all)"}},examples:[["perp sim \
key expire key_0123456789abcdef","now"],["perp sim key expire key_0123456789abcdef --in 10m","in ten minutes; a later time makes it valid again"]],simulationOnly:!0,async run(r,{id:t,in:e=0}){let i={path:{
key_id:t},body:{expires_at:Date.now()+e}};return a(r,"simEndKey",i,{question:`Let the key ${t} expire?`,done:({data:o})=>p(o,()=>[s(`Key ${o.id} (${o.name}) is valid until ${m(o.expires_at)}.`)])})}},
_={summary:"Revoke an API key or session for good",args:[{name:"id",summary:"id, from perp sim key"}],examples:[["perp sim key revoke key_0123456789abcdef","its client gets 401 from now on"]],simulationOnly:!0,
async run(r,{id:t}){return a(r,"simEndKey",{path:{key_id:t},body:{revoked:!0}},{question:`Revoke the key ${t}?`,done:({data:i})=>p(i,()=>[s(`Revoked key ${i.id} (${i.name}).`)])})}},g={list:f,add:x,expire:v,
revoke:_};                      

return{commands:g}})