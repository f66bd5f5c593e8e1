(function(use,load,meta,require){"use strict";const {d:a,e:b,f:c,g:d,h:e}=use("chunk-XPG5ZVO7.js");use("chunk-WQC3BBXR.js");use("chunk-NULGIMYA.js");use("chunk-UZUAC3JN.js");use("chunk-HDEVVJVD.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                    
                                                                                                                                                         

return{overfittingSentence:e,percent:b,ratioText:c,verdictOf:a,verdictSentence:d}})