(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-3AJFHGYY.js");use("chunk-52J4OF3Q.js");use("chunk-7J3BNSHA.js");use("chunk-FOCBJV43.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                           

return{MarketFollower:a}})