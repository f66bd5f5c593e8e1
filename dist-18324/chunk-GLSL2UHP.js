(function(use,load,meta,require){"use strict";const {a:j}=use("chunk-RMTNTQHR.js");const {b:_}=use("chunk-B76R5DZG.js");const {Hi:M,Kl:K,Ml:E,dd:F,di:D,e:T,fi:I,i:P,ke:O,me:R}=use("chunk-AFUPYCZE.js");const {e:x,f:v}=use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                               
                                               var z=6e4,g=class{#t;value(o){let r=performance.now();if(this.#t===void 0||r-this.#t.at>z){let e=o();this.#t={at:r,value:e},e.catch(()=>{this.#t=void 0})}return this.#t.value}forget(){this.#t=void 0}},
C=class extends K{#t;constructor(o,r){super({isHost:o}),this.#t=r}once(o,r){return o==="markets"?this.#t.value(r):super.once(o,r)}};function pt(t,{account:o,idempotencyKey:r,canceled:e,sends:n}){let d=n?
new AbortController().signal:e,{registry:s,lineReader:m,outside:a,settings:i}=t.console,p={...i,account:o??i.account,accountFrom:o===void 0?i.accountFrom:"--account",idempotencyKey:r,floorCheck:"refus\
e",output:"table",dryRun:!1,yes:!0,quiet:!1},c=new Set,y=new j,u=new C(p.environment!=="sim",t.markets),w=new R(p,a,{hears:k=>c.add(k),knowsWhere:!0}),h=J(t,u,y),A=()=>d,f=O;return{console:new E({settings:p,
registry:s,lineReader:m,outside:a,interruption:A,palette:f,memory:u,person:w,way:h}),get notes(){return[...c]},foreign:y,get terms(){return t.terms()},stopIfCanceled(){if(e.aborted)throw P("The call w\
as canceled before anything was sent.")}}}function J(t,o,r){return{open:()=>t.access(),async call(e,n,d){if(t.mandate===void 0&&!G(e))throw X();try{let s=()=>U(t,e,n)?t.console.call(e,n):d(n),m=await t.
access(),a=await s().catch(async i=>{if(!await t.reopened?.(m,i))throw i;return s()});return Q(t,o,e),r.learn(a.body),a}catch(s){let{name:m,message:a,details:i}=s;throw m==="ApiError"&&r.learn({message:a,
details:i}),s}},saw:e=>r.learn(e)}}function Q(t,o,r){let{run:e}=t.console.memory,n=o.run;if(!(e===void 0||e===n)&&(o.tookRun(e),n!==void 0&&G(r)))throw new T({code:"another_run",message:D,hint:"Call t\
he tool again."})}function U(t,o,r){let e=t.accounts?.();if(e===void 0||!V.has(o))return!1;let n=r.query?.account_id;return n===void 0||e.includes(n)}var V=new Set(["simStatus","simMarks","simListFill\
s","simListPayments"]);function G(t){return{...F,...M}[t].method==="GET"}function X(){return new T({code:"read_only",message:"These tools can only read: perp mcp was started without a mandate and with\
out a gate. Nothing was sent.",hint:"A person signs a mandate on a terminal (perp mandate sign) and starts perp mcp with --mandate FILE. No argument of a tool changes this."})}function ct(t){let o=()=>t.
access(),r=new g,e;return{console:t,markets:r,mandate:void 0,terms:()=>{},access:o,async reopened(n,d){let{status:s,code:m}=d,a=s===401||s===409||m==="no_connection";return t.settings.environment!=="s\
im"?!1:e===void 0&&await o()!==n?!0:e===void 0&&!a?!1:(e??=t.reopen().finally(()=>{e=void 0,r.forget()}),await e,!0)}}}async function dt(t){let o=await t.access(),r=await o.credential?.();if(r===void 0||
!/^gate_(live|test)_/.test(r.text))throw new T({code:"not_a_gate",message:"The credential is not the key of a gate, so nothing would limit an agent there.",hint:"Set the address of perp gate serve and\
 a key of perp gate key add, or use --mandate FILE."});await o.client.call("listAccounts",{});let e={...o,client:o.once};return{console:t,markets:new g,mandate:Y,terms:()=>{},access:async()=>e}}var Y="\
of the gate";async function lt(t,o){var b=[];try{let{Gate:r}=await load  ("./gate-HBFYMHH3.js");let{gateFolder:e}=await load  ("./bots-file-ATW3ZN3R.js");let{MandateFiles:n,takeAccounts:d}=await load  ("./mandate-files-JAQWGPRL.js");
let{mandateText:s}=await load  ("./mandate-file-M4FEMV65.js");let{variables:m}=t;let a=l=>t.note(l);let i=x(b,new AsyncDisposableStack,!0);let p=i.use(new n([o],m,a));let[[c,{accounts:y}]]=[...p.inForce];
let u=await t.access();i.use(d(m,u.destination,y));let w=i.use(await r.open({session:t,mandates:()=>p.inForce,folder:e(m),approvalHoldMs:0,note:a}));let h=w.transport(c);let{timeoutMs:A}=t.settings;let f=_(
{transport:h,retry:{attempts:1,arrivalMs:0},timeoutMs:A,keepsKeys:!0});let k=(l,H)=>w.stream(c,l,H);let L={...u,carrier:{transport:h},client:f,urgent:f,once:f,isInProcess:!0,streams:async()=>({market:k,
account:{transport:k,path:I.live}})};let W=i.move();return{console:t,markets:new g,mandate:c,accounts:()=>p.inForce.get(c)?.accounts??[],terms(){let l=p.inForce.get(c);return l&&s(l).trimEnd().split(`\

`)},access:async()=>L,[Symbol.asyncDispose]:()=>W.disposeAsync()}}catch(B){var N=B,q=!0}finally{var S=v(b,N,q);S&&await S}}function ut(t){return t}                                                              

return{a:g,b:pt,c:X,d:ct,e:dt,f:lt,g:ut}})