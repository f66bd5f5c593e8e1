(function(use,load,meta,require){"use strict";const {a:a,b:b}=use("chunk-KF2BUN5P.js");use("chunk-V2POZ54Z.js");use("chunk-DBDQOOMZ.js");use("chunk-6IH3AF5M.js");use("chunk-UZUAC3JN.js");use("chunk-HDEVVJVD.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                 
                                                                                            

return{scoreOf:a,scoreText:b}})