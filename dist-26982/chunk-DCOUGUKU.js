(function(use,load,meta,require){"use strict";const {a:O}=use("chunk-G6NDLDFR.js");const {h:m}=use("chunk-YBTAAL3A.js");const {a:p}=use("chunk-3E5D5CZJ.js");const {Kh:x,zh:E}=use("chunk-KBEGXUNB.js");
                                                                                                                                                                         var V,K=()=>V??=require                 ("node:buffer"),X=e=>K()[e];var I=X("isUtf8");var Ne={has:e=>e==="127.0.0.1"||e==="localhost"||e==="localhost."||e==="[::1]",inWords:"127.0.0.1, localhost and [::1]"},Y=new Set(["authorization","content-encoding","content-type","host","idempotenc\
y-key","origin"]);function h(e,t){let o=Q(e);if(o!==null)return new p("invalid_request",`The header ${o} is given more than once.`);let{host:n,"transfer-encoding":r}=e.headers;return r!==void 0&&r.toLowerCase()!==
"chunked"?new p("invalid_request","The only supported Transfer-Encoding is chunked."):n===void 0?e.httpVersion==="1.0"?null:new p("invalid_request","HTTP/1.1 requires a Host header."):t.has(n.toLowerCase().
replace(/:\d{1,5}$/,""))?null:new p("forbidden",`This service only answers to ${t.inWords}.`)}function Q({rawHeaders:e,headers:t}){if(e.length===2*Object.keys(t).length)return null;let o=new Set;for(let n=0;n<
e.length;n+=2){let r=e[n].toLowerCase();if(Y.has(r)&&o.has(r))return e[n];o.add(r)}return null}var Z=256*1024,ee={text:""};async function B(e){let{headers:t}=e;return t["content-length"]===void 0&&t["\
transfer-encoding"]===void 0?ee:new Promise(o=>{let n=[],r=0;e.on("data",s=>{r+=s.length,r<=Z?n.push(s):o({problem:"too_large"})}),e.on("end",()=>{let s=n.length===1?n[0]:Buffer.concat(n);o(I(s)?{text:s.
toString("utf8")}:{problem:"not_utf8"})}),e.on("close",()=>o({problem:"aborted"}))})}var te,oe=()=>te??=require                 ("node:v8"),ne=e=>oe()[e];var H=ne("setFlagsFromString");var re,se=()=>re??=require                 ("node:vm"),ie=e=>se()[e];var P=ie("runInNewContext");var ae=500,ce={leftMs:2e4,quietMs:2e3},v=class{#t;#e;#o=0;#n=0;#s=Number.NEGATIVE_INFINITY;#r=null;constructor(t=de,{leftMs:o,quietMs:n}=ce){this.#t=t,this.#e={leftMs:o,quietMs:n}}opened(){this.#o+=1,
this.#n=Math.max(this.#n,this.#o)}closed(){this.#o-=1,this.#i()&&(this.#r??=this.#a(this.#e.leftMs))}requested(){this.#s=performance.now()}#i(){return this.#n>=ae&&this.#o<=this.#n/10}#a(t){return setTimeout(
()=>{if(this.#r=null,!!this.#i()){if(performance.now()-this.#s<this.#e.quietMs){this.#r=this.#a(this.#e.quietMs);return}this.#n=this.#o,this.#t()}},t).unref()}};function de(){H("--expose-gc");let e=P(
"gc");H("--no-expose-gc"),e({type:"major",execution:"sync",flavor:"last-resort"})}var le,pe=()=>le??=require                 ("node:http"),ue=e=>pe()[e];var A=ue("STATUS_CODES");var fe=16*1024*1024,_=128,T=class{#t=new Map;#e=0;follow(t,o){let n=new M;this.#t.set(n,o),t.on("data",r=>{for(this.#e-=n.held,n.take(r),this.#e+=n.held;this.#e>fe;)this.#o()}),t.on("close",()=>this.#n(
n))}#o(){let t;for(let n of this.#t.keys())(t===void 0||n.held>t.held)&&(t=n);let o=this.#t.get(t);this.#n(t),o()}#n(t){this.#t.delete(t)&&(this.#e-=t.held,t.isForgotten=!0)}},M=class{held=0;isForgotten=!1;#t=[];#e=0;#o=!1;#n=!0;take(t){
if(this.isForgotten)return;let o=0;for(;o<t.length;){if(this.#e===0){this.#t.push(t[o++]),this.#s();continue}let n=Math.min(this.#e,t.length-o);o+=n,this.#e-=n,this.#o||(this.held+=n),this.#e===0&&this.#r()}
!this.#o&&this.#e>0&&(this.held+=_)}#s(){let t=this.#t;if(t.length<2)return;let o=t[1]&127,n=o===126?2:o===127?8:0,r=(t[1]&128)===0?0:4;if(t.length<2+n+r)return;let s=n===0?o:0;for(let i=2;i<2+n;i+=1)
s=s*256+t[i];this.#o=(t[0]&8)!==0,this.#o||(this.#n=(t[0]&128)!==0,s>0&&(this.held+=_)),this.#e=s,t.length=0,s===0&&this.#r()}#r(){!this.#o&&this.#n&&(this.held=0)}},L=64*1024,me=4*1024*1024,N=256,ge=2e3;
function k(e){return he.has(W(e))}var he=new Set(Object.values(E)),y=class{#t;#e=new T;#o;#n=null;constructor(t,o){this.#t=t,this.#o=o}take(t,o,n){let r=()=>o.destroy();o.on("error",r),this.#s(t,o,n).
catch(s=>{let i=m(),a=this.#t.streams.failureOf(s,i);this.#i(t,a.status,i,a.body(i)),we(o,a,i)})}cut(){for(let t of this.#n?.clients??[])t.terminate()}async#s(t,o,n){let r=new URL(t.url??"/","http://l\
ocalhost"),s=W(r.pathname);this.#r(t);let{streams:i}=this.#t;if(i.isStopping)throw new p("unavailable","The service is stopping.",{retryAfterSeconds:1});let{authorization:a}=t.headers,u=await i.admit(
{path:s,search:r.searchParams,authorization:a});this.#n??=await Se(()=>i.headers??{}),this.#n.handleUpgrade(t,o,n,l=>{this.#i(t,101,m()),this.#o.opened(),l.on("close",()=>this.#o.closed()),this.#e.follow(
o,()=>{l.close(x.tooLarge,"too much of unfinished frames is waiting"),l.terminate()}),xe(l,u(be(l,o)))})}#r(t){let{names:o,origins:n}=this.#t,r=h(t,o)??n.refusal(t.headers.origin);if(r!==null)throw r}#i(t,o,n,r){
let{environment:s,log:i}=this.#t,a=(t.url??"").split("?",1)[0];i?.({environment:s,method:t.method??"",path:a,status:o,durationMs:0,requestId:n,error:r})}};async function Se(e){let{WebSocketServer:t}=await load  ("./wrapper-5VQBJTDT.js"),
o=new t({noServer:!0,maxPayload:me,perMessageDeflate:!1});return o.on("headers",n=>{for(let[r,s]of Object.entries(e()))n.push(`${r}: ${s}`)}),o}function xe(e,t){ve(e,o=>{t.receive(o),t.waiting>N&&ye(e,
t)}),e.on("ping",()=>t.pinged()),e.on("close",()=>t.end())}function ve(e,t){e.on("error",()=>{}),e.on("message",(o,n)=>{n?C(e,x.binary,"frames are JSON text"):o.length>L?C(e,x.tooLarge,`a frame has at\
 most ${L} bytes`):t(o.toString("utf8"))})}function ye(e,t){if(e.isPaused)return;e.pause();let o=()=>{t.waiting>N/2?setTimeout(o,5).unref():e.resume()};o()}function be(e,t){let o=!1,n=()=>{o&&t.uncork(),
o=!1};return{send(r){o||(o=!0,t.cork(),setImmediate(n)),e.send(r)},get buffered(){return e.bufferedAmount},close(r,s){n(),C(e,r,s)}}}function C(e,t,o){e.close(t,o),setTimeout(()=>e.terminate(),ge).unref()}
function we(e,t,o){let{retryAfterSeconds:n,headers:r}=t.facts,s=JSON.stringify({error:t.body(o)}),i={"content-type":"application/json; charset=utf-8","content-length":String(Buffer.byteLength(s)),"cac\
he-control":"no-store",connection:"close","x-request-id":o,...n!==void 0&&{"retry-after":String(n)},...r},a=Object.entries(i).map(([u,l])=>`${u}: ${l}`);e.end(`HTTP/1.1 ${t.status} ${A[t.status]}\r
${a.join(`\r
`)}\r
\r
${s}`)}function W(e){return e.length>1&&e.endsWith("/")?e.slice(0,-1):e}var He,Te=()=>He??=require                 ("node:http"),F=e=>Te()[e];var D=F("STATUS_CODES");var q=F("createServer");var $="127.0.0.1",Me=5e3,Ce=4*1024*1024;async function st(e){let t=await ke(e.secure,{headersTimeout:1e4,requestTimeout:3e4,connectionsCheckingInterval:5e3,keepAliveTimeout:65e3,maxHeaderSize:16384,requireHostHeader:!1,
noDelay:!0,shouldUpgradeCallback:({url:c,headers:d})=>k(b(c??""))&&d.upgrade?.toLowerCase()==="websocket"}),o=new v,n=new y(e,o),r=new O(c=>e.onError(c,"a turn"));t.on("upgrade",(c,d,f)=>n.take(c,d,f));
let s=new R(w);t.on("tlsClientError",({code:c=""})=>{let d=c.split("_ALERT_")[1]?.toLowerCase().replaceAll("_"," ");(d!==void 0||c==="ECONNRESET")&&e.onDistrust?.(d??"it hung up")}),t.on("clientError",
(c,d)=>s.answer(c,d)),t.on("checkExpectation",(c,d)=>{if(c.headers.expect==="")return t.emit("request",c,d);let f=new p("invalid_request","The only supported expectation is 100-continue."),g=h(c,e.names);
return w(d,g??f,g?.status??417)}),await new Promise((c,d)=>{t.once("error",d),t.listen(e.port,$,c)});let{port:i}=t.address(),a=!1,u={environment:e.environment,url:`${e.secure===void 0?"http":"https"}:\
//${$}:${i}`,get isStopping(){return a},take:c=>t.emit("connection",c),stop(){return a=!0,n.cut(),Ie(t)}},l={...e,turns:r};return t.on("request",(c,d)=>{o.requested(),s.begin(d),Re(c,d,l,u).catch(f=>{
e.onError(f,`${c.method} on the ${e.environment} host`),d.destroy()})}),u}async function ke(e,t){if(e===void 0)return q(t);let{createServer:o}=await load  ("node:https");return o({...t,key:e.key,cert:e.
certificate})}async function Re(e,t,o,n){let r=h(e,o.names);if(r!==null){let S=w(t,r),{method:j="",url:G=""}=e,J={environment:o.environment,method:j,path:b(G),status:r.status,durationMs:0};o.log?.({...J,
requestId:S,error:r.body(S)});return}if(o.origins.admit(e,t))return;if(k(b(e.url??""))){let S=new p("invalid_request","This path is a stream: connect to it with a WebSocket.");t.setHeader("upgrade","w\
ebsocket"),w(t,S,426);return}let s=o.page(e,t,n);if(s!==null)return s;let i=await B(e),a="problem"in i?i.problem:null;if(a==="aborted")return;o.turns.admits(e.socket)||await o.turns.whenTurn(e.socket);
let u=o.log===null?0:performance.now(),l=Ee(e,i),c={remoteAddress:e.socket.remoteAddress??"",isBodyTooLarge:a==="too_large",isBodyNotUtf8:a==="not_utf8"},{status:d,headers:f,body:g}=await o.answer(l,c);
a==="too_large"&&z(e,t),n.isStopping&&(t.shouldKeepAlive=!1),U(t,d,f,g),o.log?.({environment:o.environment,method:e.method??"",path:b(l.target),status:d,durationMs:performance.now()-u,requestId:f["x-r\
equest-id"],error:d<400?void 0:g.error})}function Ee(e,t){return{method:e.method==="HEAD"?"GET":e.method,target:Oe(e.url??"/"),headers:e.headers,body:"text"in t?t.text:""}}function Oe(e){return e.startsWith(
"http://")?e.replace(/^http:\/\/[^/?]*/,"")||"/":e}function b(e){return e.split("?",1)[0]}function U(e,t,o,n){let r=JSON.stringify(n),s=Buffer.byteLength(r);e.writeHead(t,{"content-type":"application/\
json; charset=utf-8","content-length":s,"cache-control":"no-store",...o}),e.end(r,s===r.length?"latin1":"utf8")}function w(e,t,o=t.status){let n=m();return z(e.req,e),U(e,o,{"x-request-id":n},{error:t.
body(n)}),n}function z(e,t){t.shouldKeepAlive=!1;let o=0;e.on("data",n=>{o+=n.length,o>Ce&&e.destroy()})}async function Ie(e){let t=new Promise(n=>e.close(()=>n()));e.closeIdleConnections();let o=setTimeout(
()=>e.closeAllConnections(),Me);await t,clearTimeout(o)}var R=class{#t;#e=new WeakMap;constructor(t){this.#t=t}begin(t){this.#e.set(t.req.socket,t)}answer(t,o){if(t.code==="ECONNRESET"||!o.writable){o.
destroy();return}let n=t.code==="ERR_HTTP_REQUEST_TIMEOUT",r=n?408:400,s=n?"The request took too long to arrive.":"This is not a valid HTTP request.",i=new p("invalid_request",s),a=this.#e.get(o);a===
void 0||a.writableFinished?Pe(o,i,r):!a.req.complete&&!a.headersSent?this.#t(a,i,r):Be(a,o)}};function Be(e,t){e.headersSent?e.once("finish",()=>t.end()):e.shouldKeepAlive=!1}function Pe(e,t,o){let n=m(),
r=JSON.stringify({error:t.body(n)});e.end(`HTTP/1.1 ${o} ${D[o]}\r
Content-Type: application/json; charset=utf-8\r
Content-Length: ${Buffer.byteLength(r)}\r
X-Request-Id: ${n}\r
Connection: close\r
\r
${r}`)}                               

return{a:Ne,b:B,c:st}})