(function(use,load,meta,require){"use strict";const {He:k,U:c,Vl:y,X:d,d:u,g:l,la:b,rd:f,sd:p,td:h}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                         var I={summary:"Check a simulation for damage, back it up, and repair it",description:"Checks every page and row, each balance against its ledger, and each position against its fills. An undamaged sta\
te is backed up to NAME.DATE.backup: one a day, for seven days and at most 1 GB. A damaged state is changed only by --rebuild or --restore, which keep the damaged file under another name. Exits 7 if t\
he state is damaged.",options:{rebuild:{summary:"repair by replaying the command log, which loses nothing"},restore:{summary:"repair by restoring the newest undamaged backup"}},examples:[["perp sim ch\
eck","check the simulation in use"],["perp sim check --state friday --json","for scripts"],["perp sim check --rebuild","rebuild a damaged state from its command log"]],simulationOnly:!0};async function j(t,r){
if(r.rebuild&&r.restore)throw l("--rebuild and --restore can't be combined.","Choose one of them.");let i=b(t.variables),e=t.settings.simulation.plain;if(r.rebuild||r.restore)return C(t,i,e,r.rebuild?
"rebuild":"restore");let{checkState:n}=await load  ("./public-JEEFC6HQ.js"),m=await t.person.during("Checking",()=>n(i,e,!t.settings.dryRun)),{problem:o}=m;if(o!==null&&o.kind!=="corrupt")throw o;
o===null&&!t.settings.dryRun&&await t.access();let a=o===null?u.done:u.unavailable;return f(x(m),()=>o===null?S(m):A(m),a)}async function C(t,r,i,e){if(t.settings.dryRun)throw l("A repair sends nothin\
g, so it can't be combined with --dry-run.","perp sim check shows what each repair would do.");let n=e==="rebuild"?`Rebuild the simulation ${i} from its command log? The damaged file is kept under ano\
ther name.`:`Restore the newest backup of the simulation ${i}? Everything after the backup is lost; the damaged file is kept under another name.`;y(t,n),await t.person.confirm(n);let{repairState:m}=await load  ("./public-JEEFC6HQ.js"),
o=await t.person.during("Repairing",()=>m(r,i,e));await t.access();let a={state:i,repaired:w(o.repair),set_aside:o.setAside};return k(t,void 0,f(a,()=>T(i,o)))}function x(t){let{state:r,file:i,format:e,
sizeBytes:n,examination:m,problem:o,backup:a,repairs:s}=t;return{state:r,file:i,format:e,size_bytes:n,sound:o===null,rows:m?.rows??null,commands:m?.log.commands??null,message:o?.message??null,faults:m?.
faults??[],backup:a,backup_problem:t.backupProblem,repairs:s.map(w),rebuild_problem:t.rebuildProblem}}function w(t){return t.kind==="rebuild"?{kind:t.kind,commands:t.commands}:{kind:t.kind,backup:t.backup,
made_at:t.madeAt,lost_commands:t.lostCommands}}function S({state:t,examination:r,backup:i,backupProblem:e}){return[p({text:`Simulation ${t}`,tone:"strong"}," is undamaged."),h(["checked",d(r.rows,"row")],
["command log",d(r.log.commands,"command")],["backup",i??void 0]),...e===null?[]:[p({text:e,tone:"warn"})]]}function A({state:t,file:r,problem:i,examination:e,repairs:n,rebuildProblem:m}){let a=(e?.faults??
[]).map(({table:s,row:g,what:R})=>p(`  ${g===null?s:`${s} ${g}`}: ${R}`));return[p({text:`Simulation ${t} is damaged.`,tone:"bad"},` ${r}`),...a.length>0?a:[p(`  ${i.message}`)],...m===null?[]:[p(`--r\
ebuild can't repair it: ${m}`)],...n.length>0?n.map(s=>p({text:B(t,s),tone:"strong"})):[p(`There is no undamaged backup either. perp sim reset${$(t)} starts over.`)]]}function $(t){return t==="default"?
"":` --state ${t}`}function B(t,r){let i=$(t);return r.kind==="rebuild"?`perp sim check --rebuild${i} replays the ${d(r.commands,"command")} of its command log; nothing is lost.`:`perp sim check --res\
tore${i} restores the backup of ${c(r.madeAt)}; ${v(r.lostCommands)}`}function v(t){return t===null?"everything since then will be lost.":t===0?"no command came after it.":`${d(t,"command")} after it \
will be lost.`}function T(t,{repair:r,setAside:i}){return[p({text:`Simulation ${t}`,tone:"strong"}," is repaired."),h(r.kind==="rebuild"?["replayed",d(r.commands,"command")]:["as of",c(r.madeAt)],["da\
maged file",i])]}                              

return{command:I,run:j}})