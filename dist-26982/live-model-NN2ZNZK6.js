(function(use,load,meta,require){"use strict";const {a:a,b:b}=use("chunk-YOWOY37Q.js");use("chunk-O6D7HQOJ.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                

return{LiveModel:b,maxCandles:a}})