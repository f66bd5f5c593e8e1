(function(use,load,meta,require){"use strict";const {a:a,b:b}=use("chunk-O5CDVA2S.js");use("chunk-HRKOIFKX.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                

return{LiveModel:b,maxCandles:a}})