(function(use,load,meta,require){"use strict";const {f:a,g:b,h:c,i:d,j:e,k:f,l:g,m:h,n:i}=use("chunk-B2U3USJX.js");use("chunk-3ITPKNN4.js");use("chunk-JJS5UTUP.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                    
                                                                                                                                                                                  

return{conditionOf:d,consequenceOf:e,followedBy:b,judgesEquity:f,kindOf:c,namedBy:h,needsOf:g,ruleKinds:a,rulesTemplate:i}})