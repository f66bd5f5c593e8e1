(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d}=use("chunk-XQW3LI5N.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                               

return{settleInstead:c,settledList:b,settledRecord:a,settlerOf:d}})