(function(use,load,meta,require){"use strict";const {Mi:s,P:f,Qd:b,Rd:k,Sd:u,aa:n,g:c,h:l,jf:d}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                  var w={summary:"List the bookmarks of the current recording",examples:[["perp sim bookmarks","names and times"]],simulationOnly:!0,async run(r){let{books:o,blind:m,time:t}=await s(r),{readBookmarks:i}=await load  ("./recording-5QLOUWKW.js"),
h=Object.entries(i(o)).map(([p,a])=>({name:p,time:a})).filter(({time:p})=>!m||p<=t).sort((p,a)=>p.time-a.time);return b(h,{fields:["name","time"],columns:g,empty:"No bookmarks. Add one with perp sim b\
ookmarks add NAME."})}},g=[{header:"NAME",cell:({name:r})=>r},{header:"TIME",cell:({time:r})=>n(r)}],B={summary:"Bookmark the current time of the recording",args:[{name:"name",summary:"up to 64 letter\
s, digits, spaces, dots and dashes"}],examples:[["perp sim bookmarks add squeeze","here"],["perp sim serve --books day.jsonl.gz --from squeeze","start there"]],simulationOnly:!0,changesMore:!0,async run(r,{
name:o}){y(r);let{books:m,time:t}=await s(r),{setBookmark:i}=await load  ("./recording-5QLOUWKW.js");i(m,o,t);let e=k({name:o,time:t},()=>[u({text:o,tone:"strong"},`  ${n(t)}`)]);return d(r,void 0,e)}};
function y({settings:r}){if(r.dryRun)throw c("Bookmarks can't be combined with --dry-run.","Omit --dry-run.")}var O={summary:"Remove a bookmark from the current recording",args:[{name:"name",summary:"\
name, from perp sim bookmarks"}],examples:[["perp sim bookmarks rm squeeze","by name"]],simulationOnly:!0,changesMore:!0,async run(r,{name:o}){y(r);let{books:m}=await s(r),{readBookmarks:t,setBookmark:i}=await load  ("./recording-5QLOUWKW.js");
if(!Object.hasOwn(t(m),o))throw l(`There is no bookmark ${f(o)}.`,"perp sim bookmarks lists them.");i(m,o,null);let e=k({name:o,deleted:!0},()=>[u(`Removed bookmark ${o}.`)]);return d(r,void 0,e)}},A={
list:w,add:B,rm:O};                      

return{commands:A}})