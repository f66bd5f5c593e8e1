(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-WE3XAU4B.js");use("chunk-GLLLKKBJ.js");use("chunk-UZISWDBB.js");use("chunk-R4DLC7YJ.js");use("chunk-RU3MTBED.js");use("chunk-MQL63B4K.js");use("chunk-73EEFHGB.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                               
                                                                                                               

return{processFolder:a}})