(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c}=use("chunk-FOSHI5BB.js");use("chunk-55T4UJIW.js");use("chunk-X7LU7ZOO.js");use("chunk-7VWHLLZN.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                                         

return{Weather:a,usualWeather:b,weatherOf:c}})