(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-A2PW5PMT.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                   

return{openScreen:a}})