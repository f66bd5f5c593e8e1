(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d}=use("chunk-HQPNMHP4.js");use("chunk-OHASWD2G.js");use("chunk-UHPQFYQR.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                                     

return{candlesOf:b,excursionsOf:c,readExcursions:a,resultsIn:d}})