(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-STNMBJZK.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                   

return{wholeOrder:a}})