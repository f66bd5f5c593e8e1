(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d}=use("chunk-KLIDT6KQ.js");use("chunk-YR7JGDC3.js");use("chunk-62PDKIMC.js");use("chunk-AF2NOGSQ.js");use("chunk-MBRI3BLG.js");use("chunk-JJS5UTUP.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                     
                                                                                                                                 

return{applyPlan:a,planInPlace:d,planWords:b,plansInPlace:c}})