(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c}=use("chunk-7KTDNJAF.js");use("chunk-MCA5GUH3.js");use("chunk-NELMPA2W.js");use("chunk-FGCUC6Y6.js");use("chunk-B76R5DZG.js");use("chunk-QOBZWUIP.js");use("chunk-R4DLC7YJ.js");use("chunk-VA6MFGRR.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                   
                                                                                                                                                                  

return{isUnanswered:c,logOut:a,revoke:b}})