(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-E4X6P5O2.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                        

return{processTerminal:a}})