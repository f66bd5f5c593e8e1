(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-AIPQ5WP4.js");use("chunk-SDQZVJLW.js");use("chunk-ACAQ3JQR.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                         

return{growStop:a}})