(function(use,load,meta,require){"use strict";const {Dd:c,He:u,Ol:n,U:m,Ul:f,Zh:y,qd:a,rd:p,sd:s,td:d,yd:l}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                    var k={summary:"List issued API keys and sessions",examples:[["perp sim key","without the secrets"]],simulationOnly:!0},h=[{header:"NAME",cell:t=>t.name},{header:"KIND",cell:t=>t.kind,keep:2},{header:"\
FOR",cell:t=>t.environment==="live"?"main":"sandbox"},{header:"SCOPE",cell:t=>t.scope},{header:"CREATED",cell:t=>m(t.created_at),keep:3},{header:"EXPIRES",cell:t=>t.expires_at===null?"":m(t.expires_at),
keep:1},{header:"REVOKED",cell:t=>t.revoked_at===null?"":{text:m(t.revoked_at),tone:"warn"},keep:4},{header:"ID",cell:t=>t.id,keep:0}];async function x(t){let{data:o}=await t.call("simListKeys",{});return a(
o,{fields:c(y),columns:h,empty:"No keys yet; create one with perp sim key add."})}var v={summary:"Create an API key for a client; it is shown only once",options:{scope:{value:"SCOPE",choices:["read","\
trade"],summary:"scope of the key (default trade)"},sandbox:{summary:"for the sandbox address instead of the main one"},prefix:{value:"TEXT",summary:"prefix for clients that require one other than sim\
_live_ or sim_test_"},name:{value:"TEXT",summary:"a label"}},examples:[["perp sim key add","a key with trade scope"],["perp sim key add --scope read --name dashboard","a read-only key"]],simulationOnly:!0};
async function O(t,o){let e={name:o.name,environment:o.sandbox?"test":"live",scope:o.scope,prefix:o.prefix};if(t.settings.dryRun){let{client:i}=await t.access();return f([i.intend("simCreateKey",{body:e})])}
let{data:r}=await t.call("simCreateKey",{body:e});return u(t,void 0,p(r,()=>[s({text:r.api_key,tone:"strong"}),d(["for",o.sandbox?"the sandbox address":"the main address"],["scope",r.key.scope],["name",
r.key.name]),l]))}var R={summary:"Expire an API key or session, now or later",args:[{name:"id",summary:"id, from perp sim key"}],options:{in:{value:"DURATION",kind:"duration",summary:"how long it is s\
till valid (default: not at all)"}},examples:[["perp sim key expire key_0123456789abcdef","now"],["perp sim key expire key_0123456789abcdef --in 10m","in ten minutes; a later time makes it valid again"]],
simulationOnly:!0};async function _(t,{id:o,in:e=0}){let r={path:{key_id:o},body:{expires_at:Date.now()+e}};return n(t,"simEndKey",r,{question:`Let the key ${o} expire?`,done:({data:i})=>p(i,()=>[s(`K\
ey ${i.id} (${i.name}) is valid until ${m(i.expires_at)}.`)])})}var w={summary:"Revoke an API key or session for good",args:[{name:"id",summary:"id, from perp sim key"}],examples:[["perp sim key revok\
e key_0123456789abcdef","its client gets 401 from now on"]],simulationOnly:!0};async function E(t,{id:o}){return n(t,"simEndKey",{path:{key_id:o},body:{revoked:!0}},{question:`Revoke the key ${o}?`,done:({
data:r})=>p(r,()=>[s(`Revoked key ${r.id} (${r.name}).`)])})}var A={list:{command:k,run:x},add:{command:v,run:O},expire:{command:R,run:_},revoke:{command:w,run:E}};                      

return{commands:A}})