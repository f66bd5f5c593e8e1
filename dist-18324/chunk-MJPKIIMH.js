(function(use,load,meta,require){"use strict";const {i:g}=use("chunk-FGCUC6Y6.js");const {Td:h,W:y,aa:_,ff:k,ya:x}=use("chunk-AFUPYCZE.js");
                                                                                                                function O(o,a,e){let{name:r,environment:n,keys:i}=a,{variables:p,settings:u}=o,l=new k({profile:r,env:n},p,e),f=n==="sim"?void 0:l.value(`${n}.base_url`),c=t=>{let s=i.get(t);return s===void 0?null:String(
e[s])},m=y(f,x),d=[...g(p,r)].map(([t,s])=>({name:s.name,host:t,expires_at:s.expiresAt,kept:s.place})),$=[...i].filter(([t])=>t.startsWith("trade.")).map(([t,s])=>[t,e[s]]);return{name:r,environment:n,
host:f??null,account:c(`${n}.account`),api_key_file:c("api_key_file"),state:c("sim.state"),trade:Object.fromEntries($),login:d.find(({host:t})=>t===m)??null,other_logins:d.filter(({host:t})=>t!==m),in_use:u.
lookup.value("profile")===r}}function v({environment:o,api_key_file:a,login:e},r){if(o==="sim")return"none needed";if(a!==null)return a;if(e===null)return{text:o==="live"?"not logged in":"none",tone:"\
faint"};let n=e.expires_at<=r,i=`login ${e.name}, ${n?"expired":"expires"} ${_(e.expires_at)}`;return n?{text:i,tone:"warn"}:i}function B(o,a=Date.now()){let{environment:e,host:r,account:n,state:i,trade:p}=o,
u=o.other_logins.map(l=>["also",{text:`login ${l.name} at ${l.host}; PERP_BASE_URL=${l.host} perp logout --profile ${o.name} ends it`,tone:"warn"}]);return[h(["environment",e],["host",e==="sim"?void 0:
r??{text:"not set",tone:"warn"}],["simulation",i??void 0],["account",n??void 0],["credential",v(o,a)],...u,...Object.entries(p).map(([l,f])=>[l,String(f)]))]}                             

return{a:O,b:v,c:B}})