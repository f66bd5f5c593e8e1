(function(use,load,meta,require){"use strict";const {a:y}=use("chunk-5JJBME2L.js");const {b:f,d:g}=use("chunk-EEQUAKMD.js");const {a:c}=use("chunk-UEKKPDH4.js");const {b:a}=use("chunk-FOCBJV43.js");const {$h:h,bi:u,qi:l}=use("chunk-AFUPYCZE.js");
                                                                                                                                                                                      
                                          var S=6e4,k={staleMs:25e3,deadMs:45e3},w=5e3,v=class{#t;#n;#i;#d;#o=null;#s=0;#p=0;#m=!1;#r=new Set;#e=!1;constructor(t){this.#t=t,this.#n=t.timing??c;let{firstRetryMs:i=1e3}=t,n={firstMs:i,longestMs:S,
raceMs:null};this.#i=new a(this.#n,n,{open:o=>this.#a(o),opened(){},lost:(o,s)=>this.#w(s),replacementLost(){},takesOver:()=>!1,promoted(){}}),this.#i.open()}close(){this.#e=!0,this.#i.close()}#a(t){let{
transport:i,path:n,onState:o,silence:s=k}=this.#t,p=!1,m=()=>p&&this.#m;return new y(i,n+this.#f(),this.#n,s,{opened:r=>{t.opened();let d=r?.["x-sim-run"];d!==void 0&&!this.#e&&this.#c(d)},stale:r=>o?.(
{kind:"stale",silentMs:r}),revived:()=>{m()&&o?.({kind:"live"})},frame:r=>{let d=f(r);if(d!==void 0||this.#e)return d;p||=r.type==="hello",this.#g(L(r))},lost:r=>t.lost({...r,greeted:p})})}#c(t){this.#d!==
void 0&&this.#d!==t&&(this.#r.clear(),this.#o=null,this.#p=0),this.#d=t,this.#t.onRun?.(t)}#f(){if(this.#o===null||!this.#m)return"";let t={resume:this.#o,last_seq:String(this.#s),since:String(this.#p)};
return`?${new URLSearchParams(t)}`}#g(t){if(t.type==="hello")this.#y(t);else if("seq"in t&&!this.#v(t))return;g(t.type)&&(t.type==="snapshot_end"&&(this.#m=!0),(t.type!=="fill"||this.#S(t.fill.id))&&this.#t.
onFrame(t),(t.type==="snapshot_end"||t.type==="hello"&&t.resumed)&&this.#t.onState?.({kind:"live"}),t.type==="reconnect"&&this.#k())}#y({stream_id:t,resumed:i}){this.#o=t,i!==!0&&(this.#m=!1,this.#s=0)}#v(t){
return t.seq===void 0?!0:t.seq<=this.#s&&t.type!=="snapshot"?!1:(this.#s=t.seq,this.#p=t.time??this.#p,!0)}#S(t){return this.#r.has(t)?!1:(this.#r.add(t),this.#r.size>w&&this.#r.delete(this.#r.values().
next().value),!0)}#k(){this.#i.drop();let t={code:l.goingAway,reason:"the service asked for it"};this.#h(t,this.#i.openIn(this.#n.random()*100))}#w(t){let{code:i,reason:n,greeted:o,retryAfterMs:s}=t;if(i===
l.unauthorized){let m=n===""?"the credential was revoked or expired":n;this.#u(new h(`The service closed the account stream: ${m}.`,{code:i}));return}i===l.takenOver&&(this.#o=null),o&&i!==l.malformed&&
this.#i.worked(),s!==void 0&&this.#i.holdOff(s);let{probe:p}=this.#t;o||p===void 0?this.#l(t):p().then(()=>this.#l(t),m=>this.#u(m))}#l(t){this.#e||this.#h(t,this.#i.retry())}#h(t,i){this.#t.onState?.(
u(t,i))}#u(t){this.#e||(this.close(),this.#t.onEnd(t))}};function L(e){return e.type!=="snapshot"||e.account_id!==void 0?e:{...e,account_id:e.account.id}}               

return{a:v}})