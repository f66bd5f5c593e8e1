(function(use,load,meta,require){"use strict";const {c:a,d:b,e:c,f:d,g:e,h:f}=use("chunk-6GIP4GIE.js");use("chunk-4YYIE5FR.js");use("chunk-VD26NHFK.js");use("chunk-EEBSBY3J.js");use("chunk-MXPAKJQK.js");use("chunk-2TS42H2I.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                           
                                                                                                                                                                                          

return{candlesOf:a,chartHeading:e,decimalsOf:b,fillsOf:d,levelsOf:c,printedChart:f}})