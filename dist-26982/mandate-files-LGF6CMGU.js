(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-YMJS7YGX.js");use("chunk-4ZMXDCCV.js");use("chunk-UKVVE6FK.js");use("chunk-DLKFX6OY.js");use("chunk-FXSWUKU6.js");use("chunk-4WGROWL7.js");use("chunk-3ITPKNN4.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                               
                                                                                                              

return{MandateFiles:a}})