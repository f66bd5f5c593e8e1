(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-2R4FVOD3.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                     

return{marketPrices:a}})