(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-ERZ7SO4O.js");use("chunk-3RDFSV7G.js");use("chunk-MJPKIIMH.js");use("chunk-QLCS2NMG.js");use("chunk-7BGPGM3K.js");use("chunk-FGCUC6Y6.js");use("chunk-QOBZWUIP.js");use("chunk-R4DLC7YJ.js");use("chunk-VA6MFGRR.js");use("chunk-73EEFHGB.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                               
                                                                                                                                                                                                     

return{assertLocksWork:a}})