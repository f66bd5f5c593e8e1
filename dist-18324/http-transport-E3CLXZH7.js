(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d}=use("chunk-YW73I5VR.js");use("chunk-XTPMZJJM.js");use("chunk-R4DLC7YJ.js");use("chunk-VA6MFGRR.js");use("chunk-DOMKZUX4.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                     
                                                                                                        

return{AnswerReader:b,decodeBody:c,headersOf:d,httpTransport:a}})