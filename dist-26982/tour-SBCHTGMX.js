(function(use,load,meta,require){"use strict";const {g:t}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                    var u={summary:"Learn perp and its words in ten minutes",description:"Explains challenge, floor, breach, stop, R, bracket and carry on the live screen as they appear, and waits until you have done eac\
h step. It runs in a separate simulation; your accounts, simulations and settings are neither used nor changed. Leave with q; the next perp tour continues there, and its market is paused until then. W\
ithout a terminal of at least 80 x 24, or with --plain, it prints lines and uses commands instead of keys.",options:{plain:{summary:"in lines, for screen readers and pipes"},restart:{summary:"begin ag\
ain, with a new account"}},examples:[["perp tour","begin or continue"],["perp tour --plain","as lines"]],changesMore:!0};async function l(r,{plain:o,restart:i}){let{dryRun:p,output:m}=r.settings;if(p)
throw t("The tour can't be combined with --dry-run.","Omit --dry-run.");if(m!=="table")throw t("The tour prints text for people.","Omit --json and -o.");let{takeTour:e}=await load  ("./take-tour-ZR6M5BDH.js");
return e(r,{isPlain:o,isRestarted:i})}                              

return{command:u,run:l}})