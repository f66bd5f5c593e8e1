(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c}=use("chunk-LJGIFVRP.js");use("chunk-SXEH32IS.js");use("chunk-XXKGL3XC.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                          

return{BotsFile:b,gateFolder:a,isValid:c}})