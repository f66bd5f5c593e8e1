(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d,e:e}=use("chunk-UZISWDBB.js");use("chunk-MQL63B4K.js");use("chunk-73EEFHGB.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                                                                      

return{ServeLock:e,removeServiceFile:b,runningService:c,servedAlready:d,writeServiceFile:a}})