(function(use,load,meta,require){"use strict";const {a:k}=use("chunk-6VWBVBFC.js");const {Ie:v,Kc:C,Ld:O,Me:T,Sd:b,Ud:S,d:p,fa:y,g:f,ga:g,ha:h,i:w,km:R}=use("chunk-KBEGXUNB.js");
                                                                                                                                                                              var P=new Set(["order","stop","target","plan","positions","twap","scaled","reverse","flatten","cancel-all","close-all","quote","accounts","fills","markets","pending"]),q=new Set(["account","dryRun","n\
ew"]);async function z(e,n,s,t){try{let c=await G(e,n,t.place),{path:r,input:a,globals:l}=c,i=x(e,I(e.settings,l,s,t.refuse!==void 0),{path:r,input:a},t),{run:o,command:d}=await e.registry.load(r);try{
let u=await o(i,a);return await v(i,u),u.exit??p.done}catch(u){let m=await i.memory.diagnosed(u);throw y(m,T(i),i.settings,S(d)),m}finally{await F(i)}}catch(c){let r=g(c);return t.print(h(r,!1,t.columns)),
r.exit}}function A(e,n,s){let t=I(e.settings,{},n,!1);return x(e,t,{path:"watch",input:{}},s)}async function G(e,n,s="on the live screen"){let t=k(n),[c=""]=t[0]==="perp"?t.splice(0,1)&&t:t,r=(await e.
lineReader()).read(t);if(!P.has(c))throw f(`perp ${c} can't be used ${s}.`,"Run it in another terminal.");let{input:a,globals:l}=r;if(a.watch===!0||a.wait===!0)throw f("--wait and --watch are not need\
ed here.","The screen shows every change.");let i=Object.keys(l).find(o=>!q.has(o));if(i!==void 0)throw f(`--${b(i)} can't be used ${s}.`,"Omit it.");return r}function I(e,n,s,t){return{...e,account:n.
account??s??e.account,accountFrom:"--account",output:"table",yes:!1,quiet:!1,dryRun:n.dryRun===!0,fresh:n.new===!0,confirmLive:t?"ask":e.confirmLive,idempotencyKey:void 0}}function x(e,n,s,t){let{registry:c,
lineReader:r}=e,a={async open(){let o=await e.access();return o.intents.isDeliberate=n.fresh,o.intents.given=s,o},async call(o,d,u){return K(o)&&t.refuse?.(o,d),u(d)}},l=W(e.outside,t),i=()=>e.signal;
return new R({settings:n,registry:c,lineReader:r,outside:l,interruption:i,palette:O,way:a})}async function F(e){let{intents:n}=await e.access();n.shown(),n.flush()}function K(e){return C[e]?.scope==="\
trade"}function W(e,{columns:n,print:s,ask:t,askLine:c,propose:r}){let a=()=>{throw f("Something is missing in the command.","Type it, such as: order place BTC buy 0.05")};return{...e,io:{...{stdinIsTerminal:!0,
stdoutIsTerminal:!0,stderrIsTerminal:!1},columns:n,stderrColumns:n,out:s,err:s,changes:()=>e.io.changes?.(),input:a},prompts:{confirm:async o=>{if(await t(o))return!0;throw w("Nothing was sent.")},...r!==
void 0&&{propose:r},secret:a,choose:a,line:async(o,d)=>{let u=await c(o);return d(u)===void 0?u:""}}}}                      

return{a:z,b:A}})