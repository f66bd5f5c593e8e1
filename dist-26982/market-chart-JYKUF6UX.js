(function(use,load,meta,require){"use strict";const {c:a,d:b,e:c,f:d,g:e,h:f}=use("chunk-5LL6NVAE.js");use("chunk-GRSZAO2T.js");use("chunk-MZNKVIN5.js");use("chunk-EEBSBY3J.js");use("chunk-2TS42H2I.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                           
                                                                                                                                                              

return{candlesOf:a,chartHeading:e,decimalsOf:b,fillsOf:d,levelsOf:c,printedChart:f}})