(function(use,load,meta,require){"use strict";const {a:a,b:b}=use("chunk-7QKR6X2W.js");use("chunk-RMTNTQHR.js");use("chunk-UOQ32AFR.js");use("chunk-FF6IVT3K.js");use("chunk-RDG56SNA.js");use("chunk-LJGIFVRP.js");use("chunk-CUU5HMG2.js");use("chunk-R2ZJ2XCT.js");use("chunk-B76R5DZG.js");use("chunk-VA6MFGRR.js");use("chunk-SXEH32IS.js");use("chunk-XXKGL3XC.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                 
                                                                                                                                                                        
                                                                                                    

return{MandateFiles:a,takeAccounts:b}})