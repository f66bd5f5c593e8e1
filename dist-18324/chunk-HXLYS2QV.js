(function(use,load,meta,require){"use strict";const {b:g,d:v,f:P,g:b,h:f,i:A,j:S,m:d,n:_}=use("chunk-HRKOIFKX.js");const {Dh:w,Yg:u,Zg:h,_g:c,j:p,vl:y}=use("chunk-AFUPYCZE.js");
                                                                                                                                                                                var N=class{#s;#t;#n;now;#i=()=>{};#c;#e=0;#o=!1;#l=!1;#r=!1;constructor(e,t,s,i=()=>performance.now()){this.#s=e,this.#t=t,this.#n=s,this.now=_(i);let{memory:n}=e;n.run!==void 0&&(t.states={...t.states,
run:n.run}),this.#c=n.onRun(r=>this.#h(r))}async open(){this.stop();let{account:e}=await(await this.#s.access()).streams();if(e===void 0||this.#r)return!1;let t=this.#e,s=()=>this.#r||t!==this.#e,i=await y(
this.#s,e,{onFrame:n=>{s()||(this.#o=!0,this.#t.states=P(this.#t.states,n,this.now()),this.#n.frame?.(n))},onState:n=>{s()||this.#d(n)},onEnd:n=>{s()||(this.#a(),this.#n.ended?.(n))}});return s()?i():
this.#i=i,!0}stop(){this.#i(),this.#i=()=>{},this.#a()}close(){this.#r=!0,this.#c(),this.#i()}forget(){this.#t.states=f(this.#t.states,this.now(),"all")}async read(e,t,s){let[i,n]=[this.now(),this.#e],
{value:r,exchangeAt:l}=await this.#u(e,t,s);if(!(n!==this.#e||this.#r))return this.#t.states=b(this.#t.states,t,e,r,{askedAt:i,exchangeAt:l}),l}async readList(){let e=this.#e,{data:t}=await u(this.#s,
"listAccounts",{}),s=c(t).map(({id:i})=>i);return e===this.#e&&!this.#r&&(this.#t.states=S(this.#t.states,s)),s}async#u(e,t,s){if(e!=="fills")return await F[e](this.#s,t);let i=this.#t.states.accounts.
get(t),n=i&&v(i.parts.fills)?.keys().next().value,r=i?.gap===void 0?n:i.gap.after??void 0;return{value:d(await L(this.#s,t,r??s))}}#d(e){let t=this.#l;e.kind!=="live"&&this.#a(),this.#l=e.kind==="stal\
e",e.kind==="live"&&t&&(this.#o=!0,this.#t.states=A(this.#t.states)),this.#n.state?.(e)}#a(){this.#o&&(this.#o=!1,this.#t.states=f(this.#t.states,this.now()))}#h(e){let{run:t}=this.#t.states;this.#t.states=
t===void 0?{...this.#t.states,run:e}:g(e),t!==void 0&&(this.#e+=1,this.#o=!1,this.#i(),this.#i=()=>{},this.#n.begun?.())}},F={account:async(o,e)=>{let{account:t,time:s}=await k(o,e);return{value:t,exchangeAt:s}},
positions:async(o,e)=>{let{data:t}=await u(o,"listOpenPositions",{query:{account_id:e}});return{value:d(c(t))}},working:async(o,e)=>{let{data:t}=await u(o,"listOrders",{query:{account_id:e,status:"wor\
king"}});return{value:d(c(t))}},parents:async(o,e)=>{let{data:t}=await u(o,"listActiveTwapOrders",{query:{account_id:e}});return{value:c(t).filter(({status:s})=>s!=="completed"&&s!=="canceled")}},policy:async(o,e)=>({
value:await O(o,e)}),copies:async o=>({value:await w(o)})};async function k(o,e){let t=await u(o,"getAccount",{path:{account_id:e}}),[s]=c([t.data]);if(s===void 0||!Number.isFinite(s.balance))throw new TypeError(
"the account has no balance");let i=Date.parse(t.headers.date??""),n=s.risk?.observed_at??(Number.isNaN(i)?o.machine.now():i);if(!Number.isFinite(n))throw new TypeError("the account has no time");return{
account:s,time:n}}async function O(o,e){try{let t=(await u(o,"getAccountTradingPolicy",{path:{account_id:e}})).data,{limits:s,slippage_tolerance_bps:i,maximum_total_notional_usd:n}=t,{max_open_positions:r,
max_position_value_usd:l,maintenance_margin_ratio_bps:a,liquidation_fee_bps:x}=s;if([...[r,l,a,x],i.max,n??0].every(Number.isFinite))return t;throw new TypeError("the trading policy has no limits")}catch(t){
if(p(t))return null;throw t}}var m=100,T=1e3;async function L(o,e,t){let s={account_id:e,limit:m},i=[];for await(let n of h(o,"listFills",{query:s})){if(n.id===t||i.length===(t===void 0?m:T))break;i.push(
...c([n]))}return i}async function I(o,e,t,s){let i=({closed_at:a=0})=>a>=t,n=new Set(s.map(({id:a})=>a)),r={account_id:e,status:"closed",limit:m},l=[];for await(let a of h(o,"listOpenPositions",{query:r})){
if(!i(a)||n.has(a.id))break;l.push(...c([a]))}return[...l,...s.filter(i)]}                      

return{a:N,b:I}})