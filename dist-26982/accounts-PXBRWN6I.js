(function(use,load,meta,require){"use strict";const {$c:d,Ae:O,Ag:T,Oc:b,Ol:D,Qh:q,Rh:F,Sg:I,Te:P,U:k,Ue:$,Zc:C,_c:S,_l:N,cg:x,dd:_,e:g,fh:B,hd:h,hh:H,qd:A,qh:E,rd:c,rf:v,rh:L,sd:w,tf:R,th:M,uh:U,wh:j}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                             
                                                                                              var K={summary:"List your accounts and their risk; * marks the one in use",examples:[["perp accounts","all of them"],["perp accounts list -o csv","for a spreadsheet"]]};async function Q(t){await S(t);
let o=await C(t),r=t.settings.account??(o.length===1?o[0].id:void 0),p=t.settings.output==="table",i=p?await $(t,o):new Map,n=p?await R(t,o):new Map;return A(o,{fields:E,columns:L(r,i,{locks:n,isHost:t.
settings.environment!=="sim"}),empty:"No accounts."})}var V={summary:"Show one account: balance, margin, distance to the floors",args:[{name:"account",kind:"account",optional:!0,summary:"default: the \
account in use"}],options:{...q,watch:{summary:"keep updating until Ctrl-C"}},examples:[["perp accounts show","the account in use"],["perp accounts show --within 4h","with the carry of four hours and \
a new day"],["perp accounts show --watch","live updates"],["perp accounts show --json","every field"]]};async function W(t,o){let r=await d(t,o.account),p=()=>t.call("getAccount",{path:{account_id:r}}),
{data:i}=await h(t,"account",r,p);if(!o.watch){let{record:n,blocks:m,ahead:e}=await z(t,i,o.within);return F(t,o.within,e),c(n,m)}return N(t,async()=>{let{record:n,blocks:m}=await z(t,(await p()).data,
o.within);return{records:[n],blocks:m()}})}async function z(t,o,r){let p=t.call("listOpenPositions",{query:{account_id:o.id}}).then(f=>f.data),i=T(t,"The positions",p,[]),{positions:n,marks:m,outlook:e,
acting:s}=await I(t,o.id,{account:o,positions:i,within:r}),[a,u]=await Promise.all([P(t,o),v(t,o)]),y=t.settings.environment!=="sim";a!==void 0&&t.memory.saidEndings.add(o.id);let l={...x(n,m,e),ended:a===
void 0?null:B(a),lock:H(u),acts_without_you:s};return{record:{...o,computed:l},blocks:()=>[...M(o,{positions:n,marks:m,outlook:e,ending:a,lock:u,isHost:y}),...j(s)],ahead:e.ahead}}var X={summary:"Show\
 an account's restrictions, rules and limits",args:[{name:"account",kind:"account",optional:!0,summary:"default: the account in use"}],examples:[["perp accounts policy","the account in use"]]};async function Y(t,o){
let r=await d(t,o.account),p=()=>t.call("getAccountTradingPolicy",{path:{account_id:r}}),{data:i}=await h(t,"account",r,p);return c(i,()=>U(i))}var Z={summary:"Set the default account of the environme\
nt or simulation",description:"Each simulation remembers its own, as do live, the sandbox and each profile.",args:[{name:"account",kind:"account",summary:"account id, number or name"}],examples:[["per\
p accounts use acc_2","use acc_2 from now on"],['perp accounts use "Challenge 2" --state friday',"by name, in the simulation friday only"]],changesMore:!0};async function tt(t,o){let r=await d(t,o.account),
p=()=>t.call("getAccount",{path:{account_id:r}}),{data:i}=await h(t,"account",r,p),{settings:n,variables:m}=t,{environment:e,profile:s,dryRun:a}=n,{state:u,destination:y}=await t.access(),l=b(y),f=`${i.
id} (${_(i)})`;if(a)return c(i,()=>[w(`Dry run: ${f} would be used on ${l}.`)]);let G=e==="sim"&&u!==void 0?`sim.account.${u}`:void 0,J=s===void 0?G??`${e}.account`:`profiles.${s}.account`;return O(m,
{[J]:i.id}),c(i,()=>[w(`Using ${f} on ${l}.`)])}var ot={summary:"Acknowledge that copying into an account has stopped",description:"Acknowledges the stop shown by the trading policy. Has no effect whi\
le the cleanup is still running.",args:[{name:"account",kind:"account",optional:!0,summary:"default: the account in use"}],examples:[["perp accounts acknowledge-copy-stop","for the account in use"]]};
async function it(t,o){let r={account_id:await d(t,o.account)},{data:p}=await t.call("getAccountTradingPolicy",{path:r}),i=p.copy_stop;if(i===null)throw new g({code:"no_copy_stop",message:`Copying int\
o ${r.account_id} has not been stopped, so there is nothing to acknowledge.`});let n={stopped_at:i.stopped_at};return D(t,"acknowledgeCopyTradingStop",{path:r,body:n},{question:`Acknowledge that copyi\
ng into ${r.account_id} stopped at ${k(i.stopped_at)}?`,done:({data:m})=>c(m,()=>[w(i.completed_at===null?"The cleanup is still running; nothing was acknowledged.":"Acknowledged.")])})}var St={list:{command:K,
run:Q},show:{command:V,run:W},policy:{command:X,run:Y},use:{command:Z,run:tt},"acknowledge-copy-stop":{command:ot,run:it}};                       

return{commands:St}})