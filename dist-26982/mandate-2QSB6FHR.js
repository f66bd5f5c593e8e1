(function(use,load,meta,require){"use strict";const {$c:W,F:A,G:C,P:N,Pd:G,Qd:V,S:P,U:R,Xf:z,Xg:H,Zc:L,aa:I,d:$,e:T,ed:_,fd:K,h:M,qd:U,rd:v,sa:D,sd:w,ud:j,vd:O,wd:q}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                         
                            var tt,et=()=>tt??=require                 ("node:fs"),X=t=>et()[t];var J=X("existsSync");var Q=X("realpathSync");var ot={summary:"Write a mandate for a bot, with comments",description:"Its numbers are fractions of the account's current values; change them. It takes effect when you sign it. An existing file is no\
t changed.",args:[{name:"bot",summary:"its name: a to z, 0 to 9 and -, up to 24"}],options:{file:{value:"FILE",kind:"file",summary:"where to write it (default: mandates/BOT.toml beside the config file\
)"},market:{value:"MARKET",kind:"market",repeat:!0,summary:"a market that it may trade (default: BTC)"}},examples:[["perp mandate add scalper","then edit the file, and sign it"],["perp mandate add gri\
d --market BTC --market ETH","for two markets"]],changesMore:!0};async function nt(t,e){let{suggestedMandate:r,templateOf:c}=await load  ("./template-OI6WVKGT.js"),{isBotName:o,mandateFile:S,noBotName:d}=await load  ("./mandate-file-3UPI4UXN.js"),
p=e.bot;if(!o(p))throw d(p,"BOT");let f=e.file??S(t.variables,p);if(J(f))throw new T({code:"exists",message:`${f} exists; nothing was changed.`,hint:"Edit it, remove it, or name another with --file FI\
LE."});let l=await W(t),y=e.market.length===0?[await rt(t)??"BTC"]:e.market,u=await Promise.all(y.map(s=>K(t,s))),{risk:i,balance:n}=await H(t,l),a=r({name:p,account:l,markets:[...new Set(u.map(({market_id:s})=>s))]},
{equity:i?.equity??n,room:z(i)?.room,leverage:1},t.machine.now()),{dryRun:m}=t.settings;return m||D(f,c(a)),v({file:f,name:p},()=>[q(f,m),w({text:`Edit it, then sign it: perp mandate sign ${e.file??p}`,
tone:"faint"})])}async function rt(t){let e=await _(t);return(e.find(({symbol:r})=>r==="BTC")??e[0])?.market_id}var it={summary:"Check a mandate, and compare it with the signed one",description:"Exits\
 2 and reports the line if the file is invalid, 6 if nothing is signed, a term is looser than signed, or an account or a market doesn't exist. Only reads.",args:[{name:"file",kind:"file",summary:"the \
mandate: its file, or the name of its bot"}],examples:[["perp mandate check scalper","the terms in force, and the largest orders that they allow now"]]};async function at(t,e){let{mandateFile:r,readMandate:c}=await load  ("./mandate-file-3UPI4UXN.js"),
{effectiveMandate:o,readSigned:S}=await load  ("./signed-GZWAKOKU.js"),{termKey:d,wordsOf:p}=await load  ("./terms-H65CE4HL.js"),{termsBlock:f,termsRecord:l}=await load  ("./mandate-view-WFY5LWLN.js"),
y=r(t.variables,e.file),{mandate:u}=c(y),i=S(t.variables,u.name),{mandate:n,looser:a}=i===void 0?{mandate:u,looser:[]}:o(i,u),m=a.map(d),s=await st(t,n),x=await mt(t,n,s),b=i!==void 0&&n.until>t.machine.
now(),g={file:y,name:u.name,signed_at:i?.signedAt??null,hash:i?.hash??null,in_force:b,looser:m,unknown:s,terms:l(n),allowed:x},F=[s.length===0?void 0:`Not found, so nothing is allowed: ${s.join(", ")}\
.`,i===void 0?"It is not signed, so it is not in force: perp mandate sign FILE.":void 0,m.length===0?void 0:`Looser than signed, so not in force: ${m.join(", ")}. Sign again to change that: perp manda\
te sign FILE.`,n.until<=t.machine.now()?`It expired at ${p("until",n.until)}.`:void 0].filter(k=>k!==void 0);return v(g,()=>[f(n),O,...F.map(k=>w({text:k,tone:"bad"})),...i===void 0?[]:[w({text:`signe\
d ${R(i.signedAt)}`,tone:"faint"})],O,...pt(x)],i===void 0||m.length+s.length>0?$.conflict:$.done)}async function st(t,{accounts:e,markets:r}){let[c,o]=await Promise.all([L(t),_(t)]),S=new Set([...c.map(
({id:d})=>d),...o.map(({market_id:d})=>d)]);return[...e,...r].filter(d=>!S.has(d))}async function mt(t,e,r){let{readExposed:c}=await load  ("./read-exposed-SJH7CINS.js"),{roomToTrade:o}=await load  ("./room-to-trade-65KFHUJ5.js"),
S=t.machine.now(),d=[],p=l=>!r.includes(l),f=e.markets.filter(p);for(let l of e.accounts.filter(p)){let y=await c(t,l,f);for(let u of f)for(let i of["buy","sell"]){let{approvalAbove:n,...a}=o(e,y,{market:u,
side:i,now:S});d.push({account_id:l,market_id:u,side:i,...a,approval_above:n})}}return d}function pt(t){if(t.length===0)return[];let e=t.some(({approval_above:o})=>o!==null),r=o=>o===null?"-":N(o),c={
header:"ASKS ABOVE",cell:o=>r(o.approval_above),align:"right"};return[w(`Allowed now, in one market order${e?"; above ASKS ABOVE, it waits for perp approve":""}:`),j(t,[{header:"ACCOUNT",cell:({account_id:o})=>o},
{header:"MARKET",cell:({market_id:o})=>I(o)},{header:"SIDE",cell:({side:o})=>o},{header:"UP TO",cell:({size:o})=>r(o),align:"right"},...e?[c]:[],{header:"STOP",cell:({stop:o})=>r(o),align:"right"},{header:"",
cell:({why:o})=>o??"",keep:1}])]}var ct={summary:"Sign a mandate: review the changes, then type to confirm",description:"Only a person on a terminal can sign; --yes does not. The signed copy is kept i\
n the state folder; from then on, changes to the file can only tighten its terms.",args:[{name:"file",kind:"file",summary:"the mandate: its file, or the name of its bot"}],examples:[["perp mandate sig\
n scalper","put it in force"]],changesMore:!0};async function dt(t,e){let{mandateFile:r,readMandate:c}=await load  ("./mandate-file-3UPI4UXN.js"),{changesOf:o,readSigned:S,signMandate:d}=await load  ("./signed-GZWAKOKU.js"),
{fieldNames:p}=await load  ("./terms-H65CE4HL.js"),{changeText:f}=await load  ("./mandate-view-WFY5LWLN.js"),{variables:l,settings:y,machine:u}=t,i=r(l,e.file),{mandate:n,text:a}=c(i),m="Nothing \
was signed.";y.dryRun||G(t,"Only a person who reads a mandate can sign it",m,"perp mandate sign FILE");let s=ft(()=>S(l,n.name),t),x=s===void 0?p.filter(h=>n[h]!==void 0).map(h=>({field:h,change:"loos\
er"})):o(s.mandate,n).filter(({field:h})=>(n[h]??s.mandate[h])!==void 0);if(s!==void 0&&x.every(({change:h})=>h==="same"))return B(n,s.hash,`${i} is already signed.`);let g=x.map(({field:h,change:Z})=>f(
h,Z,s?.mandate,n)),k=`${x.some(({change:h})=>h==="looser")&&s!==void 0?"loosen":"sign"} ${n.name}`,E=`Mandate of ${n.name}, ${lt(i)}${n.until<=u.now()?", EXPIRED":""}`;if(y.dryRun)return B(n,void 0,["\
Dry run: not signed.",E,...g].join(`
`));if(t.io.out(`${C([E,...g].join(`
`))}
`),await V(t,[k]," to put it in force",m),c(i).text!==a)throw new T({code:"changed",message:`${i} was changed while you read it. ${m}`,hint:"Run perp mandate sign again, and read the new text."});let{
hash:Y}=d(l,n,u.now());return B(n,Y,`The mandate of ${n.name} is in force.`)}function B({name:t},e,r){return v({name:t,hash:e??null},()=>r.split(`
`).map(c=>w(c)))}function lt(t){let e=Q(t);return e.endsWith(t)?A(t):A(`${t}, which is ${e}`)}function ft(t,e){try{return t()}catch(r){if(!(r instanceof T)||r.facts.code!=="not_signed")throw r;e.note(
r.message);return}}var ut={summary:"Show all signed mandates, or one",args:[{name:"bot",optional:!0,summary:"the name of a bot"}],examples:[["perp mandate","every mandate that was signed"],["perp mand\
ate show scalper","the terms of one"]]};async function yt(t,{bot:e}){let{readSigned:r,signedNames:c}=await load  ("./signed-GZWAKOKU.js"),{wordsOf:o}=await load  ("./terms-H65CE4HL.js"),{termsBlock:S,
termsRecord:d}=await load  ("./mandate-view-WFY5LWLN.js"),{variables:p}=t;if(e===void 0){let n=c(p).map(a=>r(p,a));return U(n.map(({mandate:{name:a,until:m,largestPositionUsd:s,accounts:x,markets:b},signedAt:g,
hash:F})=>({bot:a,signed_at:g,until:m,largest_position_usd:s,accounts:x,markets:b,hash:F})),{fields:["bot","signed_at","until","largest_position_usd","accounts","markets","hash"],columns:[{header:"BOT",
cell:a=>a.bot},{header:"SIGNED",cell:a=>R(a.signed_at)},{header:"UNTIL",cell:({until:a})=>{let m=o("until",a);return a<=t.machine.now()?{text:`${m}, over`,tone:"bad"}:m}},{header:"LARGEST POSITION",cell:a=>`${P(
a.largest_position_usd)} USD`,align:"right"},{header:"MARKETS",cell:({markets:a})=>a.map(m=>I(m)).join(", "),keep:1}],empty:"No mandate is signed. perp mandate add BOT writes one."})}let f=r(p,e);if(f===
void 0)throw M(`No mandate is signed for ${e}.`,"perp mandate lists the signed ones.");let{mandate:l,signedAt:y,hash:u}=f,i={bot:e,signed_at:y,hash:u,...d(l)};return v(i,()=>[S(l),O,w({text:`signed ${R(
y)}, ${u.slice(0,12)}`,tone:"faint"})])}var It={add:{command:ot,run:nt},check:{command:it,run:at},sign:{command:ct,run:dt},show:{command:ut,run:yt}};                       

return{commands:It}})