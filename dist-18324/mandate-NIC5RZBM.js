(function(use,load,meta,require){"use strict";const {Ad:_,Ag:V,Bd:W,Ca:D,K:O,L:I,Qd:K,Rd:k,Sd:w,Ud:j,V:N,Vd:R,Wd:U,Z:C,aa:T,d:$,e:F,h:M,ia:A,oe:q,pe:G,td:P,vd:L,zh:z}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                          
                            var tt,et=()=>tt??=require                 ("node:fs"),H=t=>et()[t];var X=H("existsSync");var J=H("realpathSync");var ot={summary:"Write a mandate for a bot, with comments",description:"Its numbers are fractions of the account's current values; change them. It takes effect when you sign it. An existing file is no\
t changed.",args:[{name:"bot",summary:"its name: a to z, 0 to 9 and -, up to 24"}],options:{file:{value:"FILE",kind:"file",summary:"where to write it (default: mandates/BOT.toml beside the config file\
)"},market:{value:"MARKET",kind:"market",repeat:!0,summary:"a market that it may trade (default: BTC)"}},examples:[["perp mandate add scalper","then edit the file, and sign it"],["perp mandate add gri\
d --market BTC --market ETH","for two markets"]],changesMore:!0,async run(t,o){let{isBotName:r,mandateFile:c,noBotName:n,suggestedMandate:x,templateOf:m}=await load  ("./mandate-file-M4FEMV65.js"),s=o.
bot;if(!r(s))throw n(s,"BOT");let d=o.file??c(t.variables,s);if(X(d))throw new F({code:"exists",message:`${d} exists; nothing was changed.`,hint:"Edit it, remove it, or name another with --file FILE."});
let p=await L(t),h=o.market.length===0?[await nt(t)??"BTC"]:o.market,l=await Promise.all(h.map(a=>W(t,a))),{risk:i,balance:e}=await z(t,p),f=x({name:s,account:p,markets:[...new Set(l.map(({market_id:a})=>a))]},
{equity:i?.equity??e,room:V(i)?.room,leverage:1},t.machine.now()),{dryRun:y}=t.settings;return y||D(d,m(f)),k({file:d,name:s},()=>[U(d,y),w({text:`Edit it, then sign it: perp mandate sign ${o.file??s}`,
tone:"faint"})])}};async function nt(t){let o=await _(t);return(o.find(({symbol:r})=>r==="BTC")??o[0])?.market_id}var rt={summary:"Check a mandate, and compare it with the signed one",description:"Exi\
ts 2 and reports the line if the file is invalid, 6 if nothing is signed, a term is looser than signed, or an account or a market doesn't exist. Only reads.",args:[{name:"file",kind:"file",summary:"th\
e mandate: its file, or the name of its bot"}],examples:[["perp mandate check scalper","the terms in force, and the largest orders that they allow now"]],async run(t,o){let{mandateFile:r,readMandate:c}=await load  ("./mandate-file-M4FEMV65.js"),
{effectiveMandate:n,readSigned:x}=await load  ("./signed-LTAHPWBX.js"),{termKey:m,wordsOf:s}=await load  ("./terms-IICIX6Z2.js"),{termsBlock:d,termsRecord:p}=await load  ("./mandate-view-VZ3X5KKE.js"),
h=r(t.variables,o.file),{mandate:l}=c(h),i=x(t.variables,l.name),{mandate:e,looser:f}=i===void 0?{mandate:l,looser:[]}:n(i,l),y=f.map(m),a=await it(t,e),S=await at(t,e,a),v={file:h,name:l.name,signed_at:i?.
signedAt??null,hash:i?.hash??null,in_force:i!==void 0&&e.until>t.machine.now(),looser:y,unknown:a,terms:p(e),allowed:S},g=[a.length===0?void 0:`Not found, so nothing is allowed: ${a.join(", ")}.`,i===
void 0?"It is not signed, so it is not in force: perp mandate sign FILE.":void 0,y.length===0?void 0:`Looser than signed, so not in force: ${y.join(", ")}. Sign again to change that: perp mandate sign\
 FILE.`,e.until<=t.machine.now()?`It expired at ${s("until",e.until)}.`:void 0].filter(b=>b!==void 0);return k(v,()=>[d(e),R,...g.map(b=>w({text:b,tone:"bad"})),...i===void 0?[]:[w({text:`signed ${T(i.
signedAt)}`,tone:"faint"})],R,...st(S)],i===void 0||y.length+a.length>0?$.conflict:$.done)}};async function it(t,{accounts:o,markets:r}){let[c,n]=await Promise.all([P(t),_(t)]),x=new Set([...c.map(({id:m})=>m),
...n.map(({market_id:m})=>m)]);return[...o,...r].filter(m=>!x.has(m))}async function at(t,o,r){let{readExposed:c}=await load  ("./read-exposed-77HYPFTT.js"),{roomToTrade:n}=await load  ("./judge-write-TDBQEUIR.js"),
x=t.machine.now(),m=[],s=p=>!r.includes(p),d=o.markets.filter(s);for(let p of o.accounts.filter(s)){let h=await c(t,p,d);for(let l of d)for(let i of["buy","sell"]){let{approvalAbove:e,...f}=n(o,h,{market:l,
side:i,now:x});m.push({account_id:p,market_id:l,side:i,...f,approval_above:e})}}return m}function st(t){if(t.length===0)return[];let o=t.some(({approval_above:n})=>n!==null),r=n=>n===null?"-":N(n),c={
header:"ASKS ABOVE",cell:n=>r(n.approval_above),align:"right"};return[w(`Allowed now, in one market order${o?"; above ASKS ABOVE, it waits for perp approve":""}:`),j(t,[{header:"ACCOUNT",cell:({account_id:n})=>n},
{header:"MARKET",cell:({market_id:n})=>A(n)},{header:"SIDE",cell:({side:n})=>n},{header:"UP TO",cell:({size:n})=>r(n),align:"right"},...o?[c]:[],{header:"STOP",cell:({stop:n})=>r(n),align:"right"},{header:"",
cell:({why:n})=>n??"",keep:1}])]}var ct={summary:"Sign a mandate: review the changes, then type to confirm",description:"Only a person on a terminal can sign; --yes does not. The signed copy is kept i\
n the state folder; from then on, changes to the file can only tighten its terms.",args:[{name:"file",kind:"file",summary:"the mandate: its file, or the name of its bot"}],examples:[["perp mandate sig\
n scalper","put it in force"]],changesMore:!0,async run(t,o){let{mandateFile:r,readMandate:c}=await load  ("./mandate-file-M4FEMV65.js"),{changesOf:n,readSigned:x,signMandate:m}=await load  ("./signed-LTAHPWBX.js"),
{fieldNames:s}=await load  ("./terms-IICIX6Z2.js"),{changeText:d}=await load  ("./mandate-view-VZ3X5KKE.js"),{variables:p,settings:h,machine:l}=t,i=r(p,o.file),{mandate:e,text:f}=c(i),y="Nothing \
was signed.";h.dryRun||q(t,"Only a person who reads a mandate can sign it",y,"perp mandate sign FILE");let a=pt(()=>x(p,e.name),t),S=a===void 0?s.filter(u=>e[u]!==void 0).map(u=>({field:u,change:"loos\
er"})):n(a.mandate,e).filter(({field:u})=>(e[u]??a.mandate[u])!==void 0);if(a!==void 0&&S.every(({change:u})=>u==="same"))return B(e,a.hash,`${i} is already signed.`);let g=S.map(({field:u,change:Z})=>d(
u,Z,a?.mandate,e)),Q=`${S.some(({change:u})=>u==="looser")&&a!==void 0?"loosen":"sign"} ${e.name}`,E=`Mandate of ${e.name}, ${mt(i)}${e.until<=l.now()?", EXPIRED":""}`;if(h.dryRun)return B(e,void 0,["\
Dry run: not signed.",E,...g].join(`
`));if(t.io.out(`${I([E,...g].join(`
`))}
`),await G(t,[Q]," to put it in force",y),c(i).text!==f)throw new F({code:"changed",message:`${i} was changed while you read it. ${y}`,hint:"Run perp mandate sign again, and read the new text."});let{
hash:Y}=m(p,e,l.now());return B(e,Y,`The mandate of ${e.name} is in force.`)}};function B({name:t},o,r){return k({name:t,hash:o??null},()=>r.split(`
`).map(c=>w(c)))}function mt(t){let o=J(t);return o.endsWith(t)?O(t):O(`${t}, which is ${o}`)}function pt(t,o){try{return t()}catch(r){if(!(r instanceof F)||r.facts.code!=="not_signed")throw r;o.note(
r.message);return}}var dt={summary:"Show all signed mandates, or one",args:[{name:"bot",optional:!0,summary:"the name of a bot"}],examples:[["perp mandate","every mandate that was signed"],["perp mand\
ate show scalper","the terms of one"]],async run(t,{bot:o}){let{readSigned:r,signedNames:c}=await load  ("./signed-LTAHPWBX.js"),{wordsOf:n}=await load  ("./terms-IICIX6Z2.js"),{termsBlock:x,
termsRecord:m}=await load  ("./mandate-view-VZ3X5KKE.js"),{variables:s}=t;if(o===void 0){let i=c(s).map(e=>r(s,e));return K(i.map(({mandate:{name:e,until:f,largestPositionUsd:y,accounts:a,markets:S},signedAt:v,
hash:g})=>({bot:e,signed_at:v,until:f,largest_position_usd:y,accounts:a,markets:S,hash:g})),{fields:["bot","signed_at","until","largest_position_usd","accounts","markets","hash"],columns:[{header:"BOT",
cell:e=>e.bot},{header:"SIGNED",cell:e=>T(e.signed_at)},{header:"UNTIL",cell:({until:e})=>{let f=n("until",e);return e<=t.machine.now()?{text:`${f}, over`,tone:"bad"}:f}},{header:"LARGEST POSITION",cell:e=>`${C(
e.largest_position_usd)} USD`,align:"right"},{header:"MARKETS",cell:({markets:e})=>e.map(f=>A(f)).join(", "),keep:1}],empty:"No mandate is signed. perp mandate add BOT writes one."})}let d=r(s,o);if(d===
void 0)throw M(`No mandate is signed for ${o}.`,`perp mandate add ${o} writes one; perp mandate lists the signed ones.`);let{mandate:p,signedAt:h,hash:l}=d;return k({bot:o,signed_at:h,hash:l,...m(p)},
()=>[x(p),R,w({text:`signed ${T(h)}, ${l.slice(0,12)}`,tone:"faint"})])}},Rt={add:ot,check:rt,sign:ct,show:dt};                       

return{commands:Rt}})