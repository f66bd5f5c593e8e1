(function(use,load,meta,require){"use strict";const {F:d,Ia:p,Kc:T,Ld:b,Nd:_,Ph:O,bi:k,e:f,i:x,im:A,km:S}=use("chunk-KBEGXUNB.js");
                                                                                                                      var W=new Set(["name","client_order_id","message","reason","reject_message","note","tags","tag"]),D=new Set(["environment","mandate","account","account_id","id","position_id","order","market_id","symb\
ol","side","status","stage","type","mode","margin_mode","category","code","rule_id","reject_rule_id","at","by"]),C=/^[\w.:|-]{0,48}$/,M=4,u=class{#e=new Set;learn(e,o=""){if(typeof e=="string")(W.has(
o)||!C.test(e))&&e.length>=M&&this.#e.add(d(e));else if(Array.isArray(e))for(let n of e)this.learn(n,o);else if(p(e))for(let[n,r]of Object.entries(e))this.learn(r,n)}sealed(e,o=""){return typeof e=="s\
tring"?D.has(o)&&C.test(e)?e:this.#n(e):Array.isArray(e)?e.map(n=>this.sealed(n,o)):p(e)?L(e)?{outside_text:d(e.outside_text)}:Object.fromEntries(Object.entries(e).map(([n,r])=>[d(n),this.sealed(r,n)])):
e}#n(e){let o=d(e);for(let n of this.#e)if(o.includes(n))return{outside_text:o};return o}};function Q(t){return typeof t=="string"?{outside_text:t}:t}function L(t){return typeof t.outside_text=="strin\
g"&&Object.keys(t).length===1}var G=6e4,R=class{#e;value(e){let o=performance.now();if(this.#e===void 0||o-this.#e.at>G){let n=e();this.#e={at:o,value:n},n.catch(()=>{this.#e=void 0})}return this.#e.value}forget(){this.#e=void 0}},
g=class extends A{#e;constructor(e,o){super({isHost:e}),this.#e=o}once(e,o){return e==="markets"?this.#e.value(o):super.once(e,o)}};function re(t,{account:e,idempotencyKey:o,canceled:n,sends:r}){let l=r?
new AbortController().signal:n,{registry:i,lineReader:c,outside:a,settings:s}=t.console,m={...s,account:e??s.account,accountFrom:e===void 0?s.accountFrom:"--account",idempotencyKey:o,floorCheck:"refus\
e",output:"table",dryRun:!1,yes:!0,quiet:!1},y=new Set,h=new u,w=new g(m.environment!=="sim",t.markets),F=new _(m,a,{hears:K=>y.add(K),knowsWhere:!0}),j=N(t,w,h),I=()=>l,E=b;return{console:new S({settings:m,
registry:i,lineReader:c,outside:a,interruption:I,palette:E,memory:w,person:F,way:j}),get notes(){return[...y]},foreign:h,get terms(){return t.terms()},stopIfCanceled(){if(n.aborted)throw x("The call w\
as canceled before anything was sent.")}}}function N(t,e,o){return{open:()=>t.access(),async call(n,r,l){if(t.mandate===void 0&&!P(n))throw $();try{let i=()=>B(t,n,r)?t.console.call(n,r):l(r),c=await t.
access(),a=await i().catch(async s=>{if(!await t.reopened?.(c,s))throw s;return i()});return q(t,e,n),o.learn(a.body),a}catch(i){let{name:c,message:a,details:s}=i;throw c==="ApiError"&&o.learn({message:a,
details:s}),i}},saw:n=>o.learn(n)}}function q(t,e,o){let{run:n}=t.console.memory,r=e.run;if(!(n===void 0||n===r)&&(e.tookRun(n),r!==void 0&&P(o)))throw new f({code:"another_run",message:O,hint:"Call t\
he tool again."})}function B(t,e,o){let n=t.accounts?.();if(n===void 0||!J.has(e))return!1;let r=o.query?.account_id;return r===void 0||n.includes(r)}var J=new Set(["simStatus","simMarks","simListFill\
s","simListPayments"]);function P(t){return{...T,...k}[t].method==="GET"}function $(){return new f({code:"read_only",message:"These tools can only read: perp mcp was started without a mandate and with\
out a gate. Nothing was sent.",hint:"A person signs a mandate on a terminal (perp mandate sign) and starts perp mcp with --mandate FILE. No argument of a tool changes this."})}                                     

return{a:Q,b:R,c:re,d:$}})