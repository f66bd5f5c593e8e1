(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-DYCJBVX3.js");use("chunk-4ZMXDCCV.js");use("chunk-VBC7TATV.js");use("chunk-H2FW6HGO.js");use("chunk-3E5D5CZJ.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                               
                                                      

return{takeAccounts:a}})