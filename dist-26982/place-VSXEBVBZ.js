(function(use,load,meta,require){"use strict";const {g:a,h:b}=use("chunk-AF2NOGSQ.js");use("chunk-MBRI3BLG.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                          

return{findPlace:b,guardPlace:a}})