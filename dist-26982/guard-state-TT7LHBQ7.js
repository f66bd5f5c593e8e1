(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d}=use("chunk-XUROHN7K.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                       

return{freshState:a,peekState:c,readState:d,writeState:b}})