(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d,e:e}=use("chunk-UAQ5VU57.js");use("chunk-OMGEIDSS.js");use("chunk-CUU5HMG2.js");use("chunk-EAVJ75HN.js");use("chunk-NELMPA2W.js");use("chunk-ACAQ3JQR.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                       
                                                                                                                                         

return{parseExec:e,parseRules:c,readRules:b,ruleOf:d,rulesFile:a}})