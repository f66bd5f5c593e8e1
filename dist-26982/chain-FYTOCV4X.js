(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d,e:e,f:f,g:g,h:h}=use("chunk-I2IHME74.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                                  

return{auditPlace:a,emptyChain:b,endBefore:h,linkAt:d,logFileOf:f,logFiles:g,nextLines:c,walk:e}})