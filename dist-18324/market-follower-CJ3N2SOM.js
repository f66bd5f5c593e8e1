(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-CTCX63JX.js");use("chunk-5JJBME2L.js");use("chunk-EEQUAKMD.js");use("chunk-UEKKPDH4.js");use("chunk-FOCBJV43.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                               
                                                        

return{MarketFollower:a}})