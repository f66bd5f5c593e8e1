(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d,e:e}=use("chunk-VX6PZ73V.js");use("chunk-Z76O6BC2.js");use("chunk-QKS5RODF.js");use("chunk-HDEVVJVD.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                                                                            

return{isMeasured:b,returnTable:c,scoreOf:d,scoreText:e,variantsOf:a}})