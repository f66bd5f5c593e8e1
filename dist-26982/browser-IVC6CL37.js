(function(use,load,meta,require){"use strict";const {a:a,b:b}=use("chunk-GU7TBH4I.js");use("chunk-NULGIMYA.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                  

return{hasBrowser:a,openBrowser:b}})