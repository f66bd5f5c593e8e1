(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c}=use("chunk-AQXTOKZK.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                            

return{freezeIntrinsics:c,networkWall:a,shutHost:b}})