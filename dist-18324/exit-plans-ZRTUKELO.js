(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d}=use("chunk-ACAQ3JQR.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                         

return{lotsOfTargets:d,parseExitPlan:a,sumOf:b,trailText:c}})