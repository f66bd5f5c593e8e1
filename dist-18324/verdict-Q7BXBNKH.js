(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d,e:e,f:f}=use("chunk-V5S4XB22.js");use("chunk-VX6PZ73V.js");use("chunk-LJQFQSO5.js");use("chunk-Z76O6BC2.js");use("chunk-3QKAVO3O.js");use("chunk-QKS5RODF.js");use("chunk-HDEVVJVD.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                         
                                                                                                                                                                                                          

return{compareVariants:f,overfittingSentence:e,percent:b,ratioText:c,verdictOf:a,verdictSentence:d}})