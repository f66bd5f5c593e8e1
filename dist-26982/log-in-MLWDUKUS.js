(function(use,load,meta,require){"use strict";const {b:E,c:K}=use("chunk-TULUCEXJ.js");const {a:q,b:N}=use("chunk-GU7TBH4I.js");use("chunk-NULGIMYA.js");const {Aj:G,Al:B,Bl:V,M:x,U:y,W:O,cb:L,d:A,e:d,i:$,tj:w,vj:k,wj:M,yl:_}=use("chunk-KBEGXUNB.js");const {e:C,f:D}=use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                      
                                                                                                                              var le,Y=()=>le??=require                 ("node:crypto");var I=(...e)=>Y().randomBytes(...e);var j=(...e)=>Y().hash(...e);var de,fe=()=>de??=require                 ("node:readline");var X=(...e)=>fe().createInterface(...e);var ue,ge=()=>ue??=require                 ("node:timers/promises"),he=e=>ge()[e],z=he("setTimeout");var xe,W=()=>xe??=require                 ("node:crypto");var J=(...e)=>W().timingSafeEqual(...e);var T=(...e)=>W().hash(...e);var S="Run perp login to start over.";function U(e,r){let t=v(e,"state");return t!==void 0&&we(t,r)}function R(e,r){if(!U(e,r))throw ve();let t=v(e,"error");if(t==="access_denied")throw Se();if(t!==void 0)
throw Q(t,v(e,"error_description"));let o=v(e,"code");if(o===void 0||!ee(o))throw Q("no code",void 0);return x(o),o}function Z(e,r){let t=e.trim(),o=/^https?:\/\//i.test(t)?URL.parse(t)?.searchParams:
ye(t)?new URLSearchParams(t):void 0;if(o!==void 0)return o.has("code")||o.has("error")?R(o,r):void 0;if(!(!ee(t)||t.includes("://")))return x(t),t}function ye(e){return/^\??([\w.-]+=[^&\s]*)(&[\w.-]+=[^&\s]*)+$/.
test(e)}function ee(e){return/^[\x21-\x7e]{4,2048}$/.test(e)}function v(e,r){let t=e.getAll(r);return t.length===1?t[0]:void 0}function we(e,r){return J(T("sha256",e,"buffer"),T("sha256",r,"buffer"))}
function ve(){return new d({code:"state_mismatch",message:"The answer belongs to another login (its state differs), so it was not used.",hint:"If it came from an older browser window, close it and run\
 perp login again. Otherwise, a web page tried to log you in."})}function Se(){return new d({code:"access_denied",message:"The login was denied in the browser. No access was granted."})}function Q(e,r){
let t=[e,r].filter(o=>o!==void 0).join(": ");return new d({code:"login_refused",message:`The approval page did not grant the login (${t.slice(0,200)}).`,hint:S})}var Pe,be=()=>Pe??=require                 ("node:crypto");var te=(...e)=>be().hash(...e);var He,Ce=()=>He??=require                 ("node:http"),De=e=>Ce()[e];var re=De("createServer");var b="127.0.0.1",oe="/callback",H=class e{redirectUri;answer;#e;#r;#t;#o;constructor(r,t){this.#e=r,this.#r=t,this.redirectUri=`http://${b}:${r.address().port}${oe}`,this.answer=new Promise(o=>{this.#o=
o}),r.on("request",(o,n)=>this.#n(o,n))}static async open(r,t=0){let o=re({headersTimeout:5e3,requestTimeout:5e3,maxHeaderSize:16384});return o.on("clientError",(n,i)=>i.destroy()),await new Promise((n,i)=>{
o.once("error",a=>i(Ee(a))),o.listen(t,b,n)}),new e(o,r)}async close(r=F,{leavePage:t}={}){if(!this.#e.listening)return;this.#t!==void 0&&(P(this.#t,r),t!==void 0&&await t(this.#e,ie(ne)));let o=new Promise(
n=>this.#e.close(()=>n()));this.#t===void 0?this.#e.closeAllConnections():(this.#e.closeIdleConnections(),setTimeout(()=>this.#e.closeAllConnections(),1e3).unref()),await o}#n(r,t){let o=URL.parse(r.url??
"",this.redirectUri);if(o?.pathname!==oe||!ke(r,this.redirectUri)){P(t,Ie);return}if(this.#t!==void 0){P(t,ne);return}if(!this.#r(o.searchParams)){P(t,Ke);return}this.#t=t,this.#o(o.searchParams)}};function ke({
method:e,headers:r},t){if(e!=="GET"||r.host!==new URL(t).host)return!1;let{"sec-fetch-mode":o="navigate","sec-fetch-dest":n="document"}=r;return o==="navigate"&&n==="document"}function P(e,r){let{status:t,
headers:o,html:n}=ie(r);e.writeHead(t,o).end(e.req.method==="HEAD"?"":n)}function ie(e){let r=Ue(e),t={...Te,"content-length":`${Buffer.byteLength(r)}`};return{status:e.status,headers:t,html:r}}function Ee(e){
let r=e.code==="EADDRINUSE";return new d({code:r?"port_taken":"no_receiver",message:r?`The port on ${b} for the browser's answer is in use.`:`Can't listen on ${b} for the browser's answer: ${e.message}\
.`,hint:r?"Run perp login again; it picks another port.":"Log in on a machine that allows it, or use PERP_API_KEY."})}var se={status:200,title:"You are logged in",text:"You can close this window and r\
eturn to the terminal."},F={status:400,title:"You are not logged in",text:"The terminal shows the reason. You can close this window."},ne={status:410,title:"This login was already answered",text:"The \
terminal shows how it ended. You can close this window."},Ke={status:400,title:"This answer is for another login",text:"The login in the terminal is not affected and is still waiting for its own answe\
r. You can close this window."},Ie={status:404,title:"Not found",text:"This address only accepts the answer to one login."},ae=`
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 12vh auto; max-width: 30rem; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; }
`,Te={"content-type":"text/html; charset=utf-8","content-security-policy":`default-src 'none'; style-src 'sha256-${te("sha256",ae,"base64")}'; form-action 'none'; frame-ancestors 'none'; base-uri 'non\
e'`,"cache-control":"no-store","referrer-policy":"no-referrer","cross-origin-opener-policy":"same-origin","x-content-type-options":"nosniff","x-frame-options":"DENY",connection:"close"};function Ue({title:e,
text:r}){return`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${e} \xB7 perp</title><style>${ae}</style></head>
<body>
<h1>${e}</h1>
<p>${r}</p>
</body>
</html>
`}async function Dt(e,r){var m=[];try{let{login:t,place:o}=r;let n=C(m,V(e.variables));let i=new G(t,e.variables);await i.check(o).catch(s=>{throw s instanceof w?k(s,"store the login"):s});let a=await Ae(
e,i,o);let p={...await Re(e,i,r),place:o};i.remember(p);for(let s of a)await $e(e,i,s,o);return p}catch(f){var l=f,c=!0}finally{D(m,l,c)}}async function Re(e,r,t){let{page:o,deviceName:n,opensBrowser:i,
maxWaitMs:a}=t,p=Ve(),m=await H.open(l=>{let c=U(l,p);return c||e.note("Ignored an answer to another login; still waiting for this one."),c}),f=F;try{let{verifier:l,challenge:c}=_e();x(l);let g={address:B(
o,{challenge:c,redirectUri:m.redirectUri,state:p,deviceName:n}),state:p,opensBrowser:i,maxWaitMs:a},u=await qe(e,m,g,me=>Oe(e,r.host,{code:me,verifier:l}));return await Fe(e,r,u,t.place),f=se,u}finally{
await m.close(f,e.outside)}}async function Fe(e,r,t,o){try{await r.keep(t,o)}catch(n){let i=await E(e,r.host,t).then(()=>!0,()=>!1);throw e.note(i?"The new session could not be stored, so it was revok\
ed.":`The new session ${t.name} could neither be stored nor revoked; it expires on ${y(t.expiresAt)}.`),n instanceof w?k(n,"store the login"):n}}async function Ae(e,r,t){let o=await r.in("file"),n=await r.
in("keychain").catch(i=>{if(t==="keychain"||!(i instanceof w))throw i;let a=r.record();a?.place==="keychain"&&e.note(`The earlier session ${a.name} is in the keychain, which can't be reached; it expir\
es on ${y(a.expiresAt)}.`)});return[o,n].filter(i=>i!==void 0)}async function $e(e,r,t,o){try{await E(e,r.host,t)}catch(n){e.note(`The earlier session ${t.name} could not be revoked (${n.message}); it\
 expires on ${y(t.expiresAt)}.`)}t.place!==o&&await r.remove(t.place).catch(n=>{e.note(`The earlier session ${t.name} is still in the ${t.place} (${n.message}).`)})}async function Oe(e,r,{code:t,verifier:o}){
var p=[];try{let n=C(p,await _(e,r),!0);let i=()=>n.client.call("exchangeCliAuthorizationCode",{body:{code:t,code_verifier:o}});let a=!1;try{let{data:s}=await i().catch(h=>{if(a=K(h),a)return i();throw h}),
g=M(s);if(g===void 0)throw Ge();return x(g.apiKey),g}catch(s){throw K(s)||a&&ce(s)?Me(s):ce(s)?Le(s):s}}catch(m){var f=m,l=!0}finally{var c=D(p,f,l);c&&await c}}function ce(e){return e instanceof Error&&
e.name==="ApiError"&&e.status===400}function Le({requestId:e}){return new d({code:"invalid_grant",message:"The code is no longer valid: it was used, has expired, or belongs to another login.",hint:S,status:400,
requestId:e})}function Me(e){return new d({code:"outcome_unknown",message:`The host answered the login, but its answer was lost (${e.message}).`,hint:"Run perp login to start over. If a session was cr\
eated, nobody has its credential, and it will expire."})}function Ge(){return new d({code:"bad_answer",message:"The host's answer to the code exchange contains no session.",hint:L})}function _e(){let e=I(
32).toString("base64url");return{verifier:e,challenge:Be(e)}}function Be(e){return j("sha256",e,"base64url")}function Ve(){return I(32).toString("base64url")}async function qe(e,r,t,o){let n=new AbortController,
i=AbortSignal.any([e.signal,n.signal]),a=t.opensBrowser&&q(e.variables)&&await N(t.address,e.variables);Ne(e,t.address,a);let p=r.answer.then(c=>({code:R(c,t.state),isPasted:!1})),m=a?void 0:Ye(e,t.state,
i),f=We(t.maxWaitMs,i),l;try{for(;;){let c=m===void 0?[p,f]:[p,je(m,l),f],{code:s,isPasted:g}=await Promise.race(c).catch(u=>{throw e.signal.aborted?pe(e.signal):u.facts?.exit===A.interrupted?pe():u}),
h=await o(s).catch(u=>{if(!g||u.facts?.code!=="invalid_grant")throw u;l=u,e.io.err(`The host does not accept that code. Paste the address or code of this login.
`)});if(h!==void 0)return h}}finally{n.abort()}}function Ne(e,r,t){if(t&&e.settings.quiet)return;let o=t?"Approve the login in the browser. If no window opened, go to:":"Open this address in a browser\
 and approve the login:",n=t?"":`If the browser is on another machine, it ends at an address that does not load. Paste that address, or its code.
`;e.io.err(`${o}

  ${r}

${n}`)}async function*Ye(e,r,t){for await(let o of ze(e,t)){let n=Xe(e,o,r);n!==void 0&&(yield n)}}async function je(e,r){let{value:t,done:o}=await e.next();if(o!==!0)return{code:t,isPasted:!0};if(r!==
void 0)throw r;return new Promise(()=>{})}function Xe(e,r,t){try{let o=Z(r,t);return o===void 0&&e.io.err(`That is neither a code nor the address where the browser ended.
`),o}catch(o){if(o.facts?.code!=="state_mismatch")throw o;e.io.err(`That address belongs to another login. Paste the address of this login.
`);return}}async function*ze(e,r){if(e.io.stdinIsTerminal&&e.io.stderrIsTerminal)for(;;)yield await e.outside.prompts.secret("Code or address (not shown)",r);let t=X({input:e.io.input(),signal:r});try{
yield*t}finally{t.close()}}async function We(e,r){throw await z(e,void 0,{signal:r}),new d({code:"login_timeout",message:`The login was not approved within ${O(e)}. No access was granted.`,hint:S})}function pe(e){
let r=e?.reason?.facts?.code==="terminated";return $("The login was interrupted. Nothing was stored.",r?"SIGTERM":"SIGINT")}                                                                                         

return{approvedSession:qe,challengeOf:Be,logIn:Dt,newPkce:_e,newState:Ve}})