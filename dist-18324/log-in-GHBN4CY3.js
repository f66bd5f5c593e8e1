(function(use,load,meta,require){"use strict";const {b:T,c:I}=use("chunk-7KTDNJAF.js");const {b:G,d:N,e:V}=use("chunk-MCA5GUH3.js");const {a:q,b:B}=use("chunk-HIHQNCVX.js");use("chunk-3QKAVO3O.js");use("chunk-NELMPA2W.js");const {a:w,c:E,d:M,h:_}=use("chunk-FGCUC6Y6.js");use("chunk-B76R5DZG.js");use("chunk-QOBZWUIP.js");use("chunk-R4DLC7YJ.js");use("chunk-VA6MFGRR.js");const {R:x,aa:y,ca:L,d:F,e:l,i:$,ob:O}=use("chunk-AFUPYCZE.js");const {e:k,f:D}=use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                
                                                                                                                                                                             
                                                                                                                                                                var de,Y=()=>de??=require                 ("node:crypto");var K=(...e)=>Y().randomBytes(...e);var j=(...e)=>Y().hash(...e);var me,le=()=>me??=require                 ("node:readline");var z=(...e)=>le().createInterface(...e);var ue,fe=()=>ue??=require                 ("node:timers/promises"),ge=e=>fe()[e],W=ge("setTimeout");var he,X=()=>he??=require                 ("node:crypto");var J=(...e)=>X().timingSafeEqual(...e);var v=(...e)=>X().hash(...e);var xe,ye=()=>xe??=require                 ("node:http"),we=e=>ye()[e];var Q=we("createServer");var b="127.0.0.1",Z="/callback",H=class e{redirectUri;answer;#e;#r;#t;#o;constructor(r,t){this.#e=r,this.#r=t,this.redirectUri=`http://${b}:${r.address().port}${Z}`,this.answer=new Promise(o=>{this.#o=
o}),r.on("request",(o,n)=>this.#n(o,n))}static async open(r,t=0){let o=Q({headersTimeout:5e3,requestTimeout:5e3,maxHeaderSize:16384});return o.on("clientError",(n,i)=>i.destroy()),await new Promise((n,i)=>{
o.once("error",a=>i(Se(a))),o.listen(t,b,n)}),new e(o,r)}async close(r=R,{leavePage:t}={}){if(!this.#e.listening)return;this.#t!==void 0&&(S(this.#t,r),t!==void 0&&await t(this.#e,re(ee)));let o=new Promise(
n=>this.#e.close(()=>n()));this.#t===void 0?this.#e.closeAllConnections():(this.#e.closeIdleConnections(),setTimeout(()=>this.#e.closeAllConnections(),1e3).unref()),await o}#n(r,t){let o=URL.parse(r.url??
"",this.redirectUri);if(o?.pathname!==Z||!ve(r,this.redirectUri)){S(t,be);return}if(this.#t!==void 0){S(t,ee);return}if(!this.#r(o.searchParams)){S(t,Pe);return}this.#t=t,this.#o(o.searchParams)}};function ve({
method:e,headers:r},t){if(e!=="GET"||r.host!==new URL(t).host)return!1;let{"sec-fetch-mode":o="navigate","sec-fetch-dest":n="document"}=r;return o==="navigate"&&n==="document"}function S(e,r){let{status:t,
headers:o,html:n}=re(r);e.writeHead(t,o).end(e.req.method==="HEAD"?"":n)}function re(e){let r=Ce(e),t={...He,"content-length":`${Buffer.byteLength(r)}`};return{status:e.status,headers:t,html:r}}function Se(e){
let r=e.code==="EADDRINUSE";return new l({code:r?"port_taken":"no_receiver",message:r?`The port on ${b} for the browser's answer is in use.`:`Can't listen on ${b} for the browser's answer: ${e.message}\
.`,hint:r?"Run perp login again; it picks another port.":"Log in on a machine that allows it, or use PERP_API_KEY."})}var oe={status:200,title:"You are logged in",text:"You can close this window and r\
eturn to the terminal."},R={status:400,title:"You are not logged in",text:"The terminal shows the reason. You can close this window."},ee={status:410,title:"This login was already answered",text:"The \
terminal shows how it ended. You can close this window."},Pe={status:400,title:"This answer is for another login",text:"The login in the terminal is not affected and is still waiting for its own answe\
r. You can close this window."},be={status:404,title:"Not found",text:"This address only accepts the answer to one login."},ne=`
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 12vh auto; max-width: 30rem; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; }
`,He={"content-type":"text/html; charset=utf-8","content-security-policy":`default-src 'none'; style-src 'sha256-${v("sha256",ne,"base64")}'; form-action 'none'; frame-ancestors 'none'; base-uri 'none\
'`,"cache-control":"no-store","referrer-policy":"no-referrer","cross-origin-opener-policy":"same-origin","x-content-type-options":"nosniff","x-frame-options":"DENY",connection:"close"};function Ce({title:e,
text:r}){return`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${e} \xB7 perp</title><style>${ne}</style></head>
<body>
<h1>${e}</h1>
<p>${r}</p>
</body>
</html>
`}var C="Run perp login to start over.";function U(e,r){let t=P(e,"state");return t!==void 0&&De(t,r)}function A(e,r){if(!U(e,r))throw new l({code:"state_mismatch",message:"The answer belongs to anoth\
er login (its state differs), so it was not used.",hint:"If it came from an older browser window, close it and run perp login again. Otherwise, a web page tried to log you in."});let t=P(e,"error");if(t===
"access_denied")throw new l({code:"access_denied",message:"The login was denied in the browser. No access was granted."});if(t!==void 0)throw te(t,P(e,"error_description"));let o=P(e,"code");if(o===void 0||
!se(o))throw te("no code",void 0);return x(o),o}function ie(e,r){let t=e.trim(),o=/^https?:\/\//i.test(t)?URL.parse(t)?.searchParams:ke(t)?new URLSearchParams(t):void 0;if(o!==void 0)return o.has("cod\
e")||o.has("error")?A(o,r):void 0;if(!(!se(t)||t.includes("://")))return x(t),t}function ke(e){return/^\??([\w.-]+=[^&\s]*)(&[\w.-]+=[^&\s]*)+$/.test(e)}function se(e){return/^[\x21-\x7e]{4,2048}$/.test(
e)}function P(e,r){let t=e.getAll(r);return t.length===1?t[0]:void 0}function De(e,r){return J(v("sha256",e,"buffer"),v("sha256",r,"buffer"))}function te(e,r){let t=[e,r].filter(o=>o!==void 0).join(":\
 ");return new l({code:"login_refused",message:`The approval page did not grant the login (${t.slice(0,200)}).`,hint:C})}async function ft(e,r){var d=[];try{let{login:t,place:o}=r;let n=k(d,V(e.variables));let i=new _(t,e.variables);await i.check(o).catch(s=>{throw s instanceof w?E(s,"store the login"):s});let a=await Ie(
e,i,o);let p={...await Ee(e,i,r),place:o};i.remember(p);for(let s of a)await Ke(e,i,s,o);return p}catch(u){var m=u,c=!0}finally{D(d,m,c)}}async function Ee(e,r,t){let{page:o,deviceName:n,opensBrowser:i,
maxWaitMs:a}=t,p=$e(),d=await H.open(m=>{let c=U(m,p);return c||e.note("Ignored an answer to another login; still waiting for this one."),c}),u=R;try{let{verifier:m,challenge:c}=Ae();x(m);let g={address:N(
o,{challenge:c,redirectUri:d.redirectUri,state:p,deviceName:n}),state:p,opensBrowser:i,maxWaitMs:a},f=await Le(e,d,g,pe=>Re(e,r.host,{code:pe,verifier:m}));return await Te(e,r,f,t.place),u=oe,f}finally{
await d.close(u,e.outside)}}async function Te(e,r,t,o){try{await r.keep(t,o)}catch(n){let i=await T(e,r.host,t).then(()=>!0,()=>!1);throw e.note(i?"The new session could not be stored, so it was revok\
ed.":`The new session ${t.name} could neither be stored nor revoked; it expires on ${y(t.expiresAt)}.`),n instanceof w?E(n,"store the login"):n}}async function Ie(e,r,t){let o=await r.in("file"),n=await r.
in("keychain").catch(i=>{if(t==="keychain"||!(i instanceof w))throw i;let a=r.record();a?.place==="keychain"&&e.note(`The earlier session ${a.name} is in the keychain, which can't be reached; it expir\
es on ${y(a.expiresAt)}.`)});return[o,n].filter(i=>i!==void 0)}async function Ke(e,r,t,o){try{await T(e,r.host,t)}catch(n){e.note(`The earlier session ${t.name} could not be revoked (${n.message}); it\
 expires on ${y(t.expiresAt)}.`)}t.place!==o&&await r.remove(t.place).catch(n=>{e.note(`The earlier session ${t.name} is still in the ${t.place} (${n.message}).`)})}async function Re(e,r,{code:t,verifier:o}){
var p=[];try{let n=k(p,await G(e,r),!0);let i=()=>n.client.call("exchangeCliAuthorizationCode",{body:{code:t,code_verifier:o}});let a=!1;try{let{data:s}=await i().catch(h=>{if(a=I(h),a)return i();throw h}),
g=M(s);if(g===void 0)throw new l({code:"bad_answer",message:"The host's answer to the code exchange contains no session.",hint:O});return x(g.apiKey),g}catch(s){throw I(s)||a&&ae(s)?Ue(s):ae(s)?new l(
{code:"invalid_grant",message:"The code is no longer valid: it was used, has expired, or belongs to another login.",hint:C,status:400,requestId:s.requestId}):s}}catch(d){var u=d,m=!0}finally{var c=D(p,
u,m);c&&await c}}function ae(e){return e instanceof Error&&e.name==="ApiError"&&e.status===400}function Ue(e){return new l({code:"outcome_unknown",message:`The host answered the login, but its answer \
was lost (${e.message}).`,hint:"Run perp login to start over. If a session was created, nobody has its credential, and it will expire."})}function Ae(){let e=K(32).toString("base64url");return{verifier:e,
challenge:Fe(e)}}function Fe(e){return j("sha256",e,"base64url")}function $e(){return K(32).toString("base64url")}async function Le(e,r,t,o){let n=new AbortController,i=AbortSignal.any([e.signal,n.signal]),
a=t.opensBrowser&&q(e.variables)&&await B(t.address,e.variables);Oe(e,t.address,a);let p=r.answer.then(c=>({code:A(c,t.state),isPasted:!1})),d=a?void 0:Me(e,t.state,i),u=Ge(t.maxWaitMs,i),m;try{for(;;){
let c=d===void 0?[p,u]:[p,_e(d,m),u],{code:s,isPasted:g}=await Promise.race(c).catch(f=>{throw e.signal.aborted?ce(e.signal):f.facts?.exit===F.interrupted?ce():f}),h=await o(s).catch(f=>{if(!g||f.facts?.
code!=="invalid_grant")throw f;m=f,e.io.err(`The host does not accept that code. Paste the address or code of this login.
`)});if(h!==void 0)return h}}finally{n.abort()}}function Oe(e,r,t){if(t&&e.settings.quiet)return;let o=t?"Approve the login in the browser. If no window opened, go to:":"Open this address in a browser\
 and approve the login:",n=t?"":`If the browser is on another machine, it ends at an address that does not load. Paste that address, or its code.
`;e.io.err(`${o}

  ${r}

${n}`)}async function*Me(e,r,t){for await(let o of Be(e,t)){let n=qe(e,o,r);n!==void 0&&(yield n)}}async function _e(e,r){let{value:t,done:o}=await e.next();if(o!==!0)return{code:t,isPasted:!0};if(r!==
void 0)throw r;return new Promise(()=>{})}function qe(e,r,t){try{let o=ie(r,t);return o===void 0&&e.io.err(`That is neither a code nor the address where the browser ended.
`),o}catch(o){if(o.facts?.code!=="state_mismatch")throw o;e.io.err(`That address belongs to another login. Paste the address of this login.
`);return}}async function*Be(e,r){if(e.io.stdinIsTerminal&&e.io.stderrIsTerminal)for(;;)yield await e.outside.prompts.secret("Code or address (not shown)",r);let t=z({input:e.io.input(),signal:r});try{
yield*t}finally{t.close()}}async function Ge(e,r){throw await W(e,void 0,{signal:r}),new l({code:"login_timeout",message:`The login was not approved within ${L(e)}. No access was granted.`,hint:C})}function ce(e){
let r=e?.reason?.facts?.code==="terminated";return $("The login was interrupted. Nothing was stored.",r?"SIGTERM":"SIGINT")}                                                                                         

return{approvedSession:Le,challengeOf:Fe,logIn:ft,newPkce:Ae,newState:$e}})