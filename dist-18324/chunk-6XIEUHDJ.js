(function(use,load,meta,require){"use strict";const {a:T}=use("chunk-WNNI7UKA.js");const {Ml:R,d:h,dd:C,g:l,i:p,ke:v,kf:k,oa:g,of:S,pa:w,qa:y,re:b,te:O}=use("chunk-AFUPYCZE.js");
                                                                                                                                                                              var x=class{#i;#s;#n;#o;#e="";#r;#t=!1;constructor(e,i){this.#i=e,this.#s=i}get isIdle(){return this.#n===void 0}run(e,i,t,o=m){this.#n===void 0&&(this.#e="",this.#r=void 0,this.#n=o(this.#i,e,i,{columns:t,
print:s=>{this.#e+=s,this.#s({stage:"running",text:e,output:this.#e})},ask:async s=>await this.#a(e,s)==="y",askLine:s=>this.#a(e,s,""),propose:s=>{this.#r=s}}),this.#n.then(s=>{if(this.#t)return;this.#n=
void 0;let r=o!==m&&s===h.done;this.#s(r?void 0:{stage:"done",text:e,output:this.#e})}))}async runArmed(e,i,t){if(this.#n!==void 0||this.#t)return;this.#e="";let o=0,s=m(this.#i,e,i,{columns:100,print:d=>{
this.#e+=d},ask:async()=>(o++===0&&(this.#e=""),!this.#t&&t.isArmed()),askLine:async()=>"",refuse:t.refuse});this.#n=s;let r=await s,u=this.#e;return this.#t||(this.#n=void 0,this.#e=""),{printed:u,exit:r}}answer(e){
this.#o?.(e)}async end(){this.#t=!0,this.#o?.("");let e=await this.#n;if(e!==void 0)return this.#i.io.err(this.#e),this.#e="",e===h.outcomeUnknown?e:void 0}async#a(e,i,t){if(this.#t)return"";let{promise:o,
resolve:s}=Promise.withResolvers();this.#o=s,this.#s({stage:"asking",text:e,output:this.#e,question:i,isShown:!1,order:this.#r,...t!==void 0&&{typed:t}});let r=await o;return this.#o=void 0,this.#e=`${i}${t===
void 0?` ${r==="y"?"yes":"no"}`:`: ${r}`}

`,r}},$=new Set(["order","stop","target","plan","positions","twap","scaled","reverse","flatten","cancel-all","close-all","quote","accounts","fills","markets","pending"]),E=new Set(["account","dryRun",
"new"]);async function m(n,e,i,t){try{let{path:o,input:s,globals:r}=await D(n,e,t.place),u=P(n,I(n.settings,r,i,t.refuse!==void 0),{path:o,input:s},t),d=await n.registry.load(o);try{let a=await d.run(
u,s);return await k(u,a),a.exit??h.done}catch(a){let c=await u.memory.diagnosed(a);throw g(c,S(u),u.settings,O(d)),c}finally{await F(u)}}catch(o){return G(o,t)}}function G(n,e){let i=w(n);return e.print(
y(i,!1,e.columns)),i.exit}function z(n,e,i){let t=I(n.settings,{},e,!1);return P(n,t,{path:"watch",input:{}},i)}async function D(n,e,i="on the live screen"){let t=T(e),[o=""]=t[0]==="perp"?t.splice(0,
1)&&t:t,s=(await n.lineReader()).read(t);if(!$.has(o))throw l(`perp ${o} can't be used ${i}.`,"Run it in another terminal.");let{input:r,globals:u}=s;if(r.watch===!0||r.wait===!0)throw l("--wait and -\
-watch are not needed here.","The screen shows every change.");let d=Object.keys(u).find(a=>!E.has(a));if(d!==void 0)throw l(`--${b(d)} can't be used ${i}.`,"Omit it.");return s}function I(n,e,i,t){return{
...n,account:e.account??i??n.account,accountFrom:"--account",output:"table",yes:!1,quiet:!1,dryRun:e.dryRun===!0,fresh:e.new===!0,confirmLive:t?"ask":n.confirmLive,idempotencyKey:void 0}}function P(n,e,i,t){
let{registry:o,lineReader:s}=n,r={async open(){let a=await n.access();return a.intents.isDeliberate=e.fresh,a.intents.given=i,a},async call(a,c,f){return L(a)&&t.refuse?.(a,c),f(c)}},u=W(n.outside,t),
d=()=>n.signal;return new R({settings:e,registry:o,lineReader:s,outside:u,interruption:d,palette:v,way:r})}async function F(n){let{intents:e}=await n.access();e.shown(),e.flush()}function L(n){return C[n]?.
scope==="trade"}function W(n,{columns:e,print:i,ask:t,askLine:o,propose:s}){let r=()=>{throw l("Something is missing in the command.","Type it, such as: order place BTC buy 0.05")};return{...n,io:{...{
stdinIsTerminal:!0,stdoutIsTerminal:!0,stderrIsTerminal:!1},columns:e,stderrColumns:e,out:i,err:i,changes:()=>n.io.changes?.(),input:r},prompts:{confirm:async a=>{if(await t(a))return!0;throw p("Nothi\
ng was sent.")},...s!==void 0&&{propose:s},secret:r,choose:r,line:async(a,c)=>{let f=await o(a);return c(f)===void 0?f:""}}}}                                    

return{a:x,b:m,c:G,d:z}})