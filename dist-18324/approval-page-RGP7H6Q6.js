(function(use,load,meta,require){"use strict";use("chunk-NLL2ICG2.js");use("chunk-FJ7EUSIS.js");use("chunk-ORIE4NLH.js");use("chunk-N2EFIBC6.js");use("chunk-6Q25PMO6.js");use("chunk-2COXTXI7.js");const {a:h}=use("chunk-R7NNUDXT.js");use("chunk-ZQR2XEI6.js");use("chunk-BCETIKKZ.js");use("chunk-TVPILZ7V.js");use("chunk-C3UGTXL4.js");use("chunk-T46WLBWL.js");use("chunk-WPAXU3OW.js");const {i:u}=use("chunk-QV5JACLC.js");const {b:c}=use("chunk-SXEH32IS.js");use("chunk-XXKGL3XC.js");use("chunk-VQDHJA7K.js");use("chunk-35VHSSJ7.js");use("chunk-OYAVDRFR.js");use("chunk-RU3MTBED.js");use("chunk-C3ANIK54.js");use("chunk-HDEVVJVD.js");use("chunk-2XDJ33NK.js");use("chunk-MQL63B4K.js");use("chunk-73EEFHGB.js");use("chunk-MGNB5FHG.js");use("chunk-BXOJXHV4.js");use("chunk-J7V3OSRK.js");use("chunk-FOSHI5BB.js");use("chunk-55T4UJIW.js");use("chunk-X7LU7ZOO.js");use("chunk-7VWHLLZN.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                        
                                                                                                                                                                                    
                                                                                                                                                                                                
                                                                                                                                                                        
                                                                                                                                                                        
                                                                                                                var D,l=()=>D??=require                 ("node:crypto");var a=(...e)=>l().randomBytes(...e);var f=(...e)=>l().timingSafeEqual(...e);var y=(...e)=>l().hash(...e);var L=5*6e4,x=10*6e4,C=100;function I(e){let t=n=>{let[m="",...R]=e.getAll(n);return R.length===0?m:""},[o,r,i]=[t("code_challenge"),t("redirect_uri"),t("state")];return t("response_type")!=="code"?{problem:"\
It does not request a code (response_type)."}:t("code_challenge_method")!=="S256"?{problem:"It does not use PKCE with S256."}:/^[A-Za-z0-9_-]{43}$/.test(o)?U(r)?i===""||i.length>512?{problem:"Its stat\
e is missing or has more than 512 characters."}:{challenge:o,redirectUri:r,state:i,deviceName:E(t("device_name"))}:{problem:"It would send the answer to another machine."}:{problem:"Its code_challenge\
 is not an S256 challenge."}}function U(e){return/^http:\/\/(127\.0\.0\.1|\[::1\]|localhost):\d{1,5}(\/[A-Za-z0-9._~/-]*)?$/.test(e)?URL.canParse(e):!1}function E(e){return[...e.replace(/[\p{C}\p{Zl}\p{Zp}]/gu,
"").trim()].slice(0,64).join("")||"Unnamed device"}var d=class{#e;#t=new Map;#o=new Map;constructor(t){this.#e=t}ask(t){let o=this.#e.wallTime();for(let[n,{expiresAt:m}]of this.#t)m<=o&&this.#t.delete(
n);this.#t.size>=C&&this.#t.delete(this.#t.keys().next().value);let r=a(32).toString("base64url"),i=a(32).toString("base64url");return this.#t.set(r,{login:t,cookieHash:c(i),expiresAt:o+x}),{token:r,cookie:i}}isAnswered(t){
let o=this.#e.wallTime();for(let[r,i]of this.#o)i<=o&&this.#o.delete(r);return this.#o.has(w(t))}take(t,o){let r=this.#t.get(t);if(r===void 0||!K(c(o),r.cookieHash))return null;this.#t.delete(t);let i=this.#e.
wallTime();return r.expiresAt<=i||this.isAnswered(r.login)?null:(this.#o.set(w(r.login),i+x),r.login)}grant({challenge:t,deviceName:o}){let r=a(32).toString("base64url"),i=this.#e.wallTime();return this.#e.
write(({store:n})=>{n.credentials.dropExpiredCodes(i),n.credentials.addCode({hash:c(r),challenge:t,owner:h,deviceName:o,expiresAt:i+L,usedAt:null,sessionHash:null})}),r}};function A({redirectUri:e,state:t},o){
let r=new URL(e);for(let[i,n]of Object.entries({...o,state:t}))r.searchParams.set(i,n);return r.href}function K(e,t){return e.length===t.length&&f(Buffer.from(e),Buffer.from(t))}var w=({challenge:e,state:t,
redirectUri:o})=>JSON.stringify([e,t,o]),S=e=>`perp_approval_${e.slice(0,8)}`,v=class{#e;#t;#o;constructor(t,o){this.#e=t,this.#t=new d(t),this.#o=o}async handle(t,o){let r=this.#o?.admit(t.socket.remoteAddress??
"",performance.now())??0;r>0?p(o,429,s("Too many requests. Wait a minute."),{"retry-after":String(r)}):t.method==="GET"?this.#r(t,o):t.method==="POST"?await this.#i(t,o):p(o,405,s("This page only acce\
pts GET and POST."),{allow:"GET, POST"})}#r(t,o){let r=I(new URL(t.url??"","http://localhost").searchParams);if("problem"in r){p(o,400,s(r.problem));return}if(this.#t.isAnswered(r)){p(o,410,s("This lo\
gin was already answered. You can close this window."));return}let{token:i,cookie:n}=this.#t.ask(r);p(o,200,_(r.deviceName,i),{"content-security-policy":H(new URL(r.redirectUri).origin),"set-cookie":`${S(
i)}=${n}; Path=/cli/authorize; HttpOnly; SameSite=Strict; Max-Age=600`})}async#i(t,o){if(!$(t)){p(o,403,s("This answer did not come from the approval page."));return}let r=await u(t),i=new URLSearchParams(
"text"in r?r.text:""),n=i.get("token")??"",m=this.#t.take(n,T(t,n));m===null?p(o,403,s("This page was already answered, or has expired.")):await this.#n(m,i.get("decision")==="approve",o)}async#n(t,o,r){
let i=o?{code:this.#t.grant(t)}:{error:"access_denied"};await this.#e.store.unsynced(),r.writeHead(303,{location:A(t,i),...b,"content-length":0}),r.end()}},b={"cache-control":"no-store","referrer-poli\
cy":"same-origin","x-content-type-options":"nosniff","x-frame-options":"DENY"};function $({headers:e}){let t=e.host===void 0?null:`http://${e.host}`;return e.origin===t&&(e["sec-fetch-site"]??"same-or\
igin")==="same-origin"}function T({headers:e},t){let o=`${S(t)}=`;return(e.cookie??"").split(/;\s*/).find(i=>i.startsWith(o))?.slice(o.length)??""}function p(e,t,o,r={}){e.writeHead(t,{"content-type":"\
text/html; charset=utf-8","content-length":Buffer.byteLength(o),"content-security-policy":H(null),...b,...r}),e.end(o)}var k=`
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 12vh auto; max-width: 30rem; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1.2rem; margin: 1.5rem 0; }
dt { opacity: .7; }
dd { margin: 0; overflow-wrap: anywhere; }
form { display: flex; gap: .8rem; margin-top: 1.8rem; }
button { font: inherit; padding: .55rem 1.3rem; border-radius: .4rem; border: 1px solid; cursor: pointer; }
button[value=approve] { background: #1a6b3c; border-color: #1a6b3c; color: #fff; }
`;function H(e){let t=y("sha256",k,"base64"),o=e===null?"'none'":`'self' ${M(e)}`;return`default-src 'none'; style-src 'sha256-${t}'; form-action ${o}; frame-ancestors 'none'; base-uri 'none'`}function M(e){
return e.includes("[")?"http:":e}function _(e,t){return P("Allow this command line to log in?",`<p>A command line on this machine wants to log in to the simulated exchange.</p>
<dl>
<dt>Device</dt><dd id="device">${g(e)}</dd>
<dt>It may</dt><dd>see and trade every account you own here</dd>
<dt>For</dt><dd>30 days, or until <code>perp logout</code></dd>
</dl>
<p>If you did not just run <code>perp login</code>, deny this.</p>
<form method="post" action="/cli/authorize">
<input type="hidden" name="token" value="${g(t)}">
<button name="decision" value="approve">Approve</button>
<button name="decision" value="deny">Deny</button>
</form>`)}function s(e){return P("This login can't continue",`<p id="problem">${g(e)}</p><p>Nothing was granted. Run <code>perp login</code> to start again.</p>`)}function P(e,t){return`<!doctype html\
>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${e} \xB7 perp</title><style>${k}</style></head>
<body>
<h1>${e}</h1>
${t}
</body>
</html>
`}var O={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;","'":"&#39;"};function g(e){return e.replace(/[&<>"']/g,t=>O[t])}                                          

return{ApprovalPages:v,Approvals:d}})