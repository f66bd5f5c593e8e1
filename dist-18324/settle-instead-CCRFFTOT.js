(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d,e:e}=use("chunk-7YKKGX3R.js");use("chunk-7BGPGM3K.js");use("chunk-QOBZWUIP.js");use("chunk-VA6MFGRR.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                                                                                      

return{settleInstead:d,settledList:b,settledRecord:a,settlerOf:e,writeFields:c}})