(function(use,load,meta,require){"use strict";const {g:g}=use("chunk-3RDFSV7G.js");use("chunk-MJPKIIMH.js");use("chunk-QLCS2NMG.js");use("chunk-7BGPGM3K.js");use("chunk-FGCUC6Y6.js");use("chunk-QOBZWUIP.js");use("chunk-R4DLC7YJ.js");use("chunk-VA6MFGRR.js");const {H:w,N:d,Sd:a,Vd:u,d:c,da:f,g:l}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                               
                                                                                                                                                                         var j={summary:"Check the installation and suggest fixes",description:"Checks Node, the config file, folders, the keychain, the configured hosts and their clocks, the venues of live markets, the datab\
ases of all simulations, writes with an unknown outcome, and completion. Changes nothing, and never shows or sends a credential, except with --contract, which reads your accounts. With --live, follows\
 the public feeds of one or all venues for a minute (--timeout changes it), without an account: lists, subscriptions, fields, books and prints compared with REST, marks, limits and clocks. Exits 7 if \
a check fails; a warning is not a failure.",args:[{name:"venue",choices:w,optional:!0,summary:"with --live: which venue (default: all)"}],options:{live:{summary:"follow the public feeds of live market\
s for a minute, and report what was verified"},contract:{summary:"instead, compare the environment's answers and streams with the API contract, and name each difference"}},examples:[["perp doctor","al\
l checks, with fixes"],["perp doctor --contract","differences between this environment and the contract"],["perp doctor --live binance","a minute on its feeds: what is verified, missing, unknown or la\
te"],["perp doctor --json","for scripts"]],toleratesBadConfig:!0,async run(t,{contract:i,live:r,venue:m}){if(r&&i)throw l("--live and --contract can't be combined.","Run one after the other.");if(m!==
void 0&&!r)throw l("A venue needs --live.",`perp doctor --live ${m}`);let p=r?async()=>(await load  ("./live-HHETEHTM.js")).followVenues(t,m):null,o=await t.person.during(r?"Following live mark\
ets":"Checking",()=>p!==null?p():i?C(t):g(t)),e=o.some(({status:n})=>n==="fail");return{kind:"list",rows:o,fields:["check","status","message","fix"],columns:[],empty:"",blocks:()=>[...o.flatMap(n=>x(n,
o,t.io.columns)),...F(o)],exit:e?c.unavailable:c.done}}},v={ok:"good",warn:"warn",fail:"bad"},h=6;function x({check:t,status:i,message:r,fix:m},p,o){let e=Math.min(Math.max(...p.map(s=>s.check.length)),
Math.floor(o/4)),n=" ".repeat(h+e+2),[k="",...y]=d(r,o,n).slice(n.length).split(`
`),b=m===void 0?[]:d(m,o," ".repeat(h)).split(`
`);return[a({text:i.padEnd(h),tone:v[i]},`${t.padEnd(e)}  ${k}`),...y.map(s=>a(s)),...b.map(s=>a({text:s,tone:"strong"}))]}async function C(t){let{compareWithContract:i}=await load  ("./contract-A2LEHD2V.js");
return i(t)}function F(t){let i=o=>t.filter(({status:e})=>e===o).length,[r,m]=[i("fail"),i("warn")];if(r+m===0)return[u,a({text:"No problems found.",tone:"good"})];let p=[r&&f(r,"failure"),m&&f(m,"war\
ning")];return[u,a(`${p.filter(Boolean).join(", ")}.`)]}                     

return{command:j}})