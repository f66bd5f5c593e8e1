(function(use,load,meta,require){"use strict";const {a:W}=use("chunk-NELMPA2W.js");const {$g:O,Ca:b,Qf:A,Rd:l,Sd:m,Sf:D,Td:S,Tf:w,Ud:R,Vd:$,Wd:E,aa:d,e:v,qe:u,ul:T}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                
                            var N,I=()=>N??=require                 ("node:fs"),L=t=>I()[t];var C=L("existsSync");var M={summary:"Write a rules file with an example of every rule",description:"The examples are commented out: remove the # from the ones you want. An existing file is not changed.",options:u,examples:[
["perp guard add","then edit the file, and check it with perp guard rules"]],changesMore:!0,async run(t,i){let{rulesFile:e}=await load  ("./rule-file-RIS7BXUO.js"),{rulesTemplate:c}=await load  ("./rules-JQQPVY4F.js"),
o=e(t.variables,i.rules);if(C(o))throw new v({code:"exists",message:`${o} exists; nothing was changed.`,hint:"Edit it, remove it, or name another with --rules FILE."});return t.settings.dryRun||b(o,c),
l({file:o},()=>[E(o,t.settings.dryRun),m({text:"Edit it, check it with perp guard rules, and start perp guard.",tone:"faint"})])}},U={summary:"Check the rules file and explain it",description:"Exits 2\
 and reports the line if the file is invalid. Sends nothing.",options:u,examples:[["perp guard rules","what each rule watches, and what it does"]],async run(t,i){let{readRules:e,rulesFile:c}=await load  ("./rule-file-RIS7BXUO.js"),
{conditionOf:o,consequenceOf:s}=await load  ("./rules-JQQPVY4F.js"),p=c(t.variables,i.rules),n=e(p);return l({file:p,...n},()=>[S(["file",p],["account",n.account??"any"],["time zone",n.zone],["a\
lerts to",n.exec?.join(" ")??"the terminal"]),$,n.rules.length===0?m("No rules."):R(n.rules,[{header:"LINE",cell:r=>String(r.line),align:"right",keep:1},{header:"RULE",cell:r=>r.kind},{header:"WHEN",cell:r=>o(
r)},{header:"THEN",cell:r=>s(r)}])])}},_={summary:"Watch an account and enforce your own rules",description:"Runs until Ctrl-C. Rules come from the rules file (perp guard add) and from these options; \
without a file, only from the options. Each rule that fires prints one line and is passed as JSON to the standard input of the --exec program. Only one guard at a time can watch an account.",options:{
...u,trail:{value:"DISTANCE",kind:"text",summary:"trail every stop by 1.5% or 200; stops only move closer"},heartbeat:{value:"FILE",kind:"text",summary:"flatten when this file is no longer touched"},"\
max-age":{value:"DURATION",kind:"text",summary:"maximum age of the heartbeat file (default 60s)"},exec:{value:"COMMAND",kind:"text",summary:"program that receives every alert; started without a shell"},
once:{summary:"check once, act, and exit: for cron"}},examples:[["perp guard","the rules of guard.toml"],["perp guard --trail 1.5%","trailing stops for all positions"],["perp guard --heartbeat ~/bot.a\
live --max-age 60s","a dead man's switch"],["perp guard --once --json","one check, from cron"],["perp guard --dry-run","only report what would be done"]],changesMore:!0,async run(t,i){let{runGuard:e}=await load  ("./run-guard-UYPJD7UZ.js");
return e(t,i)}},j={summary:"Show the guard in charge, its unfinished steps and the lock",examples:[["perp guard status","the account in use"]],async run(t){let{chargeOf:i,guardPlace:e}=await load  ("./place-GGCVNO67.js"),
{peekState:c}=await load  ("./guard-state-IKPEQAFV.js"),{account:o,folder:s,locks:p,files:n}=await e(t),r=i(s,o),a=t.call("getAccount",{path:{account_id:o}}).then(({data:h})=>h),g=await O(t,"The accou\
nt",a,void 0),k=g===void 0?w(p,o):await W(t,g),y=c(n.state),x=y==="damaged",{tasks:F,time:f}=x||y===void 0?{tasks:[],time:null}:y;return l({account_id:o,guard:r??null,lock:k??null,judged_at:f,state:x?
"damaged":"sound",unfinished:F},()=>[S(["account",o],["guard",r===void 0?{text:"none is running",tone:"warn"}:`process ${r.pid}, since ${d(r.since)}`],["last check",f===null?"never":d(f)],["lock",q(k)]),
...x?[m({text:`${n.state} is damaged; the next guard starts over.`,tone:"bad"})]:[],...F.map(h=>m({text:B(h),tone:"warn"}))])}};function q(t){return t===void 0?"none":t==="damaged"?{text:"damaged, and\
 still in effect; perp guard unlock removes it",tone:"bad"}:{text:`until ${d(t.until)}: ${t.why}`,tone:"bad"}}function B({time:t,says:i,steps:e}){return`${d(t)}  ${i}; not done yet: ${e.map(({kind:c})=>c).
join(", ")}`}var P={summary:"End the lock on new exposure early",description:"Asks first. Without a terminal, this needs --yes.",examples:[["perp guard unlock","trade again today"]],changesMore:!0,async run(t){
let{guardPlace:i}=await load  ("./place-GGCVNO67.js"),{account:e}=await i(t),{destination:c}=await t.access(),o=A(t.variables,c),s=o.map(a=>w(a,e)).find(a=>a!==void 0);if(s===void 0)return l({account_id:e,
unlocked:!1},()=>[m(`Account ${e} is not locked.`)]);let p=s==="damaged"?"":` It is locked until ${d(s.until)}: ${s.why}.`,n=`Unlock account ${e}?${p}`;if(!t.settings.dryRun){T(t,n),await t.person.confirm(
n);for(let a of o)D(a,e)}let r=t.settings.dryRun?`Dry run: account ${e} stays locked.`:`Account ${e} is unlocked.`;return l({account_id:e,unlocked:!t.settings.dryRun},()=>[m(r)])}},nt={add:M,rules:U,run:_,
status:j,unlock:P};                       

return{commands:nt}})