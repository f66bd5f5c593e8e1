(function(use,load,meta,require){"use strict";use("chunk-FYZMYHMT.js");const {b:h}=use("chunk-DCOUGUKU.js");use("chunk-LYEQCO5K.js");use("chunk-2JAJ2V45.js");use("chunk-G6NDLDFR.js");use("chunk-P6UV3LLU.js");use("chunk-YBTAAL3A.js");const {b:c}=use("chunk-H2FW6HGO.js");use("chunk-AM2K4NXB.js");use("chunk-KBVBNEIN.js");const {m:u}=use("chunk-6NTNUPXR.js");use("chunk-JGSFIJ5T.js");use("chunk-3E5D5CZJ.js");use("chunk-HDEVVJVD.js");use("chunk-QLB3KRDP.js");use("chunk-3UDTZWDL.js");use("chunk-NJZNRZ66.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                    
                                                                                                                                                                                                
                                                                                                                                                                        
                            var D,l=()=>D??=require                 ("node:crypto");var a=(...o)=>l().randomBytes(...o);var f=(...o)=>l().timingSafeEqual(...o);var y=(...o)=>l().hash(...o);var L=5*6e4,x=10*6e4,C=100;function I(o){let t=n=>{let[m="",...R]=o.getAll(n);return R.length===0?m:""},[r,e,i]=[t("code_challenge"),t("redirect_uri"),t("state")];return t("response_type")!=="code"?{problem:"\
It does not request a code (response_type)."}:t("code_challenge_method")!=="S256"?{problem:"It does not use PKCE with S256."}:/^[A-Za-z0-9_-]{43}$/.test(r)?U(e)?i===""||i.length>512?{problem:"Its stat\
e is missing or has more than 512 characters."}:{challenge:r,redirectUri:e,state:i,deviceName:E(t("device_name"))}:{problem:"It would send the answer to another machine."}:{problem:"Its code_challenge\
 is not an S256 challenge."}}function U(o){return/^http:\/\/(127\.0\.0\.1|\[::1\]|localhost):\d{1,5}(\/[A-Za-z0-9._~/-]*)?$/.test(o)?URL.canParse(o):!1}function E(o){return[...o.replace(/[\p{C}\p{Zl}\p{Zp}]/gu,
"").trim()].slice(0,64).join("")||"Unnamed device"}var d=class{#o;#t=new Map;#r=new Map;constructor(t){this.#o=t}ask(t){let r=this.#o.wallTime();for(let[n,{expiresAt:m}]of this.#t)m<=r&&this.#t.delete(
n);this.#t.size>=C&&this.#t.delete(this.#t.keys().next().value);let e=a(32).toString("base64url"),i=a(32).toString("base64url");return this.#t.set(e,{login:t,cookieHash:c(i),expiresAt:r+x}),{token:e,cookie:i}}isAnswered(t){
let r=this.#o.wallTime();for(let[e,i]of this.#r)i<=r&&this.#r.delete(e);return this.#r.has(w(t))}take(t,r){let e=this.#t.get(t);if(e===void 0||!K(c(r),e.cookieHash))return null;this.#t.delete(t);let i=this.#o.
wallTime();return e.expiresAt<=i||this.isAnswered(e.login)?null:(this.#r.set(w(e.login),i+x),e.login)}grant({challenge:t,deviceName:r}){let e=a(32).toString("base64url"),i=this.#o.wallTime();return this.#o.
write(({store:n})=>{n.credentials.dropExpiredCodes(i),n.credentials.addCode({hash:c(e),challenge:t,owner:u,deviceName:r,expiresAt:i+L,usedAt:null,sessionHash:null})}),e}};function A({redirectUri:o,state:t},r){
let e=new URL(o);for(let[i,n]of Object.entries({...r,state:t}))e.searchParams.set(i,n);return e.href}function K(o,t){return o.length===t.length&&f(Buffer.from(o),Buffer.from(t))}var w=({challenge:o,state:t,
redirectUri:r})=>JSON.stringify([o,t,r]),S=o=>`perp_approval_${o.slice(0,8)}`,v=class{#o;#t;#r;constructor(t,r){this.#o=t,this.#t=new d(t),this.#r=r}async handle(t,r){let e=this.#r?.admit(t.socket.remoteAddress??
"",performance.now())??0;e>0?p(r,429,s("Too many requests. Wait a minute."),{"retry-after":String(e)}):t.method==="GET"?this.#e(t,r):t.method==="POST"?await this.#i(t,r):p(r,405,s("This page only acce\
pts GET and POST."),{allow:"GET, POST"})}#e(t,r){let e=I(new URL(t.url??"","http://localhost").searchParams);if("problem"in e){p(r,400,s(e.problem));return}if(this.#t.isAnswered(e)){p(r,410,s("This lo\
gin was already answered. You can close this window."));return}let{token:i,cookie:n}=this.#t.ask(e);p(r,200,_(e.deviceName,i),{"content-security-policy":H(new URL(e.redirectUri).origin),"set-cookie":`${S(
i)}=${n}; Path=/cli/authorize; HttpOnly; SameSite=Strict; Max-Age=600`})}async#i(t,r){if(!$(t)){p(r,403,s("This answer did not come from the approval page."));return}let e=await h(t),i=new URLSearchParams(
"text"in e?e.text:""),n=i.get("token")??"",m=this.#t.take(n,T(t,n));m===null?p(r,403,s("This page was already answered, or has expired.")):await this.#n(m,i.get("decision")==="approve",r)}async#n(t,r,e){
let i=r?{code:this.#t.grant(t)}:{error:"access_denied"};await this.#o.store.unsynced(),e.writeHead(303,{location:A(t,i),...b,"content-length":0}),e.end()}},b={"cache-control":"no-store","referrer-poli\
cy":"same-origin","x-content-type-options":"nosniff","x-frame-options":"DENY"};function $({headers:o}){let t=o.host===void 0?null:`http://${o.host}`;return o.origin===t&&(o["sec-fetch-site"]??"same-or\
igin")==="same-origin"}function T({headers:o},t){let r=`${S(t)}=`;return(o.cookie??"").split(/;\s*/).find(i=>i.startsWith(r))?.slice(r.length)??""}function p(o,t,r,e={}){o.writeHead(t,{"content-type":"\
text/html; charset=utf-8","content-length":Buffer.byteLength(r),"content-security-policy":H(null),...b,...e}),o.end(r)}var k=`
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 12vh auto; max-width: 30rem; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1.2rem; margin: 1.5rem 0; }
dt { opacity: .7; }
dd { margin: 0; overflow-wrap: anywhere; }
form { display: flex; gap: .8rem; margin-top: 1.8rem; }
button { font: inherit; padding: .55rem 1.3rem; border-radius: .4rem; border: 1px solid; cursor: pointer; }
button[value=approve] { background: #1a6b3c; border-color: #1a6b3c; color: #fff; }
`;function H(o){let t=y("sha256",k,"base64"),r=o===null?"'none'":`'self' ${M(o)}`;return`default-src 'none'; style-src 'sha256-${t}'; form-action ${r}; frame-ancestors 'none'; base-uri 'none'`}function M(o){
return o.includes("[")?"http:":o}function _(o,t){return P("Allow this command line to log in?",`<p>A command line on this machine wants to log in to the simulated exchange.</p>
<dl>
<dt>Device</dt><dd id="device">${g(o)}</dd>
<dt>It may</dt><dd>see and trade every account you own here</dd>
<dt>For</dt><dd>30 days, or until <code>perp logout</code></dd>
</dl>
<p>If you did not just run <code>perp login</code>, deny this.</p>
<form method="post" action="/cli/authorize">
<input type="hidden" name="token" value="${g(t)}">
<button name="decision" value="approve">Approve</button>
<button name="decision" value="deny">Deny</button>
</form>`)}function s(o){return P("This login can't continue",`<p id="problem">${g(o)}</p><p>Nothing was granted. Run <code>perp login</code> to start again.</p>`)}function P(o,t){return`<!doctype html\
>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${o} \xB7 perp</title><style>${k}</style></head>
<body>
<h1>${o}</h1>
${t}
</body>
</html>
`}var O={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;","'":"&#39;"};function g(o){return o.replace(/[&<>"']/g,t=>O[t])}                                          

return{ApprovalPages:v,Approvals:d}})