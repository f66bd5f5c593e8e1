(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-3LIA6PQY.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                   

return{openScreen:a}})