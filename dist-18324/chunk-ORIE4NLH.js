(function(use,load,meta,require){"use strict";const {a:P}=use("chunk-6Q25PMO6.js");const {d:g,h:f,i:I}=use("chunk-QV5JACLC.js");const {a:m,d:O}=use("chunk-XXKGL3XC.js");const {fi:E,qi:v}=use("chunk-AFUPYCZE.js");
                                                                                                                                                                                              var V,K=()=>V??=require                 ("node:v8"),Q=t=>K()[t];var w=Q("setFlagsFromString");var X,Y=()=>X??=require                 ("node:vm"),Z=t=>Y()[t];var A=Z("runInNewContext");var ee=500,te={leftMs:2e4,quietMs:2e3},x=class{#e;#t;#o=0;#s=0;#n=Number.NEGATIVE_INFINITY;#r=null;constructor(e=oe,{leftMs:o,quietMs:s}=te){this.#e=e,this.#t={leftMs:o,quietMs:s}}opened(){this.#o+=1,
this.#s=Math.max(this.#s,this.#o)}closed(){this.#o-=1,this.#i()&&(this.#r??=this.#a(this.#t.leftMs))}requested(){this.#n=performance.now()}#i(){return this.#s>=ee&&this.#o<=this.#s/10}#a(e){return setTimeout(
()=>{if(this.#r=null,!!this.#i()){if(performance.now()-this.#n<this.#t.quietMs){this.#r=this.#a(this.#t.quietMs);return}this.#s=this.#o,this.#e()}},e).unref()}};function oe(){w("--expose-gc");let t=A(
"gc");w("--no-expose-gc"),t({type:"major",execution:"sync",flavor:"last-resort"})}var se,re=()=>se??=require                 ("node:http"),ne=t=>re()[t];var N=ne("STATUS_CODES");var ie=16*1024*1024,B=128,T=class{#e=new Map;#t=0;follow(e,o){let s=new C;this.#e.set(s,o),e.on("data",r=>{for(this.#t-=s.held,s.take(r),this.#t+=s.held;this.#t>ie;)this.#o()}),e.on("close",()=>this.#s(
s))}#o(){let e;for(let s of this.#e.keys())(e===void 0||s.held>e.held)&&(e=s);let o=this.#e.get(e);this.#s(e),o()}#s(e){this.#e.delete(e)&&(this.#t-=e.held,e.isForgotten=!0)}},C=class{held=0;isForgotten=!1;#e=[];#t=0;#o=!1;#s=!0;take(e){
if(this.isForgotten)return;let o=0;for(;o<e.length;){if(this.#t===0){this.#e.push(e[o++]),this.#n();continue}let s=Math.min(this.#t,e.length-o);o+=s,this.#t-=s,this.#o||(this.held+=s),this.#t===0&&this.#r()}
!this.#o&&this.#t>0&&(this.held+=B)}#n(){let e=this.#e;if(e.length<2)return;let o=e[1]&127,s=o===126?2:o===127?8:0,r=(e[1]&128)===0?0:4;if(e.length<2+s+r)return;let n=s===0?o:0;for(let i=2;i<2+s;i+=1)
n=n*256+e[i];this.#o=(e[0]&8)!==0,this.#o||(this.#s=(e[0]&128)!==0,n>0&&(this.held+=B)),this.#t=n,e.length=0,n===0&&this.#r()}#r(){!this.#o&&this.#s&&(this.held=0)}},W=64*1024,ae=4*1024*1024,D=256,ce=2e3;
function R(t){return le.has(L(t))}var le=new Set(Object.values(E)),y=class{#e;#t=new T;#o;#s=null;constructor(e,o){this.#e=e,this.#o=o}take(e,o,s){let r=()=>o.destroy();o.on("error",r),this.#n(e,o,s).
catch(n=>{let i=g(),a=this.#e.streams.failureOf(n,i);this.#i(e,a.status,i,a.body(i)),he(o,a,i)})}cut(){for(let e of this.#s?.clients??[])e.terminate()}async#n(e,o,s){let r=new URL(e.url??"/","http://l\
ocalhost"),n=L(r.pathname);this.#r(e);let{streams:i}=this.#e;if(i.isStopping)throw new m("unavailable","The service is stopping.",{retryAfterSeconds:1});let{authorization:a}=e.headers,p=await i.admit(
{path:n,search:r.searchParams,authorization:a});this.#s??=await de(()=>i.headers??{}),this.#s.handleUpgrade(e,o,s,d=>{this.#i(e,101,g()),this.#o.opened(),d.on("close",()=>this.#o.closed()),this.#t.follow(
o,()=>{d.close(v.tooLarge,"too much of unfinished frames is waiting"),d.terminate()}),pe(d,p(ge(d,o)))})}#r(e){let{names:o,origins:s}=this.#e,r=f(e,o)??s.refusal(e.headers.origin);if(r!==null)throw r}#i(e,o,s,r){
let{environment:n,log:i}=this.#e,a=(e.url??"").split("?",1)[0];i?.({environment:n,method:e.method??"",path:a,status:o,durationMs:0,requestId:s,error:r})}};async function de(t){let{WebSocketServer:e}=await load  ("./wrapper-5VQBJTDT.js"),
o=new e({noServer:!0,maxPayload:ae,perMessageDeflate:!1});return o.on("headers",s=>{for(let[r,n]of Object.entries(t()))s.push(`${r}: ${n}`)}),o}function pe(t,e){ue(t,o=>{e.receive(o),e.waiting>D&&me(t,
e)}),t.on("ping",()=>e.pinged()),t.on("close",()=>e.end())}function ue(t,e){t.on("error",()=>{}),t.on("message",(o,s)=>{s?M(t,v.binary,"frames are JSON text"):o.length>W?M(t,v.tooLarge,`a frame has at\
 most ${W} bytes`):e(o.toString("utf8"))})}function me(t,e){if(t.isPaused)return;t.pause();let o=()=>{e.waiting>D/2?setTimeout(o,5).unref():t.resume()};o()}function ge(t,e){let o=!1,s=()=>{o&&e.uncork(),
o=!1};return{send(r){o||(o=!0,e.cork(),setImmediate(s)),t.send(r)},get buffered(){return t.bufferedAmount},close(r,n){s(),M(t,r,n)}}}function M(t,e,o){t.close(e,o),setTimeout(()=>t.terminate(),ce).unref()}
function he(t,e,o){let s=O(e,{requestId:o,operation:null}),r=JSON.stringify(s.body),n={"content-type":"application/json; charset=utf-8","content-length":String(Buffer.byteLength(r)),"cache-control":"n\
o-store",connection:"close",...s.headers},i=Object.entries(n).map(([a,p])=>`${a}: ${p}`);t.end(`HTTP/1.1 ${e.status} ${N[e.status]}\r
${i.join(`\r
`)}\r
\r
${r}`)}function L(t){return t.length>1&&t.endsWith("/")?t.slice(0,-1):t}var fe,Se=()=>fe??=require                 ("node:http"),_=t=>Se()[t];var F=_("STATUS_CODES");var q=_("createServer");var $="127.0.0.1",ve=5e3,xe=4*1024*1024;async function Ue(t){let e=await ye(t.secure,{headersTimeout:1e4,requestTimeout:3e4,connectionsCheckingInterval:5e3,keepAliveTimeout:65e3,maxHeaderSize:16384,requireHostHeader:!1,
noDelay:!0,shouldUpgradeCallback:({url:c,headers:l})=>R(b(c??""))&&l.upgrade?.toLowerCase()==="websocket"}),o=new x,s=new y(t,o),r=new P(c=>t.onError(c,"a turn"));e.on("upgrade",(c,l,u)=>s.take(c,l,u));
let n=new k;e.on("tlsClientError",({code:c=""})=>{let l=c.split("_ALERT_")[1]?.toLowerCase().replaceAll("_"," ");(l!==void 0||c==="ECONNRESET")&&t.onDistrust?.(l??"it hung up")}),e.on("clientError",(c,l)=>n.
answer(c,l)),e.on("checkExpectation",(c,l)=>{if(c.headers.expect==="")return e.emit("request",c,l);let u=new m("invalid_request","The only supported expectation is 100-continue."),h=f(c,t.names);return H(
l,h??u,h?.status??417)}),await new Promise((c,l)=>{e.once("error",l),e.listen(t.port,$,c)});let{port:i}=e.address(),a=!1,p={environment:t.environment,url:`${t.secure===void 0?"http":"https"}://${$}:${i}`,
get isStopping(){return a},take:c=>e.emit("connection",c),stop(){return a=!0,s.cut(),Te(e)}},d={...t,turns:r};return e.on("request",(c,l)=>{o.requested(),n.begin(l),be(c,l,d,p).catch(u=>{t.onError(u,`${c.
method} on the ${t.environment} host`),l.destroy()})}),p}async function ye(t,e){if(t===void 0)return q(e);let{createServer:o}=await load  ("node:https");return o({...e,key:t.key,cert:t.certificate})}async function be(t,e,o,s){
let r=f(t,o.names);if(r!==null){let S=H(e,r),{method:U="",url:G=""}=t,J={environment:o.environment,method:U,path:b(G),status:r.status,durationMs:0};o.log?.({...J,requestId:S,error:r.body(S)});return}if(o.
origins.admit(t,e))return;if(R(b(t.url??""))){let S=new m("invalid_request","This path is a stream: connect to it with a WebSocket.");e.setHeader("upgrade","websocket"),H(e,S,426);return}let n=o.page(
t,e,s);if(n!==null)return n;let i=await I(t),a="problem"in i?i.problem:null;if(a==="aborted")return;o.turns.admits(t.socket)||await o.turns.whenTurn(t.socket);let p=o.log===null?0:performance.now(),d=He(
t,i),c={remoteAddress:t.socket.remoteAddress??"",bodyProblem:a??void 0},{status:l,headers:u,body:h}=await o.answer(d,c);a==="too_large"&&j(t,e),s.isStopping&&(e.shouldKeepAlive=!1),z(e,l,u,h),o.log?.(
{environment:o.environment,method:t.method??"",path:b(d.target),status:l,durationMs:performance.now()-p,requestId:u["x-request-id"],error:l<400?void 0:h.error})}function He(t,e){return{method:t.method===
"HEAD"?"GET":t.method,target:we(t.url??"/"),headers:t.headers,body:"text"in e?e.text:""}}function we(t){return t.startsWith("http://")?t.replace(/^http:\/\/[^/?]*/,"")||"/":t}function b(t){return t.split(
"?",1)[0]}function z(t,e,o,s){let r=JSON.stringify(s),n=Buffer.byteLength(r);t.writeHead(e,{"content-type":"application/json; charset=utf-8","content-length":n,"cache-control":"no-store",...o}),t.end(
r,n===r.length?"latin1":"utf8")}function H(t,e,o=e.status){let s=g();return j(t.req,t),z(t,o,{"x-request-id":s},{error:e.body(s)}),s}function j(t,e){e.shouldKeepAlive=!1;let o=0;t.on("data",s=>{o+=s.length,
o>xe&&t.destroy()})}async function Te(t){let e=new Promise(s=>t.close(()=>s()));t.closeIdleConnections();let o=setTimeout(()=>t.closeAllConnections(),ve);await e,clearTimeout(o)}var k=class{#e=new WeakMap;begin(e){
this.#e.set(e.req.socket,e)}answer(e,o){if(e.code==="ECONNRESET"||!o.writable){o.destroy();return}let s=e.code==="ERR_HTTP_REQUEST_TIMEOUT",r=s?408:400,n=s?"The request took too long to arrive.":"This\
 is not a valid HTTP request.",i=new m("invalid_request",n),a=this.#e.get(o);a===void 0||a.writableFinished?Me(o,i,r):!a.req.complete&&!a.headersSent?H(a,i,r):Ce(a,o)}};function Ce(t,e){t.headersSent?
t.once("finish",()=>e.end()):t.shouldKeepAlive=!1}function Me(t,e,o){let s=g(),r=JSON.stringify({error:e.body(s)});t.end(`HTTP/1.1 ${o} ${F[o]}\r
Content-Type: application/json; charset=utf-8\r
Content-Length: ${Buffer.byteLength(r)}\r
X-Request-Id: ${s}\r
Connection: close\r
\r
${r}`)}                

return{a:Ue}})