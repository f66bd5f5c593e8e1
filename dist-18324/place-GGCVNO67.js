(function(use,load,meta,require){"use strict";const {g:a,h:b,i:c,j:d,k:e}=use("chunk-PMXLOUDR.js");use("chunk-NELMPA2W.js");use("chunk-UEKKPDH4.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                                                                         

return{chargeOf:c,findPlace:e,guardFiles:a,guardPlace:d,takeCharge:b}})