(function(use,load,meta,require){"use strict";const {Hb:w,K:d,Kc:k,Mb:O,Ol:$,Tl:C,bi:v,ci:E,ea:y,ei:q,fi:P,g:e,qd:T,rd:g,sd:b}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                   var Z={summary:"Call an API endpoint directly",description:"Prints the answer's body. A write is treated like any other: saved to disk first, confirmed on a terminal, looked up or repeated under its k\
ey if no answer arrives, and refused while a guard holds a lock. It is sent as written, without a check of its worst case. Without arguments, lists the endpoints.",args:[{name:"method",optional:!0,summary:"\
GET, POST, PUT, PATCH or DELETE (default GET)"},{name:"path",optional:!0,summary:"path and query, such as '/v1/orders?limit=5'"}],options:{body:{value:"JSON",summary:"JSON body; @FILE reads a file, - \
standard input"}},examples:[["perp api /v1/accounts","every account"],["perp api '/v1/orders?client_order_id=e1' --jq .data","part of an answer"],[`perp api PATCH /v1/orders/my-entry-1 --body '{"price\
": 60000}'`,"a write"]]},I=["GET","POST","PUT","PATCH","DELETE"];async function tt(o,t){if(t.method===void 0)return T(j(o),D);let{operation:r,path:p,query:i}=H(o,t.method,t.path),m=await L(o,r,t.body);
return await A(o,r,{path:p,query:i,body:m},t.path??t.method).catch(a=>{throw y(a),a})}async function A(o,t,r,p){let i=t.id;return t.method==="GET"?S((await o.call(i,r)).body):await $(o,i,r,{question:`\
Send ${t.method} ${p}?`,done:({body:m})=>S(m),...t.responses[202]===void 0?{}:{send:C(o,i,"Sending")}})}function S(o){return g(o,()=>(JSON.stringify(o,null,2)??"null").split(`
`).map(t=>b(t)))}function j({settings:o}){let t=o.environment==="sim"?Object.values(v):[];return[...Object.values(k),...t].filter(({path:r})=>!r.startsWith("/v1/auth/"))}var D={fields:["id","method","\
path","summary"],columns:[{header:"METHOD",cell:({method:o})=>o},{header:"PATH",cell:({path:o})=>o},{header:"DOES",cell:({summary:o})=>o,keep:1}],empty:"There are no endpoints."};function H(o,t,r){let p=r===
void 0&&t.startsWith("/"),i=p?"GET":t.toUpperCase();if(!I.includes(i))throw e(`The method is ${d(t)}; it must be one of ${I.join(", ")}.`);let m=p?t:r;if(m===void 0)throw e("The path is missing.","For\
 example: perp api GET /v1/accounts");let[n="",...a]=m.split("?"),f=j(o),u=new E(f).find(i,n);if(u.operation===null)throw U(i,n,u.methods,f);let{operation:s,path:R}=u,c=new URLSearchParams(a.join("?")),
h=[...c.keys()].filter(G=>s.query?.properties[G]===void 0);if(h.length>0)throw K(s,h[0]);let l=O(s,c);if(!l.ok)throw P(l.issues);return{operation:s,path:R,query:s.query===null?void 0:l.value}}function U(o,t,r,p){
if(r.length>0)return e(`${t} takes ${r.join(" or ")}, not ${o}.`);let i=w(t,[...new Set(p.map(({path:n})=>n))]),m=i===void 0?"perp api lists the endpoints.":`Did you mean ${i}? perp api lists them all\
.`;return e(`There is no endpoint ${d(t)}.`,m)}function K({query:o},t){let r=Object.keys(o?.properties??{}),p=r.length===0?"This endpoint takes no query.":`It takes ${r.join(", ")}.`;return e(`Unknown\
 query parameter ${d(t)}.`,p)}async function L(o,t,r){if(t.body===null){if(r===void 0)return;throw e(`${t.method} ${t.path} takes no body.`,"Omit --body.")}if(r===void 0)throw e("--body is missing.",`\
docs/api.md has the body of ${t.id}.`);return q(o,r,"--body")}                               

return{command:Z,run:tt}})