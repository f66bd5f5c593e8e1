(function(use,load,meta,require){"use strict";const {rd:e,sj:s,td:n}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                     var f={summary:"Show the version, commit, runtime and installation",description:"Also prints the command that upgrades this copy. Reads and sends nothing.",examples:[["perp version","for people"],["pe\
rp version --json","for scripts and bug reports"]],ignoresProfile:!0,toleratesBadConfig:!0};async function g({registry:a}){let{version:o,commit:r}=a,{by:t,place:i,upgrade:m}=s(),p=`Node ${process.versions.
node} on ${process.platform} ${process.arch}`;return e({version:o,commit:r,runtime:p,installed:t,place:i,upgrade:m},()=>[n(["version",o],["commit",r??"unknown"],["runtime",p],["installed",`${t}, ${i}`],
["to upgrade",m])])}                              

return{command:f,run:g}})