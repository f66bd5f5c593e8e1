(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-6SE5Q57X.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                        

return{processTerminal:a}})