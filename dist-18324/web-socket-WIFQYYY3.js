(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-XINDQTGX.js");use("chunk-ZMUQWSVE.js");use("chunk-7GNMLSFZ.js");use("chunk-B76R5DZG.js");use("chunk-QOBZWUIP.js");use("chunk-XTPMZJJM.js");use("chunk-R4DLC7YJ.js");use("chunk-VA6MFGRR.js");use("chunk-DOMKZUX4.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                               
                                                                                                                                                                            

return{webSocketTransport:a}})