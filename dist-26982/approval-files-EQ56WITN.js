(function(use,load,meta,require){"use strict";const {a:a,b:b}=use("chunk-RAM5YMFR.js");use("chunk-E6MXZYGV.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                         

return{ApprovalFiles:b,approvalsFolder:a}})