(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d}=use("chunk-YR7JGDC3.js");use("chunk-62PDKIMC.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                  

return{planNamed:d,removePlan:c,savePlan:b,savedPlans:a}})