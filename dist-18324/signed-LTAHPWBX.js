(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d,e:e,f:f,g:g,h:h}=use("chunk-UOQ32AFR.js");use("chunk-FF6IVT3K.js");use("chunk-RDG56SNA.js");use("chunk-CUU5HMG2.js");use("chunk-R2ZJ2XCT.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                             
                                                                                                                                                                              

return{SeenTimes:f,changesOf:e,effectiveMandate:d,forgetSeenTime:g,readSigned:b,seenNameOf:h,signMandate:a,signedNames:c}})