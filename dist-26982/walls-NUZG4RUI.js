(function(use,load,meta,require){"use strict";const {a:a,b:b}=use("chunk-AVHC54PX.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                    

return{networkWall:a,shutHost:b}})