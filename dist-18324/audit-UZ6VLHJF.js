(function(use,load,meta,require){"use strict";const {c:$}=use("chunk-R2ZJ2XCT.js");const {a:_,b:B}=use("chunk-IAWVPUHK.js");const {Ki:x,Ni:C,Oi:T,Qd:k,Rd:b,Sd:a,Td:g,Ud:v,V:n,Vd:w,d:h,da:u,g:y}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                            
                                                             var O={summary:"List bot requests, decisions and outcomes, newest first",description:"Texts in requests come from bots. Times come from this machine's clock. perp audit verify checks that the records \
are intact.",options:{bot:{value:"BOT",kind:"word",summary:"only records of this bot"},since:T.since,find:{value:"TEXT",summary:"only records that contain this: an order id, a key, an approval"},...C},
examples:[["perp audit show","the last 50 records"],["perp audit show --bot alpha --since today","what one bot did today"],["perp audit show --find ord_00000003a --json","every record that names one o\
rder"]],async run(t,r){let{auditPlace:o,newestRecords:e}=await load  ("./chain-RPJ2IIBZ.js"),{bot:m,since:i,find:s,all:p,limit:d=S}=r,f=i===void 0?void 0:x(i,t.outside.now(),"from"),c=[];for(let l of e(
o(t.variables),{bot:m,since:f}))if(!(s!==void 0&&!JSON.stringify(l).includes(s))){if(!p&&c.length===d){t.note(`Showing the last ${d}; use --limit N or --all for more.`);break}c.push(l)}return k(c,{fields:_,
columns:B,empty:"No records."})}},S=50,A={summary:"Check the audit log for altered, missing or added records",description:"Each record contains the SHA-256 of the one before, and the owner's secret si\
gns the last one in a separate file. Anyone with that secret could forge a whole log; to detect that, keep the last line of a check elsewhere and pass it to a later check as --head. If records were ne\
ver signed, because a gate was killed or someone else wrote them, it counts them and exits 10; records up to --head are exempt. --against also compares the log with the service: each order with a bot'\
s id needs its record, and the reverse. Exits 7 if anything is wrong.",options:{head:{value:"NUMBER:HASH",kind:"word",summary:"the last record of an earlier check"},against:{summary:"compare the log w\
ith the service's own orders"}},examples:[["perp audit verify","the log of this machine"],["perp audit verify --against --env live","also compare it with the host's orders"],["perp audit verify --json",
"for scripts"]],async run(t,r){let{auditPlace:o}=await load  ("./chain-RPJ2IIBZ.js"),{verifyAudit:e}=await load  ("./verify-PT3ZBZDS.js"),m=o(t.variables),i=r.head===void 0?void 0:H(r.head),
s=await E(()=>e(m,$(t.variables),i)),p=r.against===!0?await P(t,m):void 0,d=s.damages.length===0,f=p!==void 0&&p.unrecorded.length+p.missing.length>0,c={folder:m.folder,is_sound:d,...s,...p!==void 0&&
{against:p}},l=()=>[...d?I(s):F(s,m.folder),...p===void 0?[]:R(p)],N=s.unsigned+s.taken_over===0;return b(c,l,!d||f?h.unavailable:N?h.done:h.unsigned)}};async function E(t){let r=performance.now()+1500;
for(;;){let o=t();if(o.unsigned===0||o.damages.length>0||performance.now()>r)return o;await new Promise(e=>setTimeout(e,250))}}async function P(t,r){let{newestRecords:o}=await load  ("./chain-RPJ2IIBZ.js"),
{compareWithService:e}=await load  ("./verify-PT3ZBZDS.js");return await e(t,o(r))}function R({matched:t,unrecorded:r,missing:o,cant_tell:e,of_other_runs:m}){return[w,g(["orders with their record",
n(t)],["without a record",{text:n(r.length),tone:r.length>0?"bad":"faint"}],["recorded, not there",{text:n(o.length),tone:o.length>0?"bad":"faint"}],["can't tell",n(e)],["of another run",n(m)]),...[...r.
map(({order_id:i})=>i),...o.map(({client_order_id:i})=>i)].slice(0,20).map(i=>a({text:`  ${i}`,tone:"bad"}))]}function H(t){let[,r,o]=/^(\d{1,15}):([0-9a-f]{64})$/.exec(t)??[];if(r===void 0||o===void 0)
throw y("--head is not a record number and hash.","Write it as perp audit verify prints it.");return{seq:Number(r),hash:o}}function I(t){return t.records===0&&t.last.seq===0?[a("The audit log is empty\
.")]:[a(L(t)),...q(t),...M(t).map(r=>a({text:r,tone:"warn"})),w,a(`--head ${t.last.seq}:${t.last.hash}`)]}function L({unsigned:t,taken_over:r}){let o=t+r;return o===0?{text:"Every record is intact.",tone:"\
good"}:{text:`The chain is whole, but ${u(o,"record")} had no signature: so who wrote ${o===1?"it":"them"} is unknown.`,tone:"warn"}}function F(t,r){return[a({text:`The audit log in ${r} has been alte\
red.`,tone:"bad"}),v(t.damages,[{header:"FILE",cell:({file:o})=>o??"the log"},{header:"LINE",cell:({line:o})=>o===null?"":n(o),align:"right"},{header:"WHAT",cell:({says:o})=>o}]),...q(t)]}function q({
records:t,files:r,bytes:o,head:e,last:m}){let i=e===null?{text:"no",tone:"bad"}:`up to record ${n(e.seq)}`;return[g(["records",n(t)],["last",n(m.seq)],["files",`${n(r)}, ${n(Number((o/1e6).toPrecision(
3)))} MB`],["signed",i])]}function M({unsigned:t,incomplete:r,clock_steps:o}){return[...t>0?[`Not signed at the end: ${u(t,"record")}. A running gate signs within a second.`]:[],...r>0?["The last line\
 is incomplete: a gate is writing it, or was stopped while writing."]:[],...o>0?[`This machine's clock was set back ${u(o,"time")}; records are in the order of writing.`]:[]]}var Q={show:O,verify:A};                      

return{commands:Q}})