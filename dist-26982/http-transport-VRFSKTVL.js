(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-3W7IWZQF.js");use("chunk-2JYDM6FR.js");use("chunk-DOMKZUX4.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                              

return{httpTransport:a}})