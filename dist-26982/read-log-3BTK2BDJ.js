(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-3YOD3X5K.js");use("chunk-I2IHME74.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                  

return{newestRecords:a}})