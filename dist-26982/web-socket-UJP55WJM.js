(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-EETWS6P6.js");use("chunk-YY2WGIUL.js");use("chunk-T42UQYYR.js");use("chunk-2JYDM6FR.js");use("chunk-DOMKZUX4.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                               
                                                            

return{webSocketTransport:a}})