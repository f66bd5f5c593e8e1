(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-DW4BWSXU.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                     

return{marketPrices:a}})