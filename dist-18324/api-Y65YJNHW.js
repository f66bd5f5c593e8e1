(function(use,load,meta,require){"use strict";const {a:$,b:C}=use("chunk-GAPICP5C.js");const {Hi:E,P:d,Qd:g,Rd:b,Sd:v,Xb:w,ac:O,cc:k,dd:T,g:n,ml:q,na:y,rl:P}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                  var Z={summary:"Call an API endpoint directly",description:"Prints the answer's body. A write is treated like any other: saved to disk first, confirmed on a terminal, looked up or repeated under its k\
ey if no answer arrives, and refused while a guard holds a lock. It is sent as written, without a check of its worst case. Without arguments, lists the endpoints.",args:[{name:"method",optional:!0,summary:"\
GET, POST, PUT, PATCH or DELETE (default GET)"},{name:"path",optional:!0,summary:"path and query, such as '/v1/orders?limit=5'"}],options:{body:{value:"JSON",summary:"JSON body; @FILE reads a file, - \
standard input"}},examples:[["perp api /v1/accounts","every account"],["perp api '/v1/orders?client_order_id=e1' --jq .data","part of an answer"],[`perp api PATCH /v1/orders/my-entry-1 --body '{"price\
": 60000}'`,"a write"]],async run(o,t){if(t.method===void 0)return g(j(o),D);let{operation:r,path:e,query:i}=H(o,t.method,t.path),p=await L(o,r,t.body);return await A(o,r,{path:e,query:i,body:p},t.path??
t.method).catch(a=>{throw y(a),a})}},I=["GET","POST","PUT","PATCH","DELETE"];async function A(o,t,r,e){let i=t.id;return t.method==="GET"?S((await o.call(i,r)).body):await q(o,i,r,{question:`Send ${t.
method} ${e}?`,done:({body:p})=>S(p),...t.responses[202]===void 0?{}:{send:P(o,i,"Sending")}})}function S(o){return b(o,()=>(JSON.stringify(o,null,2)??"null").split(`
`).map(t=>v(t)))}function j({settings:o}){let t=o.environment==="sim"?Object.values(E):[];return[...Object.values(T),...t].filter(({path:r})=>!r.startsWith("/v1/auth/"))}var D={fields:["id","method","\
path","summary"],columns:[{header:"METHOD",cell:({method:o})=>o},{header:"PATH",cell:({path:o})=>o},{header:"DOES",cell:({summary:o})=>o,keep:1}],empty:"There are no endpoints."};function H(o,t,r){let e=r===
void 0&&t.startsWith("/"),i=e?"GET":t.toUpperCase();if(!I.includes(i))throw n(`The method is ${d(t)}; it must be one of ${I.join(", ")}.`);let p=e?t:r;if(p===void 0)throw n("The path is missing.","For\
 example: perp api GET /v1/accounts");let[m="",...a]=p.split("?"),f=j(o),u=new k(f).find(i,m);if(u.operation===null)throw U(i,m,u.methods,f);let{operation:s,path:G}=u,c=new URLSearchParams(a.join("?")),
h=[...c.keys()].filter(R=>s.query?.properties[R]===void 0);if(h.length>0)throw K(s,h[0]);let l=O(s,c);if(!l.ok)throw C(l.issues);return{operation:s,path:G,query:s.query===null?void 0:l.value}}function U(o,t,r,e){
if(r.length>0)return n(`${t} takes ${r.join(" or ")}, not ${o}.`);let i=w(t,[...new Set(e.map(({path:m})=>m))]),p=i===void 0?"perp api lists the endpoints.":`Did you mean ${i}? perp api lists them all\
.`;return n(`There is no endpoint ${d(t)}.`,p)}function K({query:o},t){let r=Object.keys(o?.properties??{}),e=r.length===0?"This endpoint takes no query.":`It takes ${r.join(", ")}.`;return n(`Unknown\
 query parameter ${d(t)}.`,e)}async function L(o,t,r){if(t.body===null){if(r===void 0)return;throw n(`${t.method} ${t.path} takes no body.`,"Omit --body.")}if(r===void 0)throw n("--body is missing.",`\
docs/api.md has the body of ${t.id}.`);return $(o,r,"--body")}                     

return{command:Z}})