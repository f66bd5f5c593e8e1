(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d,e:e,f:f,g:g}=use("chunk-FXSWUKU6.js");use("chunk-4WGROWL7.js");use("chunk-3ITPKNN4.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                                                                                           

return{isBotName:a,mandateFile:b,mandateHash:f,mandateText:e,noBotName:g,parseMandate:d,readMandate:c}})