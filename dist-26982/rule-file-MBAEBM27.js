(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d,e:e}=use("chunk-2POR3RFH.js");use("chunk-B2U3USJX.js");use("chunk-3ITPKNN4.js");use("chunk-JJS5UTUP.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                                                                        

return{parseExec:e,parseRules:c,readRules:b,ruleOf:d,rulesFile:a}})