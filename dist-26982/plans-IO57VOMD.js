(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d,e:e,f:f,g:g}=use("chunk-JJS5UTUP.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                    

return{aimOf:f,dropUnseen:c,keepPlan:e,keepUnseen:b,keptPlan:g,readPlans:a,seenPlans:d}})