(function(use,load,meta,require){"use strict";const {a:a,b:b}=use("chunk-HIHQNCVX.js");use("chunk-3QKAVO3O.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                  

return{hasBrowser:a,openBrowser:b}})