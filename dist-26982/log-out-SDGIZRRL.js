(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c}=use("chunk-TULUCEXJ.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                 

return{isUnanswered:c,logOut:a,revoke:b}})