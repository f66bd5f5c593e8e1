(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d,e:e}=use("chunk-AM2K4NXB.js");use("chunk-3UDTZWDL.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                                          

return{ServeLock:e,removeServiceFile:b,runningService:c,servedAlready:d,writeServiceFile:a}})