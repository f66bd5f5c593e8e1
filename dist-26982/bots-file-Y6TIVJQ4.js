(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c}=use("chunk-VBC7TATV.js");use("chunk-H2FW6HGO.js");use("chunk-3E5D5CZJ.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                          

return{BotsFile:b,gateFolder:a,isValid:c}})