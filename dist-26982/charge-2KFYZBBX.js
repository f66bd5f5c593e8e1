(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c}=use("chunk-MBRI3BLG.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                     

return{chargeOf:c,guardFiles:a,takeCharge:b}})