(function(use,load,meta,require){"use strict";const {c:W}=use("chunk-R2ZJ2XCT.js");const {c:I,d:R,e:a,f:A,g:f}=use("chunk-IAWVPUHK.js");const {Jl:O,P:u,Qd:b,Rd:l,Sd:q,aa:x,e:c,h:y,oe:k,pe:$}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                          
                            var B,D=()=>B??=require                 ("node:os");var P=(...t)=>D().userInfo(...t);var _,L=()=>_??=require                 ("node:timers/promises"),j=t=>L()[t],w=j("setTimeout");var ct={summary:"Approve or reject a bot's order that waits for you",description:"Orders above a mandate's approve-above wait at the gate. Without an id, lists waiting orders. With one, shows the exac\
t request and its effect on positions and floors, and asks you to type a word: only on a terminal, never with --yes. An approval covers this one request, once; it is void after two minutes or when the\
 mark moves beyond its bound.",args:[{name:"id",kind:"word",optional:!0,summary:"approval id, or its beginning"}],examples:[["perp approve","what waits"],["perp approve 3f2a9c01","review one and decid\
e"]],changesMore:!0,async run(t,{id:e}){let{approvalsFolder:i}=await load  ("./approval-files-A53JWDC2.js"),{waitingRequests:n}=await load  ("./decide-TRN7E4LB.js"),s=()=>t.outside.now(),o=i(t.variables),
p=W(t.variables),r=p===void 0?[]:n(o,p,s());if(e===void 0)return b(r.map(a),{fields:A,columns:R(s()),empty:"Nothing waits for approval."});let m=E(r,e);return t.settings.dryRun?l(a(m),()=>f(m,s())):(k(
t,"Only a person who reads an order can approve it","Nothing was decided.","perp approve ID"),await K(t,o,p,m))}};function E(t,e){let i=t.filter(({kept:s})=>s.id.startsWith(e.toLowerCase()));if(i.length===
1)return i[0];let n=i.length===0?`No request ${u(e)} waits for approval.`:`${i.length} waiting requests begin with ${u(e)}.`;throw y(n,"perp approve lists the waiting requests.")}async function K(t,e,i,n){
let{decide:s}=await load  ("./decide-TRN7E4LB.js"),{kept:o,facts:p,decision:r}=n,m=()=>t.outside.now();if(t.io.err(`${await O(f(n,m()),t.io.columns,t.palette)}
`),r!==void 0)throw C("already_decided",`Someone has ${r} it, and its bot has not asked again yet.`);if(p===void 0)throw new c({code:"gate_silent",message:"The gate that received it does not answer, s\
o nothing was decided.",hint:"Start the gate again; the request waits until its bot asks again."});let{mark:g}=p,h=g!==void 0&&p.effect!==void 0;h||t.note("It can only be declined, because its effects\
 are unknown now.");let d=`decline ${o.request.bot}`,M=h?[`approve ${o.request.bot}`,d]:[d],N=await $(t,M,"; nothing leaves it waiting","Nothing was decided; the request is still waiting.")===d?"decli\
ned":"approved",F={folder:e,secret:i,kept:o,decision:N,mark:g??0,by:Q(),now:m,sleep:w},v=await t.person.during("Waiting for the gate",()=>s(F)),S=v.state==="used"?await J(t,n):void 0;return z(t,n,v,S)}
function z(t,e,i,n){let{kept:s}=e,{state:o}=i;if(o==="void"||o==="expired")throw C(o,`The order will not be sent: ${i.why}`);let p={...a(e),state:o,outcome:n??null},r=`${s.request.bot}: ${I(e)}`,m=o===
"declined"?`Declined, ${r}.`:o==="kept"?`Approved, ${r}. It is sent when the bot asks again, until ${x(i.until)}.`:`Approved, ${r}. ${G(n)}`;return t.hasWritten=!0,l(p,()=>[q({text:m,tone:o==="decline\
d"||(n?.outcome??"done")!=="done"?"warn":"good"})])}function G(t){if(t===void 0)return"It was sent; perp audit show shows its outcome.";let{ids:e=[],status:i,code:n,why:s}=t;return`The service: ${[t.outcome,
i,n,...e,s].filter(p=>p!==void 0).join(" ").replace(/\.$/,"")}.`}var H=1e4,T=250;async function J(t,{kept:e}){let{auditPlace:i,newestRecords:n}=await load  ("./chain-RPJ2IIBZ.js"),s=i(t.variables);
for(let o=0;o<H;o+=T){let p=new Map;for(let r of n(s,{bot:e.request.bot})){if(r.kind==="outcome"&&p.set(r.write,p.get(r.write)??r),r.kind!=="decided"||r.approval!==e.id)continue;let m=p.get(r.write);if(m!==
void 0)return m;break}await w(T)}}function Q(){try{return P().username}catch{return`user ${process.getuid?.()??""}`.trim()}}function C(t,e){return new c({code:t,message:e,hint:"perp approve lists the \
waiting requests."})}                      

return{command:ct}})