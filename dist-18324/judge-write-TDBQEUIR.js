(function(use,load,meta,require){"use strict";const {d:a,e:b}=use("chunk-EYE6TO5M.js");use("chunk-72H5SMNK.js");use("chunk-ZD3QZFAG.js");use("chunk-DIQYNJ3C.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                                    

return{judgeWrite:a,roomToTrade:b}})