(function(use,load,meta,require){"use strict";const {He:d,K:l,U:n,g:k,h:c,ni:e,qd:f,rd:a,sd:u}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                 var h={summary:"List the bookmarks of the current recording",examples:[["perp sim bookmarks","names and times"]],simulationOnly:!0},w=[{header:"NAME",cell:({name:o})=>o},{header:"TIME",cell:({time:o})=>n(
o)}];async function g(o){let{books:r,blind:m,time:t}=await e(o),{readBookmarks:i}=await load  ("./recording-ZFXQE7OM.js"),b=Object.entries(i(r)).map(([p,s])=>({name:p,time:s})).filter(({time:p})=>!m||
p<=t).sort((p,s)=>p.time-s.time);return f(b,{fields:["name","time"],columns:w,empty:"No bookmarks. Add one with perp sim bookmarks add NAME."})}var O={summary:"Bookmark the current time of the recordi\
ng",args:[{name:"name",summary:"up to 64 letters, digits, spaces, dots and dashes"}],examples:[["perp sim bookmarks add squeeze","here"],["perp sim serve --books day.jsonl.gz --from squeeze","start th\
ere"]],simulationOnly:!0,changesMore:!0};function y({settings:o}){if(o.dryRun)throw k("Bookmarks can't be combined with --dry-run.","Omit --dry-run.")}async function B(o,{name:r}){y(o);let{books:m,time:t}=await e(
o),{setBookmark:i}=await load  ("./recording-ZFXQE7OM.js");return i(m,r,t),d(o,void 0,a({name:r,time:t},()=>[u({text:r,tone:"strong"},`  ${n(t)}`)]))}var R={summary:"Remove a bookmark from the curre\
nt recording",args:[{name:"name",summary:"name, from perp sim bookmarks"}],examples:[["perp sim bookmarks rm squeeze","by name"]],simulationOnly:!0,changesMore:!0};async function C(o,{name:r}){y(o);let{
books:m}=await e(o),{readBookmarks:t,setBookmark:i}=await load  ("./recording-ZFXQE7OM.js");if(!Object.hasOwn(t(m),r))throw c(`There is no bookmark ${l(r)}.`,"perp sim bookmarks lists them.");return i(
m,r,null),d(o,void 0,a({name:r,deleted:!0},()=>[u(`Removed bookmark ${r}.`)]))}var E={list:{command:h,run:g},add:{command:O,run:B},rm:{command:R,run:C}};                      

return{commands:E}})